import type { Selectable } from 'kysely';
import type { operations as described, errorMessages } from '../../../generated/operations.ts';
import type { operations } from '../../../generated/types.ts';
import type { Schema } from './schema.ts';

/** An object that a request names by an identifier. */
export interface AddressableObject {
  /** The error code of the 404 if the caller's organization has no such object. */
  missing: keyof typeof errorMessages;
  /**
   * Selects `organization_id`, `workspace_id` and `table_id` of the object `$3`; no row: no such object. Without it,
   * permission is not checked on the object itself: the handler looks it up inside the object that the path names first.
   */
  select?: string;
  /** The parameter that names a part of the object, found by the same statement as `part_present`. */
  part?: string;
  /** The table of which `select` selects all columns: a read of the object gets its row with the permission. */
  row?: keyof Schema;
  /** The table of its rows, which have the fields of its example as columns: the demo adds the example as a row. */
  table?: keyof Schema;
}

type OperationId = keyof typeof described;
type PathOf<Operation> = Operation extends { parameters: { path: infer Path } } ? keyof Path : never;
type PathParameter = { [Id in OperationId]: PathOf<operations[Id]> }[OperationId];

/** An object with a `workspace_id` of its own. */
const inWorkspace = <Table extends keyof Schema>(table: Table) => ({
  table,
  select: `select w.organization_id, w.id as workspace_id, null::uuid as table_id
   from ${table} o join workspaces w on w.id = o.workspace_id where o.id = $3`,
});

/**
 * Every object that a request can name, by the parameter that names it. A path parameter of the contract without an
 * entry does not compile. If an operation names several, its permission is checked on the one that comes first here: a
 * membership's workspace before its user, a link's definition before its parameter set.
 */
export const addressableObjects = {
  tableId: {
    missing: 'table_not_found',
    select: `select w.organization_id, w.id as workspace_id, o.id as table_id,
        $4::uuid is null or r.id is not null as part_present
      from tables o join workspaces w on w.id = o.workspace_id
        left join records r on r.table_id = o.id and r.id = $4 where o.id = $3`,
    part: 'recordId',
  },
  recordId: { missing: 'record_not_found' },
  attachmentId: { missing: 'attachment_not_found' },
  workspaceId: {
    missing: 'workspace_not_found',
    select:
      'select organization_id, id as workspace_id, null::uuid as table_id from workspaces where id = $3',
  },
  userId: {
    missing: 'user_not_found',
    row: 'users',
    select: 'select *, null::uuid as workspace_id, null::uuid as table_id from users where id = $3',
  },
  resourceId: { missing: 'resource_not_found', ...inWorkspace('resources') },
  workflowDefinitionId: {
    missing: 'workflow_definition_not_found',
    table: 'workflow_definitions',
    // Requests name a definition only to start it, now or later.
    select: `${inWorkspace('workflow_definitions').select} and o.archived_at is null`,
  },
  parametersId: {
    missing: 'parameters_not_found',
    table: 'parameter_sets',
    select: `select w.organization_id, w.id as workspace_id, null::uuid as table_id
      from parameter_sets o join workflow_definitions d on d.id = o.workflow_definition_id
        join workspaces w on w.id = d.workspace_id where o.id = $3`,
  },
  workflowId: { missing: 'execution_not_found', ...inWorkspace('executions') },
  caseId: { missing: 'case_not_found' },
  keyId: { missing: 'webhook_key_not_found' },
} satisfies Record<PathParameter, AddressableObject> & Record<string, AddressableObject>;

type Objects = typeof addressableObjects;
/** The names of the objects on which a permission is checked. */
export type ObjectName = {
  [Name in keyof Objects]: Objects[Name] extends { select: string } ? Name : never;
}[keyof Objects];

/** The rows of those that have one. */
export type ObjectRows = {
  [Name in keyof Objects as Objects[Name] extends { row: string } ? Name : never]: Objects[Name] extends {
    row: infer Table extends keyof Schema;
  }
    ? Selectable<Schema[Table]>
    : never;
};
