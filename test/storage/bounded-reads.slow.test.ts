import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertEnded, insertStarted } from '../../scripts/laboratory/bench/executions/rows.ts';
import type { Database } from '../../server/src/store/database.ts';
import { listExecutions } from '../../server/src/store/execution-list.ts';
import { waitsOf } from '../../server/src/store/execution-waits.ts';
import { endExecutions } from '../../server/src/store/executions.ts';
import { listMemberships } from '../../server/src/store/memberships.ts';
import { loadThreads } from '../../server/src/store/threads.ts';
import { definitionOf } from '../support/definitions.ts';
import { type Clock, given as givenIn } from '../support/given.ts';
import { emptyDatabase } from '../support/postgres.ts';

const database = await emptyDatabase();
const clock: Clock = { now: () => new Date('2026-11-19T09:00:00.000Z'), forward: () => {} };
const given = await givenIn(database, clock);
const { workspace } = given.world;
const define = async (name: string) =>
  (
    await given.workflowDefinition({
      workspace,
      name,
      definition: definitionOf({ Done: { Type: 'Succeed' } }),
    })
  ).id;

test('executions of a definition are found under its current name, without reading those of others', async () => {
  const [many, few] = [await define('many'), await define('few')];
  await insertEnded(database, many, 20_000, 0);
  await insertEnded(database, few, 2, 0);
  await database.updateTable('workflow_definitions').set({ name: 'renamed' }).where('id', '=', few).execute();
  const before = await blocksOf('executions');
  for (const definition of ['renamed', few])
    expect((await listExecutions(database, { definition }, { size: 10 })).content).toHaveLength(2);
  expect((await blocksOf('executions')) - before).toBeLessThan(50);
});

test('members of a workspace are found without reading the roles of others', async () => {
  const { organization } = given.world;
  // So many that the planner knows only how many members and roles a workspace has on average.
  await sql`
    with many as (
      insert into workspaces (id, organization_id, name, description, type)
      select gen_random_uuid(), ${organization.id}, 'Depot ' || n, '', 'LIVE' from generate_series(1, 120) n
      returning id),
    roles as (
      insert into workspace_roles (id, workspace_id, name, description, type)
      select gen_random_uuid(), id, n, '', 'CUSTOM' from many, generate_series(0, 9) n
      returning id, workspace_id, name),
    people as (
      insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title)
      select gen_random_uuid(), organization_id, n || '@depot.example', gen_random_uuid(), role_id,
        gen_random_uuid(), n % 10, 'B', '' from users, generate_series(1, 300) n
      where users.id = ${given.world.owner.id} returning id, first_name)
    insert into memberships (workspace_id, user_id, role_id)
    select r.workspace_id, p.id, r.id from roles r join people p on p.first_name = r.name
  `.execute(database);
  await sql`analyze workspace_roles, memberships, users`.execute(database);
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  await database.connection().execute(async (connection) => {
    const before = await blocksOf('workspace_roles', connection);
    for (let time = 0; time < 10; time++)
      expect((await listMemberships(connection, place)).directMemberships).toHaveLength(1);
    expect((await blocksOf('workspace_roles', connection)) - before).toBeLessThan(50);
  });
});

test('executions continue and end without reading the others that run', async () => {
  const definition = await define('ending');
  await database.connection().execute(async (connection) => {
    const endSome = async (threadIds: string[]) => {
      const threads = await loadThreads(
        connection,
        threadIds.map((threadId) => ({ threadId, turn: 0 })),
      );
      const ended = await endExecutions(
        connection,
        threads.map((thread) => ({
          executionId: thread?.executionId ?? '',
          status: 'FAILED',
          failure: { error: 'A', cause: '' },
          now: clock.now(),
        })),
      );
      expect(ended.filter((end) => end)).toHaveLength(threadIds.length);
    };
    // The connection keeps the plans of its statements, made while few run.
    for (let time = 0; time < 8; time++) await endSome(await insertStarted(connection, definition, 1));
    const threads = await insertStarted(connection, definition, 20_000);
    const before = await blocksOfAll(connection);
    await endSome(threads.slice(0, 10));
    expect((await blocksOfAll(connection)) - before).toBeLessThan(1_000);
  });
});

test('what executions wait for is found without reading all of their threads', async () => {
  const [threadId = ''] = await insertStarted(database, await define('mapping'), 1);
  await sql`
    insert into threads (id, execution_id, parent_id, position, scope, frame, status)
    select gen_random_uuid(), execution_id, id, n, '[]', 'null', 'queued' from threads, generate_series(1, 20000) n
    where id = ${threadId}`.execute(database);
  await sql`update threads set status = 'waiting', awaiting = 'fork' where id = ${threadId}`.execute(
    database,
  );
  await sql`vacuum analyze threads`.execute(database);
  const thread = await database
    .selectFrom('threads')
    .select('execution_id')
    .where('id', '=', threadId)
    .executeTakeFirstOrThrow();
  await database.connection().execute(async (connection) => {
    const before = await entriesRead(connection);
    await waitsOf(connection, [thread.execution_id]);
    expect((await entriesRead(connection)) - before).toBeLessThanOrEqual(50);
  });
});

/** Counts the entries read of the index of the threads of executions. */
async function entriesRead(connection: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(connection);
  const { rows } = await sql<{ entries: number }>`
    select idx_tup_read::float8 as entries from pg_stat_user_indexes where indexrelname = 'threads_execution'`.execute(
    connection,
  );
  return rows[0]?.entries ?? 0;
}

/** Counts the blocks of executions and threads, with their indexes. */
async function blocksOfAll(connection: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(connection);
  const { rows } = await sql<{ blocks: number }>`
    select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as blocks
    from pg_statio_user_tables where relname in ('executions', 'threads')`.execute(connection);
  return rows[0]?.blocks ?? 0;
}

/** @param connection the one that reads, which reports what it has read */
async function blocksOf(table: string, connection = database): Promise<number> {
  // At the end of this statement.
  await sql`select pg_stat_force_next_flush()`.execute(connection);
  const { rows } = await sql<{ blocks: number }>`
    select heap_blks_read + heap_blks_hit as blocks from pg_statio_user_tables
    where relname = ${table}`.execute(connection);
  return rows[0]?.blocks ?? 0;
}
