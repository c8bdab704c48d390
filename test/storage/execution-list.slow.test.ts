import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertEnded } from '../../scripts/bench/executions/rows.ts';
import { listExecutions } from '../../server/src/store/execution-list.ts';
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
  const blocks = async () => {
    // At the end of this statement.
    await sql`select pg_stat_force_next_flush()`.execute(database);
    const { rows } = await sql<{ blocks: number }>`
      select heap_blks_read + heap_blks_hit as blocks from pg_statio_user_tables
      where relname = 'executions'`.execute(database);
    return rows[0]?.blocks ?? 0;
  };
  const before = await blocks();
  for (const definition of ['renamed', few])
    expect(await listExecutions(database, { definition, limit: 10 })).toHaveLength(2);
  expect((await blocks()) - before).toBeLessThan(50);
});
