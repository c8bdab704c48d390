import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/src/store/database.ts';
import release from '../../spec/releases/3.3.0.json' with { type: 'json' };
import { api as startApi } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { secured } from '../sweeps/support/contract.ts';
import { requestsOf, toSend } from '../sweeps/support/requests.ts';

// Organizations share no rows, so they can be divided among several installations, or a cluster could distribute rows by
// organization. `spec/guides/capacity.md` says what that would take.

/** Rows of the whole installation, or of no object at all. */
const ofNoOrganization = [
  'blob_store',
  'deleted_blobs',
  'migration_lock',
  'migrations',
  'rate_leases',
  'server_key',
  'webhook_keys',
];

test('each table leads to an organization by its references', async () => {
  const { connectionString: connection } = await cloneDatabase();
  const database = openDatabase({ connection, schema: 'production', poolSize: 1 });
  const { rows: tables } = await sql<{ name: string; carries: boolean }>`
    select relname as name, exists (select from pg_attribute where attrelid = pg_class.oid
      and attname = 'organization_id') or relname = 'organizations' as carries
    from pg_class where relkind = 'r' and relnamespace = 'production'::regnamespace`.execute(database);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'production'::regnamespace`.execute(database);
  await database.destroy();

  const leading = new Set(tables.filter(({ carries }) => carries).map(({ name }) => name));
  for (let before = -1; before < leading.size; ) {
    before = leading.size;
    for (const { from, to } of references) if (leading.has(to)) leading.add(from);
  }
  expect(
    tables
      .map(({ name }) => name)
      .filter((name) => !leading.has(name))
      .sort(),
  ).toEqual(ofNoOrganization);
});

/** Whose statements all name the organization. Those of later releases come on top. */
const namingTheOrganization = [
  'cancelWorkflow',
  'getUser',
  'listCases',
  'listMemberships',
  'listOrganizationRoles',
  'listTables',
  'listUsers',
  'listWorkflowDefinitions',
  'listWorkflows',
  'listWorkspaces',
  'pollWebhookEvents',
  'startWorkflow',
  'updateUserProfile',
];

test('the statements of these operations name the organization, those of the others do not all', async () => {
  const api = await startApi();
  const requests = requestsOf(api);
  const released = new Set(
    Object.values(release.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId)),
  );
  const naming: string[] = [];
  for (const operation of secured.filter(({ id }) => released.has(id))) {
    const valid = await requests.valid(operation);
    api.statements.length = 0;
    await requests.send(toSend(valid));
    const statements = api.statements.filter((text) => /\b(?:from|into|update)\b/.test(text));
    expect(statements, operation.id).not.toEqual([]);
    if (statements.every((text) => text.includes('organization'))) naming.push(operation.id);
  }
  expect(naming.sort()).toEqual(namingTheOrganization);
});
