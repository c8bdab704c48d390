import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../server/src/store/database.ts';

/** The ids of definitions by the number of their states, which only pass on their input. */
export type Definitions = Record<'one' | 'three' | 'ten', string>;

/** Adds the definitions of the benchmark to a workspace. */
export async function insertDefinitions(database: Database, workspaceId: string): Promise<Definitions> {
  return {
    one: await insertDefinition(database, workspaceId, 1),
    three: await insertDefinition(database, workspaceId, 3),
    ten: await insertDefinition(database, workspaceId, 10),
  };
}

async function insertDefinition(database: Database, workspaceId: string, steps: number): Promise<string> {
  const id = randomUUID();
  const passes = Array.from({ length: steps - 1 }, (_, index) => [
    `Step${index + 1}`,
    {
      Type: 'Pass',
      Output: { step: index + 1, parameters: '{% $states.context.Execution.Input.parameters %}' },
      Next: `Step${index + 2}`,
    },
  ]);
  const last = { Type: 'Succeed', Output: { claim: '{% $states.context.Execution.Input.parameters %}' } };
  const document = {
    QueryLanguage: 'JSONata',
    StartAt: 'Step1',
    States: { ...Object.fromEntries(passes), [`Step${steps}`]: last },
  };
  const definition = { id, workspace_id: workspaceId, name: `Bench, ${steps} steps`, revision: '1' };
  await database.insertInto('workflow_definitions').values(definition).execute();
  await database
    .insertInto('definition_revisions')
    .values({
      id: randomUUID(),
      workflow_definition_id: id,
      revision: '1',
      document: JSON.stringify(document),
      input_schema: '{"type":"object"}',
      ui_options: '{}',
    })
    .execute();
  return id;
}

export const parameters = {
  claimNumber: 'C-2026-004711',
  currency: 'EUR',
  amount: 1840.5,
  priority: 'standard',
  claimant: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada.lovelace@example.com' },
};

/** The columns that all executions share, after id and status. */
const shared = sql`d.workspace_id, d.id, r.id, d.name, d.revision, 'en', ${JSON.stringify(parameters)}::json,
  'BACKGROUND', json_build_object('workspaceId', d.workspace_id, 'type', 'API'), '{"type":"USER"}'::json`;
const sharedColumns = sql`workspace_id, workflow_definition_id, definition_revision_id, name, revision, locale,
  parameters, execution_type, origin, result_origin`;

/** Inserts started executions. @returns the ids of their threads, which have no jobs yet */
export async function insertStarted(
  transaction: Database,
  definitionId: string,
  count: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with started as (
      insert into executions (id, status, ${sharedColumns}, expires_at, deadline_at)
      select gen_random_uuid(), 'RUNNING', ${shared}, now() + interval '30 days', now() + interval '30 days'
      from workflow_definitions d join definition_revisions r on r.workflow_definition_id = d.id,
        generate_series(1, ${count}::integer)
      where d.id = ${definitionId}
      returning id)
    insert into threads (id, execution_id, scope, frame, status)
    select gen_random_uuid(), id, '[]', 'null', 'ready' from started returning id`.execute(transaction);
  return rows.map(({ id }) => id);
}

const batchSize = 10_000;

/**
 * Inserts executions that ended over the last thirty days, each with its result, history, and events of its start and
 * end, vacuumed as such rows are.
 *
 * @param entries history entries of each
 */
export async function insertEnded(
  database: Database,
  definitionId: string,
  count: number,
  entries = 3,
): Promise<void> {
  for (let inserted = 0; inserted < count; inserted += batchSize) {
    await sql`
      with ended as (
        insert into executions (id, status, ${sharedColumns}, version, expires_at, deadline_at, created_at, ended_at,
          result_bytes, result_size, result_sha256)
        select gen_random_uuid(), 'COMPLETED', ${shared}, 2, at + interval '30 days', at + interval '30 days', at,
          at + interval '2 seconds', result, length(result), sha256(result)
        from workflow_definitions d join definition_revisions r on r.workflow_definition_id = d.id,
          (select now() - random() * interval '29 days' as at, convert_to(${JSON.stringify(parameters)}, 'UTF8') as result
            from generate_series(1, ${Math.min(batchSize, count - inserted)}::integer)) as executed
        where d.id = ${definitionId}
        returning id, workspace_id, workflow_definition_id, created_at, ended_at),
      history as (
        insert into execution_history (execution_id, thread_id, at, kind, state, detail)
        select id, gen_random_uuid(), created_at, 'state', 'Step' || entry, json_build_object('type', 'Pass',
          'enteredAt', created_at, 'input', ${JSON.stringify(parameters)}::json, 'output', ${JSON.stringify(parameters)}::json)
        from ended, generate_series(1, ${entries}::integer) as entry)
      insert into events (id, type, organization_id, workspace_id, data, created_at, relayed_at)
      select gen_random_uuid(), kind, w.organization_id, w.id, json_build_object('workflowId', ended.id,
        'workflowDefinitionId', ended.workflow_definition_id, 'executionType', 'BACKGROUND', 'executionVersion', 2),
        ended.ended_at, ended.ended_at
      from ended join workspaces w on w.id = ended.workspace_id,
        unnest(array['workflow.started', 'workflow.completed']) as kind`.execute(database);
  }
  for (const table of ['executions', 'execution_history', 'events'])
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(database);
}
