import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ParameterSet, ParameterSetRequest } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import type { Database } from './database.ts';

/** @returns the parameter set, and the workspace of its definition */
export async function createParameterSet(
  database: Database,
  { workflowDefinitionId, parameters }: ParameterSetRequest,
  caller: Caller,
  now: Date,
): Promise<{ parameterSet: ParameterSet; workspaceId: string }> {
  const parametersId = randomUUID();
  const { rows } = await sql<{ workspace_id: string }>`
    with definition as (select id, workspace_id from workflow_definitions where id = ${workflowDefinitionId}),
      added as (
        insert into parameter_sets (id, workflow_definition_id, parameters, created_by, created_at, last_used_at)
        select ${parametersId}::uuid, id, ${JSON.stringify(parameters)}::json, ${caller.userId}::uuid, ${now}::timestamptz,
          ${now}::timestamptz
        from definition)
    select workspace_id from definition
  `.execute(database);
  const { workspace_id: workspaceId } = rows[0] as { workspace_id: string };
  return { parameterSet: { parametersId, workflowDefinitionId, parameters }, workspaceId };
}

/** The last use of a set is recorded at most once a day, so that most reads do not write. */
export const staleUseBefore = (now: Date) => new Date(now.getTime() - 86_400_000);

/** Reads a parameter set, which counts as a use. */
export async function findParameterSet(
  database: Database,
  parametersId: string,
  now: Date,
): Promise<ParameterSet | undefined> {
  const { rows } = await sql<ParameterSet>`
    with used as (
      update parameter_sets set last_used_at = ${now} where id = ${parametersId} and last_used_at <= ${staleUseBefore(now)})
    select id as "parametersId", workflow_definition_id as "workflowDefinitionId", parameters
    from parameter_sets where id = ${parametersId}`.execute(database);
  return rows[0];
}
