import { sql } from 'kysely';
import pg from 'pg';
import type { EnvironmentName } from '../config.ts';
import { type AuditOrigin, withAudit } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { applyOrganization } from './apply-organization.ts';
import { applyWorkspaces } from './apply-workspaces.ts';
import type { DefinitionChange } from './definition-changes.ts';
import { type Path, PlatformFileError, type Problem, type WebhookDeclaration } from './platform-file.ts';
import type { ParsedPlatformFile } from './read.ts';
import {
  type ApplyContext,
  type Changes,
  type CreatedObject,
  noChanges,
  rowsOf,
  upsertRows,
} from './rows.ts';

// Any number that no other advisory lock of the database uses. The hash of the schema is the second key.
const applyLock = 7_203_119;

/**
 * Applies the declaration of one environment in one transaction, and returns what changed. Applying the same file again
 * changes nothing. Objects that the file does not mention stay, and so does what the API may change: a user's profile,
 * role and status, and a member's role. Only the permissions of a role are set to exactly those in the file.
 *
 * @param dryRun returns the changes without making them
 * @throws PlatformFileError if stored data conflicts with the file; nothing is changed
 */
export async function applyPlatform({
  database,
  environment,
  file,
  now,
  dryRun = false,
  definitions = [],
  created = [],
  operator,
}: {
  database: Database;
  environment: EnvironmentName;
  file: ParsedPlatformFile;
  /** Default: the time of the database. */
  now?: Date;
  dryRun?: boolean;
  /** Receives the definitions that change, in the order of the file. */
  definitions?: DefinitionChange[];
  /** Receives the objects that are created, in the order of the file. */
  created?: CreatedObject[];
  /** Who applies the file, for the audit log. Undefined: the changes are not in it. */
  operator?: AuditOrigin;
}): Promise<Changes> {
  const transaction = await database.startTransaction().execute();
  try {
    const at = now ?? (await databaseTime(transaction));
    const apply = () => applyIn({ database: transaction, environment, definitions, created }, file, at);
    const changes = operator ? await withAudit(transaction, () => operator, apply) : await apply();
    await (dryRun ? transaction.rollback() : transaction.commit()).execute();
    return changes;
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => {});
    throw conflictError(error, environment, file) ?? error;
  }
}

async function applyIn(
  target: Pick<ApplyContext, 'database' | 'environment' | 'definitions' | 'created'>,
  file: ParsedPlatformFile,
  now: Date,
): Promise<Changes> {
  const { database, environment } = target;
  const declaration = file.environments[environment];
  const changes = noChanges();
  if (!declaration) return changes;
  // Two concurrent runs would each find nothing and create everything.
  await sql`select pg_advisory_xact_lock(${sql.lit(applyLock)}, hashtext(current_schema()))`.execute(
    database,
  );
  const fail = (problems: Problem[]): never => {
    throw file.source.error(problems);
  };
  const nextTimestamp = timestampsBefore(now, maximumRows(declaration));
  const context: ApplyContext = { ...target, now, changes, fail, nextTimestamp };
  const path = ['environments', environment];
  const organization = await applyOrganization(context, declaration, path);
  await applyWorkspaces(context, declaration.workspaces, organization, path);
  await applyWebhooks(context, declaration.webhooks, organization.organizationId, path);
  return changes;
}

/** Returns timestamps one millisecond apart, `count` of which are not after `now`. */
function timestampsBefore(now: Date, count: number): () => string {
  let milliseconds = now.getTime() - count;
  return () => {
    milliseconds += 1;
    return new Date(milliseconds).toISOString();
  };
}

/** An upper bound of the number of rows that a declaration creates. */
function maximumRows(declaration: unknown): number {
  if (typeof declaration !== 'object' || declaration === null) return 1;
  return Object.values(declaration).reduce((sum: number, part) => sum + maximumRows(part), 4);
}

/** Explains a violated constraint: a conflict with rows that the file does not mention. */
function conflictError(
  error: unknown,
  environment: EnvironmentName,
  file: ParsedPlatformFile,
): PlatformFileError | undefined {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) return undefined;
  const detail = (error.detail ?? error.message).replace(/\.$/, '');
  const message = `conflicts with data stored in ${error.table ?? 'the database'}: ${detail}`;
  return error.code === '23505'
    ? file.source.error([{ path: ['environments', environment], message, atKey: true }])
    : new PlatformFileError([`${file.source.name}: ${message}`]);
}

/**
 * Applies the webhook endpoints. Whether an endpoint is disabled is not changed. An endpoint keeps the URL as first
 * written: an equivalent spelling must not become a second endpoint, which would receive every event again.
 */
async function applyWebhooks(
  context: ApplyContext,
  webhooks: WebhookDeclaration[],
  organizationId: string,
  path: Path,
): Promise<void> {
  const stored = await context.database
    .selectFrom('webhook_endpoints')
    .select('url')
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .execute();
  const urls = stored.map(({ url }) => url);
  const storedUrl = (url: string) =>
    urls.includes(url) ? url : urls.find((other) => new URL(other).href === new URL(url).href);
  await upsertRows(
    context,
    'webhooks',
    rowsOf(webhooks, [...path, 'webhooks'], ({ url, events }) => ({
      organization_id: organizationId,
      url: storedUrl(url) ?? url,
      event_types: events === 'all' ? null : events,
    })),
  );
}
