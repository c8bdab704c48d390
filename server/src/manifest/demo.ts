import { join } from 'node:path';
import { type EnvironmentName, environmentNames } from '../config.ts';
import { secretDigest } from '../domain/organization-token.ts';
import { createApiKey, createOrganizationToken } from '../store/credentials.ts';
import type { Database } from '../store/database.ts';
import { applyPlatform } from './apply.ts';
import { type DemoFile, type DemoSecrets, readDemoFile, writeDemoFile } from './demo-file.ts';
import { type DemoFixtures, demoFixtures } from './demo-fixtures.ts';
import { type ReadPlatformFile, readPlatformFile } from './read.ts';

/** Where the demo is to be had. */
export type DemoEnvironments = Record<EnvironmentName, { database: Database; baseUrl: string }>;

/**
 * - `created`: nothing was there, now the demo is
 * - `recovered`: the demo was there without a whole `demo.json`, and has new credentials
 * - `kept`: the demo was there; its addresses are up to date
 * - `absent`: an organization of the operator's own is there, and nothing was touched
 */
export type DemoOutcome = { kind: 'created' | 'recovered' | 'kept'; file: DemoFile } | { kind: 'absent' };

export const demoPlatformFile = join(import.meta.dirname, '../../demo/platform.yaml');
const credentialName = 'Demo';

/**
 * Sees to it that a new installation has something to show: where production holds no organization, the demo's file
 * is applied, and `demo.json` in the data directory says how to try it out. Cut short at any point, it is finished
 * at the next start.
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
  const empty = !(await hasOrganization(environments.production.database));
  const written = empty ? undefined : await readDemoFile(dataDirectory);
  if (written && (await isKnown(environments, written))) {
    return { kind: 'kept', file: await keepAddresses(environments, written, dataDirectory) };
  }

  const platform = await readPlatformFile(demoPlatformFile);
  const casts = {
    production: demoFixtures(platform, 'production'),
    sandbox: demoFixtures(platform, 'sandbox'),
  };
  const { database } = environments.production;
  if (!empty && !(await hasOrganization(database, casts.production.organizationId)))
    return { kind: 'absent' };

  for (const name of environmentNames)
    await applyOnce(environments[name].database, name, platform, casts[name], now);
  const file = {
    production: await describe(environments.production, casts.production, now),
    sandbox: await describe(environments.sandbox, casts.sandbox, now),
  };
  await writeDemoFile(dataDirectory, file);
  return { kind: empty ? 'created' : 'recovered', file };
}

async function hasOrganization(database: Database, id?: string): Promise<boolean> {
  let query = database.selectFrom('organizations').select('id').limit(1);
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Never over a demo that is there: what people have changed in it since is theirs. */
async function applyOnce(
  database: Database,
  environment: EnvironmentName,
  file: ReadPlatformFile,
  { organizationId }: DemoFixtures,
  now: Date,
): Promise<void> {
  if (await hasOrganization(database, organizationId)) return;
  await applyPlatform({ database, environment, file, now });
}

async function describe(
  { database, baseUrl }: DemoEnvironments[EnvironmentName],
  cast: DemoFixtures,
  now: Date,
): Promise<DemoFile[EnvironmentName]> {
  return { baseUrl, ...(await renewCredentials(database, cast, now)), ...cast.ids };
}

/** Those of a start that was cut short before it wrote them down are of no use to anybody, and end. */
async function renewCredentials(database: Database, cast: DemoFixtures, now: Date): Promise<DemoSecrets> {
  return database.transaction().execute(async (transaction) => {
    for (const table of ['organization_tokens', 'api_keys'] as const) {
      await transaction
        .updateTable(table)
        .set({ revoked_at: now })
        .where('user_id', 'in', [cast.ownerId, cast.memberId])
        .where('name', '=', credentialName)
        .where('revoked_at', 'is', null)
        .execute();
    }
    const of = (userId: string) => ({ userId, homeWorkspaceId: cast.ids.workspaceId, name: credentialName });
    const owner = await createOrganizationToken(transaction, of(cast.ownerId), now);
    const member = await createOrganizationToken(transaction, of(cast.memberId), now);
    const { key, secret } = await createApiKey(transaction, of(cast.ownerId), now);
    return { organizationToken: owner.token, memberToken: member.token, apiKey: key, apiSecret: secret };
  });
}

/** Whether the file tells of these databases. A credential that was revoked since counts: that was somebody's will. */
async function isKnown(environments: DemoEnvironments, file: DemoFile): Promise<boolean> {
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

/** The ports may be others than at the last start. */
async function keepAddresses(
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
