import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { usageOf } from '../../server/src/store/usage.ts';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { bodyOf } from '../support/responses.ts';
import { runWrp, wrpOn } from '../support/wrp.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

const { connectionString } = await cloneDatabase();
const platform = await api({ databaseUrl: connectionString });
const { owner, stranger, database, world } = platform;
const workflows = workflowsOf(platform);
const wrp = wrpOn(connectionString);

const path = { tableId: world.table.id, recordId: world.record.id };
const attach = (size: number) =>
  owner.POST('/tables/{tableId}/records/{recordId}/attachments', {
    params: { path },
    body: { file: new File(['x'.repeat(size)], 'a.txt') },
  });
const upload = async (name: string, by = owner) => {
  const body = { file: new File(['terms'], name) };
  return ((await bodyOf(201, by.POST('/resources', { body }))) as { resourceId: string }).resourceId;
};

await attach(1_000);
await attach(2_000);
const old = await upload('old.pdf');
await database
  .updateTable('resources')
  .set({ created_at: new Date(Date.now() - 401 * 86_400_000) })
  .where('id', '=', old)
  .execute();
const recent = await upload('recent.pdf');
await database.updateTable('resources').set({ created_at: new Date() }).where('id', '=', recent).execute();
const foreign = await upload('foreign.pdf', stranger);
await database
  .updateTable('resources')
  .set({ name: 'evil\u001b[2J.pdf' })
  .where('id', '=', foreign)
  .execute();
await workflows.runningExecution();
await workflows.executionWithResult();
const definition = { workflowDefinitionId: await workflows.definitionId() };
await bodyOf(201, owner.POST('/parameters', { body: { ...definition, parameters: {} } }));
await bodyOf(
  201,
  owner.POST('/link', { body: { ...definition, caseId: await workflows.caseWithContact() } }),
);
const { rows: organizations } = await sql<{ id: string; name: string }>`
  select id, name from organizations where id = ${world.organization.id}`.execute(database);
const { id, name } = organizations[0] as { id: string; name: string };

describe('wrp usage', () => {
  test('--json prints every number of every organization', async () => {
    const { stdout, status, stderr } = await wrp('usage', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const all = JSON.parse(stdout) as { environment: string; organization: { id: string } }[];
    expect(all).toHaveLength(2);
    expect(all.find(({ organization }) => organization.id === id)).toEqual({
      environment: 'production',
      organization: { id, name },
      users: 4,
      workspaces: 2,
      membersMax: 1,
      records: 1,
      attachments: { count: 2, bytes: 3_000 },
      resources: { count: 2, bytes: 10 },
      executions: { RUNNING: 1, COMPLETED: 1, FAILED: 0, CANCELLED: 0, EXPIRED: 0 },
      links: 1,
      parameterSets: 1,
      // The events of the attachments, the resources, the parameter set and the link.
      events: 6,
      deliveries: 0,
      estimated: [],
      storage: { bytes: 3_010, quota: null },
    });
  });

  test('prints a table with the used part of the quota', async () => {
    const env = { DATABASE_URL: connectionString, STORAGE_QUOTA_BYTES: '10000' };
    const { stdout, status } = await runWrp(['usage', '--organization', name], { env });
    expect(status).toBe(0);
    expect(stdout).toContain(`${name} (production, ${id})`);
    expect(stdout).toMatch(/^ {2}attachments +2 \(3\.00 kB\)$/m);
    expect(stdout).toMatch(/^ {2}storage +3\.01 kB, 30 % of 10\.0 kB$/m);
    expect(stdout).toMatch(/^ {2}executions +1 running, 1 completed, 0 failed, 0 cancelled, 0 expired$/m);
    expect(stdout).not.toContain(world.strangersOrganization.id);
  });

  test('reports an error in one line', async () => {
    const unknown = await wrp('usage', '--organization', 'Nobody');
    expect(unknown).toMatchObject({ status: 1, stderr: 'There is no organization Nobody.\n' });
    const env = { DATABASE_URL: connectionString, STORAGE_QUOTA_BYTES: 'much' };
    const { status, stderr } = await runWrp(['usage'], { env });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'STORAGE_QUOTA_BYTES must be a whole number from 1 to 999999999999999, not "much".\n',
    });
  });

  test('estimates large tables from a sample', async () => {
    await sql`insert into records (id, table_id, name) select gen_random_uuid(), ${world.table.id}, 'R'
      from generate_series(1, 20000)`.execute(database);
    await sql`analyze records`.execute(database);
    const usage = (await usageOf(database, 10_000)).find(({ organization }) => organization.id === id);
    expect(usage?.estimated).toEqual(['records']);
    expect(usage?.records).toBeGreaterThan(15_000);
    expect(usage?.records).toBeLessThan(25_000);
  });
});

describe('wrp resource', () => {
  test('list prints the oldest first, with filters and a limit', async () => {
    const listed = async (...args: string[]) =>
      (JSON.parse((await wrp('resource', 'list', '--json', ...args)).stdout) as { id: string }[]).map(
        (resource) => resource.id,
      );
    expect((await listed()).toSorted()).toEqual([old, recent, foreign].toSorted());
    expect(await listed('--organization', name)).toEqual([old, recent]);
    expect(await listed('--workspace', world.strangersWorkspace.id)).toEqual([foreign]);
    expect(await listed('--older-than', '400')).toEqual([old]);
    expect(await listed('--organization', id, '--limit', '1')).toEqual([old]);
    expect(JSON.parse((await wrp('resource', 'list', '--json', '--older-than', '400')).stdout)).toMatchObject(
      [{ name: 'old.pdf', size: 5, organization: { id, name }, createdBy: { email: world.owner.email } }],
    );
  });

  test('list prints no control characters', async () => {
    const { stdout } = await wrp('resource', 'list');
    expect(stdout).toContain('recent.pdf');
    expect(stdout).toContain('evil');
    expect(stdout).not.toContain('\u001b[2J');
  });

  test('delete removes resources and frees their storage', async () => {
    const { status, stderr } = await wrp('resource', 'delete', old, recent.toUpperCase());
    expect({ status, stderr }).toEqual({ status: 0, stderr: '2 deleted (10 B).\n' });
    await bodyOf(404, owner.fetch(`/resources/${old}`));
    const { resources, resource_bytes } = await database
      .selectFrom('organization_storage')
      .selectAll()
      .where('organization_id', '=', id)
      .executeTakeFirstOrThrow();
    expect({ resources, resource_bytes }).toEqual({ resources: 0, resource_bytes: 0 });
  });

  test('delete reports unknown resources and deletes the others', async () => {
    const unknown = randomUUID();
    const ended = await wrp('resource', 'delete', unknown, foreign);
    expect(ended).toMatchObject({
      status: 1,
      stderr: `1 deleted (5 B).\nThere is no resource ${unknown} in production.\n`,
    });
    expect((await wrp('resource', 'delete', 'x')).stderr).toBe('There is no resource x in production.\n');
  });
});
