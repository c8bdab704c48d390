import { applyDefinitions } from './apply-definitions.ts';
import type { AppliedOrganization } from './apply-organization.ts';
import { applyRoles } from './apply-roles.ts';
import { applySchedules } from './apply-schedules.ts';
import type { Path, RecordDeclaration, TableDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import { resolveReferences } from './references.ts';
import { type ApplyContext, rowsOf, upsertRows } from './rows.ts';

/** Applies the workspaces with everything in them. */
export async function applyWorkspaces(
  context: ApplyContext,
  workspaces: WorkspaceDeclaration[],
  organization: AppliedOrganization,
  top: Path,
): Promise<void> {
  const rows = await upsertRows(
    context,
    'workspaces',
    rowsOf(
      workspaces,
      [...top, 'workspaces'],
      ({ name, description, type }) => ({
        organization_id: organization.organizationId,
        name,
        description,
        type,
      }),
      { description: '', type: context.environment === 'sandbox' ? 'SANDBOX' : 'LIVE' },
    ),
  );
  for (const { id: workspaceId, declaration: workspace, path } of rows) {
    const { tableIds, recordIds } = await applyTables(context, workspace.tables, workspaceId, path);
    await applyRoles(context, workspace, { workspaceId, tableIds, organization, path });
    await applyCases(context, workspace, workspaceId, recordIds, path);
    const definitionIds = await applyDefinitions(context, workspace, workspaceId, path);
    await applySchedules(context, workspace, { workspaceId, definitionIds, organization, path });
  }
}

async function applyTables(
  context: ApplyContext,
  declared: TableDeclaration[],
  workspaceId: string,
  path: Path,
): Promise<{ tableIds: Map<TableDeclaration, string>; recordIds: Map<RecordDeclaration, string> }> {
  const tables = await upsertRows(
    context,
    'tables',
    rowsOf(declared, [...path, 'tables'], ({ name }) => ({ workspace_id: workspaceId, name })),
  );
  const records = await upsertRows(
    context,
    'records',
    tables.flatMap(({ id, declaration: table, path: tablePath }) =>
      rowsOf(table.records, [...tablePath, 'records'], ({ name }) => ({ table_id: id, name })),
    ),
  );
  return {
    tableIds: new Map(tables.map(({ declaration, id }) => [declaration, id])),
    recordIds: new Map(records.map(({ declaration, id }) => [declaration, id])),
  };
}

async function applyCases(
  context: ApplyContext,
  { cases }: WorkspaceDeclaration,
  workspaceId: string,
  recordIds: Map<RecordDeclaration, string>,
  path: Path,
): Promise<void> {
  const references = cases.flatMap(({ record }, index) =>
    typeof record === 'string'
      ? [{ reference: record, path: [...path, 'cases', index, 'record'], index }]
      : [],
  );
  const ids = await resolveReferences(context, 'record', { workspaceId, declared: recordIds }, references);
  const idOfCase = new Map(references.map(({ index }, at) => [index, ids[at]]));
  await upsertRows(
    context,
    'cases',
    rowsOf(cases, [...path, 'cases'], ({ name, contact, record }, index) => ({
      workspace_id: workspaceId,
      record_id: record === null ? null : idOfCase.get(index),
      name,
      contact_name: contact === null ? null : contact?.name,
      contact_email: contact === null ? null : contact?.email,
    })),
  );
}
