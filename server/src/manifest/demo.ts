import { join } from 'node:path';
import { type EnvironmentName, environmentNames } from '../config.ts';
import { secretDigest } from '../domain/organization-token.ts';
import { createApiKey, createOrganizationToken } from '../store/credentials.ts';
import type { Database } from '../store/database.ts';
import { registerEndpoint } from '../store/webhook-endpoints.ts';
import { applyPlatform } from './apply.ts';
import { type DemoFile, type DemoSecrets, readDemoFile, writeDemoFile } from './demo-file.ts';
import { type DemoFixtures, demoFixtures } from './demo-fixtures.ts';
import { derivedId } from './derived-id.ts';
import { readPlatformFile } from './read.ts';

export type DemoEnvironments = Record<EnvironmentName, { database: Database; baseUrl: string }>;

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
 * Applies the demo's platform file if production has no organization, and writes its ids and credentials to `demo.json`
 * in the data directory. If it is interrupted, the next start completes it.
 */
export async function prepareDemo({
  environments,
  dataDirectory,
  now = new Date(),
}: {
  environments: DemoEnvironments;
  dataDirectory: string;
  now?: Date;
}): Promise<DemoOutcome> {
  const { production } = environments;
  const isEmpty = !(await hasOrganization(production.database));
  const written = isEmpty ? undefined : await readDemoFile(dataDirectory);
  if (written && (await matchesDatabases(environments, written))) {
    return { kind: 'kept', file: await updateBaseUrls(environments, written, dataDirectory) };
  }

  const platform = await readPlatformFile(demoPlatformFile);
  const fixtures = {
    production: demoFixtures(platform, 'production'),
    sandbox: demoFixtures(platform, 'sandbox'),
  };
  if (!isEmpty && !(await hasOrganization(production.database, fixtures.production.organizationId)))
    return { kind: 'absent' };

  for (const environment of environmentNames) {
    const { database } = environments[environment];
    // An existing demo may have been changed on purpose.
    if (await hasOrganization(database, fixtures[environment].organizationId)) continue;
    await applyPlatform({ database, environment, file: platform, now });
  }
  const describe = async (name: EnvironmentName) => {
    const { database, baseUrl } = environments[name];
    return { baseUrl, ...(await renewCredentials(database, fixtures[name], now)), ...fixtures[name].ids };
  };
  const file = { production: await describe('production'), sandbox: await describe('sandbox') };
  await writeDemoFile(dataDirectory, file);
  return { kind: isEmpty ? 'created' : 'recovered', file };
}

async function hasOrganization(database: Database, id?: string): Promise<boolean> {
  let query = database.selectFrom('organizations').select('id').limit(1);
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Also revokes the credentials of a start that was interrupted before it wrote them to `demo.json`. */
async function renewCredentials(
  database: Database,
  { ownerId, memberId, ids }: DemoFixtures,
  now: Date,
): Promise<DemoSecrets> {
  return database.transaction().execute(async (transaction) => {
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
  });
}

/** Whether the databases contain the credentials of the file. A revoked one counts: it was revoked on purpose. */
async function matchesDatabases(environments: DemoEnvironments, file: DemoFile): Promise<boolean> {
  for (const name of environmentNames) {
    const { database } = environments[name];
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
  environments: DemoEnvironments,
  file: DemoFile,
  dataDirectory: string,
): Promise<DemoFile> {
  if (environmentNames.every((name) => file[name].baseUrl === environments[name].baseUrl)) return file;
  const { production, sandbox } = environments;
  const moved = {
    production: { ...file.production, baseUrl: production.baseUrl },
    sandbox: { ...file.sandbox, baseUrl: sandbox.baseUrl },
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
  const { organizationId } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
  if (!(await hasOrganization(database, organizationId))) return 'no_demo';
  const id = derivedId('production', 'demo webhook', organizationId);
  await registerEndpoint(database, { id, organizationId, url, now });
  return 'registered';
}
