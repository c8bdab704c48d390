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
        insert into parameter_sets (id, workflow_definition_id, parameters, created_by, created_at, last_used_at)
        select ${parametersId}::uuid, id, ${JSON.stringify(parameters)}::json, ${caller.userId}::uuid, ${now}::timestamptz,
          ${now}::timestamptz
        from definition)
    select workspace_id from definition
  `.execute(database);
  const { workspace_id: workspaceId } = rows[0] as { workspace_id: string };
  return { parameterSet: { parametersId, workflowDefinitionId, parameters }, workspaceId };
}

/** A set whose last use was noted so long ago, or longer, has its next one noted: a read is not a write each time. */
const notedMilliseconds = 86_400_000;
export const useToNote = (now: Date) => new Date(now.getTime() - notedMilliseconds);

/** Reads a set, which counts as a use of it. */
export async function findParameterSet(
  database: Database,
  parametersId: string,
  now: Date,
): Promise<ParameterSet | undefined> {
  const { rows } = await sql<ParameterSet>`
    with used as (
      update parameter_sets set last_used_at = ${now} where id = ${parametersId} and last_used_at <= ${useToNote(now)})
    select id as "parametersId", workflow_definition_id as "workflowDefinitionId", parameters
    from parameter_sets where id = ${parametersId}`.execute(database);
  return rows[0];
}
