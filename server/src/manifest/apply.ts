import { sql } from 'kysely';
import pg from 'pg';
import type { EnvironmentName } from '../config.ts';
import type { Database, Transaction } from '../store/database.ts';
import { applyOrganization } from './apply-organization.ts';
import { applyWebhooks } from './apply-webhooks.ts';
import { applyWorkspaces } from './apply-workspaces.ts';
import { type Changes, noChanges } from './changes.ts';
import { PlatformFileError, type Problem } from './problems.ts';
import type { ReadPlatformFile } from './read.ts';

// Any number that nothing else in the database locks by, with the schema's own beside it.
const applyLock = 7_203_119;

/**
 * Makes what the file declares for one environment, in one transaction, and says what changed. Applied again the same
 * file changes nothing. What the file does not name is left alone, and so is what the API may change: a user's profile,
 * role and status, a member's role. Only a role's permissions are exactly those that the file lists.
 *
 * @param dryRun finds out what would change, and changes nothing
 * @throws PlatformFileError where what is stored stands in the way; then nothing is changed
 */
export async function applyPlatform({
  database,
  environment,
  file,
  now = new Date(),
  dryRun = false,
}: {
  database: Database;
  environment: EnvironmentName;
  file: ReadPlatformFile;
  now?: Date;
  dryRun?: boolean;
}): Promise<Changes> {
  const transaction = await database.startTransaction().execute();
  try {
    const changes = await applyIn(transaction, environment, file, now);
    await (dryRun ? transaction.rollback() : transaction.commit()).execute();
    return changes;
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => {});
    throw explained(error, environment, file);
  }
}

async function applyIn(
  database: Transaction,
  environment: EnvironmentName,
  file: ReadPlatformFile,
  now: Date,
): Promise<Changes> {
  const declaration = file.environments[environment];
  const changes = noChanges();
  if (!declaration) return changes;
  // Two at once would each find nothing and create everything.
  await sql`select pg_advisory_xact_lock(${sql.lit(applyLock)}, hashtext(current_schema()))`.execute(
    database,
  );
  const refuse = (problems: Problem[]): never => {
    throw file.source.error(problems);
  };
  const nextMoment = momentsBefore(now, countOf(declaration));
  const applying = { database, environment, changes, refuse, nextMoment };
  const path = ['environments', environment];
  const people = await applyOrganization(applying, declaration, path);
  await applyWorkspaces(applying, declaration.workspaces, people, path);
  await applyWebhooks(applying, declaration.webhooks, { ...people, path });
  return changes;
}

/** A millisecond apart, the last of them not in the future. */
function momentsBefore(now: Date, count: number): () => string {
  let moment = now.getTime() - count;
  return () => {
    moment += 1;
    return new Date(moment).toISOString();
  };
}

/** At least as many as rows can come of the declaration. */
function countOf(declaration: unknown): number {
  if (typeof declaration !== 'object' || declaration === null) return 1;
  return Object.values(declaration).reduce((sum: number, part) => sum + countOf(part), 4);
}

/** What the database refuses although the file is sound: a clash with rows that the file does not name. */
function explained(error: unknown, environment: EnvironmentName, file: ReadPlatformFile): unknown {
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith('23')) return error;
  const detail = (error.detail ?? error.message).replace(/\.$/, '');
  const message = `clashes with what is stored in ${error.table ?? 'the database'}: ${detail}`;
  return error.code === '23505'
    ? file.source.error([{ path: ['environments', environment], message, atKey: true }])
    : new PlatformFileError([`${file.source.name}: ${message}`]);
}
