import { join } from 'node:path';
import type { ContractDocument } from '../../contract/index.ts';
import { transact } from '../../postgres-client/index.ts';
import { type EnvironmentName, environmentNames } from '../config.ts';
import { secretDigest } from '../domain/organization-token.ts';
import type { ServerKey } from '../security/server-key.ts';
import { createApiKey, createOrganizationToken } from '../store/credentials.ts';
import type { Database } from '../store/database.ts';
import { registerEndpoint } from '../store/webhook-endpoints.ts';
import { type DemoFile, type DemoSecrets, readDemoFile, writeDemoFile } from './demo-file.ts';
import { type DemoFixtures, demoFixtures } from './demo-fixtures.ts';
import { createDemoKey, createDemoObjects, type DemoObjects } from './demo-objects.ts';
import { derivedId } from './rows.ts';

/** What an environment needs for its demo. */
export type DemoEnvironment = { name: EnvironmentName; database: Database } & Pick<
  DemoObjects,
  'blobs' | 'jobs'
>;

export interface DemoOptions {
  environments: readonly DemoEnvironment[];
  serverKey: ServerKey;
  baseUrls: Record<EnvironmentName, string>;
  /** Has the examples of the objects that the demo creates besides those of its platform file. */
  contract: ContractDocument;
  dataDirectory: string;
  now?: Date;
}

/**
 * - `created`: the database was empty, and the demo was created
 * - `recovered`: the demo existed without a complete `demo.json`, and has new credentials
 * - `kept`: the demo existed, and its base URLs are up to date
 * - `absent`: the operator has an organization of their own, and nothing was changed
 */
export type DemoOutcome = { kind: 'created' | 'recovered' | 'kept'; file: DemoFile } | { kind: 'absent' };

export const demoPlatformFile = join(import.meta.dirname, '../../demo/platform.yaml');
const credentialName = 'Demo';

/**
 * Applies the demo's platform file if production has no organization, creates the objects of the contract's examples, and
 * writes ids and credentials to `demo.json` in the data directory. If it is interrupted, the next start completes it.
 */
export async function prepareDemo(options: DemoOptions): Promise<DemoOutcome> {
  const { environments, baseUrls, dataDirectory, now = new Date() } = options;
  const { database: production } = environmentOf(environments, 'production');
  const isEmpty = !(await hasOrganization(production));
  const written = isEmpty ? undefined : await readDemoFile(dataDirectory);
  if (written && (await matchesDatabases(environments, written))) {
    return { kind: 'kept', file: await updateBaseUrls(written, { baseUrls, dataDirectory }) };
  }

  // Loaded only here: most starts find their demo.
  const [{ readPlatformFile }, { applyPlatform }] = await Promise.all([
    import('./read.ts'),
    import('./apply.ts'),
  ]);
  const platform = await readPlatformFile(demoPlatformFile);
  const fixtures = {
    production: demoFixtures(platform, 'production'),
    sandbox: demoFixtures(platform, 'sandbox'),
  };
  if (!isEmpty && !(await hasOrganization(production, fixtures.production.organizationId)))
    return { kind: 'absent' };

  for (const { name: environment, database } of environments) {
    // An existing demo may have been changed on purpose.
    if (await hasOrganization(database, fixtures[environment].organizationId)) continue;
    await applyPlatform({ database, environment, file: platform, now });
  }
  const describe = async (name: EnvironmentName) => {
    const secrets = await fill(environmentOf(environments, name), fixtures[name], { ...options, now });
    return { baseUrl: baseUrls[name], ...secrets, ...fixtures[name].ids };
  };
  const file = { production: await describe('production'), sandbox: await describe('sandbox') };
  await writeDemoFile(dataDirectory, file);
  return { kind: isEmpty ? 'created' : 'recovered', file };
}

function environmentOf(environments: readonly DemoEnvironment[], name: EnvironmentName): DemoEnvironment {
  const found = environments.find((environment) => environment.name === name);
  if (!found) throw new Error(`The platform has no ${name} environment.`);
  return found;
}

/** Creates credentials and, together with the first ones, the objects of the contract's examples. */
async function fill(
  environment: DemoEnvironment,
  fixtures: DemoFixtures,
  { serverKey, contract, now }: Pick<DemoOptions, 'serverKey' | 'contract'> & { now: Date },
): Promise<DemoSecrets> {
  const { database, blobs, jobs } = environment;
  const isFirst = !(await hasCredentials(database, fixtures));
  if (isFirst) await createDemoKey(environment, { serverKey, contract, now });
  return transact(database, async (transaction) => {
    if (isFirst) await createDemoObjects({ database: transaction, blobs, jobs, contract, fixtures, now });
    return renewCredentials(transaction, fixtures, now);
  });
}

/** Whether a start has created credentials, even if they were revoked since. */
async function hasCredentials(database: Database, { ownerId }: DemoFixtures): Promise<boolean> {
  const token = await database
    .selectFrom('organization_tokens')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('name', '=', credentialName)
    .executeTakeFirst();
  return token !== undefined;
}

async function hasOrganization(database: Database, id?: string): Promise<boolean> {
  let query = database.selectFrom('organizations').select('id').limit(1);
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Also revokes the credentials of a start that was interrupted before it wrote them to `demo.json`. */
async function renewCredentials(
  transaction: Database,
  { ownerId, memberId, ids }: DemoFixtures,
  now: Date,
): Promise<DemoSecrets> {
  for (const table of ['organization_tokens', 'api_keys'] as const) {
    await transaction
      .updateTable(table)
      .set({ revoked_at: now })
      .where('user_id', 'in', [ownerId, memberId])
      .where('name', '=', credentialName)
      .where('revoked_at', 'is', null)
      .execute();
  }
  const of = (userId: string) => ({ userId, homeWorkspaceId: ids.workspaceId, name: credentialName });
  const owner = await createOrganizationToken(transaction, of(ownerId), now);
  const member = await createOrganizationToken(transaction, of(memberId), now);
  const { key, secret } = await createApiKey(transaction, of(ownerId), now);
  return { organizationToken: owner.token, memberToken: member.token, apiKey: key, apiSecret: secret };
}

/** Whether the databases contain the credentials of the file. A revoked one counts: it was revoked on purpose. */
async function matchesDatabases(environments: readonly DemoEnvironment[], file: DemoFile): Promise<boolean> {
  for (const { name, database } of environments) {
    const { organizationToken, memberToken, apiKey, apiSecret } = file[name];
    const tokens = await database
      .selectFrom('organization_tokens')
      .select('id')
      .where('sha256', 'in', [secretDigest(organizationToken), secretDigest(memberToken)])
      .execute();
    const key = await database
      .selectFrom('api_keys')
      .select('id')
      .where('key', '=', apiKey)
      .where('secret_sha256', '=', secretDigest(apiSecret))
      .executeTakeFirst();
    if (tokens.length !== 2 || !key) return false;
  }
  return true;
}

/** The ports may have changed since the last start. */
async function updateBaseUrls(
  file: DemoFile,
  { baseUrls, dataDirectory }: Pick<DemoOptions, 'baseUrls' | 'dataDirectory'>,
): Promise<DemoFile> {
  if (environmentNames.every((name) => file[name].baseUrl === baseUrls[name])) return file;
  const moved = {
    production: { ...file.production, baseUrl: baseUrls.production },
    sandbox: { ...file.sandbox, baseUrl: baseUrls.sandbox },
  };
  await writeDemoFile(dataDirectory, moved);
  return moved;
}

/**
 * Sends all later events of the production demo organization to a URL. Every start updates and enables the same
 * endpoint.
 *
 * @param database the database of production
 */
export async function registerDemoWebhook(
  database: Database,
  url: string,
  now = new Date(),
): Promise<'registered' | 'no_demo'> {
  const { readPlatformFile } = await import('./read.ts');
  const { organizationId } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
  if (!(await hasOrganization(database, organizationId))) return 'no_demo';
  const id = derivedId('production', 'demo webhook', organizationId);
  await registerEndpoint(database, { id, organizationId, url, now });
  return 'registered';
}
