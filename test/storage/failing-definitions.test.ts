import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readWorkload } from '../../server/src/store/monitoring.ts';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';

const { database } = await openClone();
const now = new Date();
const { world, ...make } = await given(database, { now: () => now, forward: () => {} });

/** A definition with so many executions that ended some minutes ago, of which the first ones failed. */
async function definition(count: number, failed: number, minutesAgo = 1): Promise<string> {
  const { id } = await make.workflowDefinition({ workspace: world.workspace });
  await sql`
    insert into executions (id, workspace_id, workflow_definition_id, definition_revision_id, name, revision, locale,
      parameters, execution_type, origin, result_origin, status, expires_at, deadline_at, ended_at)
    select gen_random_uuid(), ${world.workspace.id}, ${id}, r.id, 'a', '1', 'en', '{}', 'BACKGROUND', '{}', '{}',
      case when place <= ${failed} then 'FAILED' else 'COMPLETED' end, ${now}, ${now},
      ${new Date(now.getTime() - minutesAgo * 60_000)}
    from definition_revisions r, generate_series(1, ${count}) place where r.workflow_definition_id = ${id}`.execute(
    database,
  );
  return id;
}
const failing = async () => (await readWorkload(database, now)).failingDefinitions;

test('definitions are those with failures within an hour, with all that ended', async () => {
  const id = await definition(5, 2);
  await definition(5, 0);
  await definition(5, 5, 61);
  expect(await failing()).toEqual([
    { definition: id, name: expect.stringMatching(/./), failed: 2, ended: 5 },
  ]);
  await database.deleteFrom('executions').execute();
});

test('the 20 with most failures are named, and the others are one', async () => {
  const ids: string[] = [];
  for (let failed = 25; failed > 0; failed--) ids.push(await definition(30, failed));
  const found = await failing();
  const other = { definition: 'other', name: 'other', failed: 1 + 2 + 3 + 4 + 5, ended: 5 * 30 };
  expect(found).toHaveLength(21);
  expect(found.find((one) => one.definition === 'other')).toEqual(other);
  const named = found.filter((one) => one.definition !== 'other').map((one) => one.definition);
  expect(named.toSorted()).toEqual(ids.slice(0, 20).toSorted());
  await database.deleteFrom('executions').execute();
});

test('only the last 10,000 executions are looked at', async () => {
  await definition(100, 100, 2);
  const latest = await definition(10_000, 1);
  expect(await failing()).toEqual([
    { definition: latest, name: expect.any(String), failed: 1, ended: 10_000 },
  ]);
});
