import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { NewParameterSet, ParameterSet } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import type { Database } from './database.ts';

/** Keeps parameters as given. @returns the set, and the workspace of its definition */
export async function createParameterSet(
  database: Database,
  { workflowDefinitionId, parameters }: NewParameterSet,
  caller: Caller,
  now: Date,
): Promise<{ parameterSet: ParameterSet; workspaceId: string }> {
  const parametersId = randomUUID();
  const { rows } = await sql<{ workspace_id: string }>`
    with definition as (select id, workspace_id from workflow_definitions where id = ${workflowDefinitionId}),
      added as (
        insert into parameter_sets (id, workflow_definition_id, parameters, created_by, created_at)
        select ${parametersId}::uuid, id, ${JSON.stringify(parameters)}::json, ${caller.userId}::uuid, ${now}::timestamptz
        from definition)
    select workspace_id from definition
  `.execute(database);
  const { workspace_id: workspaceId } = rows[0] as { workspace_id: string };
  return { parameterSet: { parametersId, workflowDefinitionId, parameters }, workspaceId };
}

export async function findParameterSet(
  database: Database,
  parametersId: string,
): Promise<ParameterSet | undefined> {
  return database
    .selectFrom('parameter_sets')
    .select(['id as parametersId', 'workflow_definition_id as workflowDefinitionId', 'parameters'])
    .where('id', '=', parametersId)
    .executeTakeFirst();
}
