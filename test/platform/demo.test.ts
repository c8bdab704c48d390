import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLocalBlobs } from '../../server/blobs/index.ts';
import { type EnvironmentName, environmentNames } from '../../server/src/config.ts';
import { secretDigest } from '../../server/src/domain/organization-token.ts';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { type DemoOptions, prepareDemo } from '../../server/src/manifest/demo.ts';
import { builtInRoles } from '../../server/src/manifest/platform-file.ts';
import { parsePlatformFile, readPlatformFile } from '../../server/src/manifest/read.ts';
import { serverKeyOf } from '../../server/src/security/server-key.ts';
import { decideAccess } from '../../server/src/store/access.ts';
import { listAttachments } from '../../server/src/store/attachments.ts';
import { createOrganizationToken } from '../../server/src/store/credentials.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { listHistory } from '../../server/src/store/execution-history.ts';
import { listMemberships } from '../../server/src/store/memberships.ts';
import { listRoles, listWorkspaceRoles, listWorkspaces } from '../../server/src/store/organization.ts';
import { findParameterSet } from '../../server/src/store/parameters.ts';
import { listUsers } from '../../server/src/store/users.ts';
import { bundle } from '../support/contract.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { smallPlatform } from './small-platform.ts';

const organizationId = '3d6f0a52-8c1e-4b7d-9a20-5e4f3c2b1a01';
const demoPlatform = join(import.meta.dirname, '../../server/demo/platform.yaml');
const motorClaims = '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01';

/** Two empty environments and a data directory. */
async function installation() {
  const cloned = await cloneDatabase();
  const dataDirectory = await mkdtemp(join(temporaryRoot(), 'wrp-demo-'));
  const environments = await Promise.all(
    environmentNames.map(async (name) => ({
      name,
      database: openDatabase({ connection: cloned.connectionString, schema: name, poolSize: 2 }),
      blobs: await openLocalBlobs(join(dataDirectory, 'blobs', name)),
      // No worker runs here.
      jobs: { enqueue: async () => {} },
    })),
  );
  atEnd(async () => {
    for (const { database } of environments) await database.destroy();
    await rm(dataDirectory, { recursive: true });
  });
  const baseUrls = { production: 'http://127.0.0.1:8080', sandbox: 'http://127.0.0.1:8081' };
  const file = join(dataDirectory, 'demo.json');
  return {
    environments,
    baseUrls,
    serverKey: serverKeyOf(Buffer.alloc(32)),
    contract: bundle,
    dataDirectory,
    file,
  };
}

const databaseOf = ({ environments }: Pick<DemoOptions, 'environments'>, name: EnvironmentName) =>
  environments.find((environment) => environment.name === name)?.database as Database;

const callerOf = (demo: Pick<DemoOptions, 'environments'>, name: EnvironmentName, token: string) =>
  decideAccess(
    databaseOf(demo, name),
    { scheme: 'organizationToken', sha256: secretDigest(token) },
    { name: 'organization' },
    'can_manage_users',
  );

/** The value of a named example of the contract. */
function example(name: string): unknown {
  const examples = bundle.components['examples'] as Record<string, { value: unknown }>;
  return examples[name]?.value;
}

describe('the demo', () => {
  let demo: Awaited<ReturnType<typeof installation>>;
  beforeAll(async () => {
    demo = await installation();
    expect((await prepareDemo(demo)).kind).toBe('created');
  });

  test('writes demo.json, readable by its owner only, for both environments', async () => {
    const content = JSON.parse(await readFile(demo.file, 'utf8'));
    expect((await stat(demo.file)).mode & 0o777).toBe(0o600);
    const definitions = Object.fromEntries(
      ['echo', 'wait', 'fail', 'large', 'steps', 'claim', 'inspection', 'http', 'file'].map((name) => [
        name,
        expect.any(String),
      ]),
    );
    const shape = (baseUrl: string) => ({
      baseUrl,
      organizationToken: expect.stringMatching(/^tot_/),
      memberToken: expect.stringMatching(/^tot_/),
      apiKey: expect.stringMatching(/^wrpk_/),
      apiSecret: expect.stringMatching(/^wrps_/),
      ...Object.fromEntries(
        ['workspaceId', 'tableId', 'recordId', 'caseId', 'userId', 'workflowDefinitionId'].map((name) => [
          name,
          expect.any(String),
        ]),
      ),
      definitions,
    });
    expect(content).toEqual({
      production: shape('http://127.0.0.1:8080'),
      sandbox: shape('http://127.0.0.1:8081'),
    });
    expect(content.production.workflowDefinitionId).toBe(content.production.definitions.echo);
    // The same objects have the same ids, which the examples use; what gives access to one opens nothing of the other.
    const shared = [
      'workspaceId',
      'tableId',
      'recordId',
      'caseId',
      'userId',
      'workflowDefinitionId',
      'definitions',
    ];
    const same = Object.keys(content.sandbox).filter((name) =>
      isDeepStrictEqual(content.sandbox[name], content.production[name]),
    );
    expect(same.sort()).toEqual(shared.sort());
  });

  test.each(['production', 'sandbox'] as const)(
    '%s: its tokens are an owner’s and a member’s of one workspace',
    async (name) => {
      const content = JSON.parse(await readFile(demo.file, 'utf8'))[name];
      const database = databaseOf(demo, name);
      const owner = await callerOf(demo, name, content.organizationToken);
      expect(owner).toMatchObject({ kind: 'granted', caller: { organizationRole: 'owner' } });
      const member = await callerOf(demo, name, content.memberToken);
      expect(member).toMatchObject({ kind: 'denied', caller: { organizationRole: 'member' } });
      if (member.kind === 'unknown_caller') throw new Error('The member is unknown.');
      const workspaces = await listWorkspaces(database, member.caller);
      expect(workspaces.map(({ id }) => id)).toEqual([content.workspaceId]);
      expect(content.userId).not.toBe(member.caller.userId);
      const { content: users } = await listUsers(database, member.caller.organizationId, {
        page: 0,
        size: 100,
      });
      const roles = await listRoles(database, member.caller.organizationId);
      const other = users.find(({ id }) => id === content.userId);
      expect(other?.profile.status).toBe('ACTIVE');
      expect(roles.find(({ id }) => id === other?.roleId)?.name).toBe('member');
    },
  );

  test.each(environmentNames)('%s: its ended execution ran as its definition does', async (name) => {
    const database = databaseOf(demo, name);
    const ended = await database
      .selectFrom('executions')
      .select(['id', 'created_at', 'ended_at'])
      .where('ended_at', 'is not', null)
      .execute();
    expect(ended).toHaveLength(1);
    for (const { id, created_at, ended_at } of ended) {
      const { content } = await listHistory(database, id, { after: undefined, size: 100 });
      expect(content[0]).toMatchObject({ state: 'Register', createdDateTime: created_at.toISOString() });
      expect(content.filter(({ branch }) => branch).map(({ state }) => state)).toEqual([
        ...['Wait for the assessor', 'Cover', 'Wait for the assessor', 'Damage'],
      ]);
      expect(content.at(-1)).toMatchObject({
        type: 'STATE_COMPLETED',
        state: 'Closed',
        createdDateTime: ended_at?.toISOString(),
        output: { value: example('claimProcessedResult') },
      });
    }
  });

  test('has the permissions of the built-in roles that the example of the contract shows', async () => {
    const database = databaseOf(demo, 'production');
    const stored = await listWorkspaceRoles(database, motorClaims);
    const shown = example('motorClaimsRoles') as typeof stored;
    const idIn = (roles: typeof stored, role: string, relation: string) =>
      roles
        .find(({ name }) => name === role)
        ?.permissions.find((permission) => permission.relation === relation)?.id;
    const problems = builtInRoles.flatMap(({ name, relations }) =>
      relations.flatMap((relation) => {
        const id = idIn(shown, name, relation);
        if (id === undefined)
          return `add ${relation} with a new id to ${name} in motorClaimsRoles of spec/examples/organization.yaml`;
        if (id === idIn(stored, name, relation)) return [];
        return `set ${relation}: ${id} in permissionIds of ${name} in server/demo/platform.yaml`;
      }),
    );
    expect(problems).toEqual([]);
  });

  test('has the objects of the examples of the contract', async () => {
    const database = databaseOf(demo, 'production');
    const expectExample = (stored: unknown, name: string) =>
      expect(
        stored,
        `the demo and the example ${name} must be the same: change server/demo/platform.yaml or spec/examples/`,
      ).toEqual(example(name));
    expectExample(await listUsers(database, organizationId, { page: 0, size: 2 }), 'firstPageOfUsers');
    expectExample(await listRoles(database, organizationId), 'organizationRoles');
    const owner = { organizationId, organizationRole: 'owner' } as Parameters<typeof listWorkspaces>[1];
    expectExample(await listWorkspaces(database, owner), 'allWorkspaces');
    expectExample(await listWorkspaceRoles(database, motorClaims), 'motorClaimsRoles');
    expectExample(
      await listMemberships(database, { organizationId, workspaceId: motorClaims }),
      'motorClaimsMemberships',
    );
    const record = {
      tableId: '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01',
      recordId: '2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01',
    };
    expectExample(await listAttachments(database, record), 'photoAndReport');
    expectExample(
      await findParameterSet(database, '8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101', new Date()),
      'claimDefaultsParameterSet',
    );
  });
});

describe('a later start', () => {
  test('keeps the file and follows a changed port', async () => {
    const demo = await installation();
    const first = await prepareDemo(demo);
    const baseUrls = { ...demo.baseUrls, sandbox: 'http://127.0.0.1:9' };
    const second = await prepareDemo({ ...demo, baseUrls });
    expect(second.kind).toBe('kept');
    const content = JSON.parse(await readFile(demo.file, 'utf8'));
    expect(content.sandbox.baseUrl).toBe('http://127.0.0.1:9');
    expect(first).toMatchObject({
      file: { sandbox: { organizationToken: content.sandbox.organizationToken } },
    });
  });

  test.each([
    ['missing', (file: string) => rm(file)],
    ['cut short', (file: string) => writeFile(file, '{"production": {')],
    ['incomplete', (file: string) => writeFile(file, '{"production": {}}')],
  ])('creates new credentials if the file is %s, and revokes the old ones', async (_how, harm) => {
    const demo = await installation();
    const first = await prepareDemo(demo);
    await harm(demo.file);
    const second = await prepareDemo(demo);
    if (first.kind === 'absent' || second.kind !== 'recovered')
      throw new Error(`not recovered: ${second.kind}`);
    const before = await callerOf(demo, 'production', first.file.production.organizationToken);
    const after = await callerOf(demo, 'production', second.file.production.organizationToken);
    expect([before.kind, after.kind]).toEqual(['unknown_caller', 'granted']);
    expect(JSON.parse(await readFile(demo.file, 'utf8'))).toEqual(second.file);
  });

  test('completes a first start that ended between the environments', async () => {
    const demo = await installation();
    const file = await readPlatformFile(demoPlatform);
    const database = databaseOf(demo, 'production');
    await applyPlatform({ database, environment: 'production', file });
    const outcome = await prepareDemo(demo);
    if (outcome.kind !== 'recovered') throw new Error(`not recovered: ${outcome.kind}`);
    const access = await callerOf(demo, 'sandbox', outcome.file.sandbox.organizationToken);
    expect(access.kind).toBe('granted');
    expect(await databaseOf(demo, 'production').selectFrom('resources').select('name').execute()).toEqual([
      { name: 'policy-terms.pdf' },
    ]);
  });

  test('neither counts nor revokes credentials of others that have the same name, nor revokes its own twice', async () => {
    const demo = await installation();
    const database = databaseOf(demo, 'production');
    const others = parsePlatformFile(smallPlatform, 'p.yaml');
    for (const file of [await readPlatformFile(demoPlatform), others])
      await applyPlatform({ database, environment: 'production', file });
    const stranger = await database
      .selectFrom('users as u')
      .innerJoin('workspaces as w', 'w.organization_id', 'u.organization_id')
      .select(['u.id as userId', 'w.id as homeWorkspaceId'])
      .where('u.organization_id', '!=', organizationId)
      .executeTakeFirstOrThrow();
    await createOrganizationToken(database, { ...stranger, name: 'Demo' }, new Date());

    const starts = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));
    for (const now of starts) {
      await rm(demo.file, { force: true });
      await prepareDemo({ ...demo, now });
    }
    expect(await database.selectFrom('resources').select('name').execute()).toEqual([
      { name: 'policy-terms.pdf' },
    ]);
    const tokens = await database
      .selectFrom('organization_tokens')
      .select(['user_id', 'revoked_at'])
      .where('name', '=', 'Demo')
      .orderBy('created_at')
      .execute();
    const revocations = (isStranger: boolean) =>
      tokens
        .filter(({ user_id }) => (user_id === stranger.userId) === isStranger)
        .map((token) => token.revoked_at);
    const [, second, third] = starts;
    expect(revocations(true)).toEqual([null]);
    expect(revocations(false)).toEqual([second, second, third, third, null, null]);
  });

  test('does not use the file of another database', async () => {
    const [one, other] = [await installation(), await installation()];
    await prepareDemo(one);
    await prepareDemo(other);
    await writeFile(one.file, await readFile(other.file));
    expect((await prepareDemo(one)).kind).toBe('recovered');
  });

  test('does not change an operator’s own platform', async () => {
    const demo = await installation();
    const database = databaseOf(demo, 'production');
    await applyPlatform({
      database,
      environment: 'production',
      file: parsePlatformFile(smallPlatform, 'p.yaml'),
    });
    expect(await prepareDemo(demo)).toEqual({ kind: 'absent' });
    await expect(stat(demo.file)).rejects.toThrow('ENOENT');
  });
});
