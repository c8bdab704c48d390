import { applyDefinitions } from './apply-definitions.ts';
import type { People } from './apply-organization.ts';
import { applyRoles } from './apply-roles.ts';
import { findNamed } from './check-workspace.ts';
import type { CaseDeclaration, TableDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type Applying, type Declared, type KindRule, placeRows } from './rows.ts';

const ruleIn = (parent: string, kind: KindRule['kind'], table: KindRule['table']): KindRule => ({
  ...{ kind, table, parent, name: 'name' },
});
const workspaceRule = ruleIn('organization_id', 'workspaces', 'workspaces');
const tableRule = ruleIn('workspace_id', 'tables', 'tables');
const recordRule = ruleIn('table_id', 'records', 'records');
const caseRule = ruleIn('workspace_id', 'cases', 'cases');

/** The workspaces with all that is in them. */
export async function applyWorkspaces(
  applying: Applying,
  workspaces: WorkspaceDeclaration[],
  people: People,
  top: Path,
): Promise<void> {
  const rows = workspaces.map(({ id, name, description, type, createdDateTime }, index) => {
    const owned = { organization_id: people.organizationId, name, description, type };
    return { id, createdDateTime, owned, path: [...top, 'workspaces', index] };
  });
  const placed = await placeRows(applying, workspaceRule, rows);
  for (const [index, workspace] of workspaces.entries()) {
    const workspaceId = placed[index]?.id as string;
    const path = [...top, 'workspaces', index];
    const { tableIds, recordIds } = await applyTables(applying, workspace.tables, { workspaceId, path });
    await applyRoles(applying, workspace, { workspaceId, tableIds, people, path });
    await applyCases(applying, workspace, { workspaceId, recordIds, path });
    await applyDefinitions(applying, workspace, { workspaceId, path });
  }
}

/** What the declarations of tables and records have become. */
interface Tables {
  tableIds: Map<TableDeclaration, string>;
  recordIds: Map<unknown, string>;
}

async function applyTables(
  applying: Applying,
  tables: TableDeclaration[],
  { workspaceId, path }: { workspaceId: string; path: Path },
): Promise<Tables> {
  const rows = tables.map(({ id, name, createdDateTime }, index) => {
    const owned = { workspace_id: workspaceId, name };
    return { id, createdDateTime, owned, path: [...path, 'tables', index] };
  });
  const placed = await placeRows(applying, tableRule, rows);
  const records = tables.flatMap((table, index) =>
    table.records.map((record, place) => ({
      record,
      owned: { table_id: placed[index]?.id as string, name: record.name },
      path: [...path, 'tables', index, 'records', place],
    })),
  );
  const placedRecords = await placeRows(
    applying,
    recordRule,
    records.map(({ record: { id, createdDateTime }, owned, path }) => ({ id, createdDateTime, owned, path })),
  );
  return {
    tableIds: new Map(tables.map((table, index) => [table, placed[index]?.id as string])),
    recordIds: new Map(records.map(({ record }, index) => [record, placedRecords[index]?.id as string])),
  };
}

async function applyCases(
  applying: Applying,
  { cases, tables }: WorkspaceDeclaration,
  { workspaceId, recordIds, path }: { workspaceId: string; recordIds: Map<unknown, string>; path: Path },
): Promise<void> {
  const records = tables.flatMap((table) => table.records);
  const recordOf = ({ record }: CaseDeclaration) =>
    record === undefined ? null : (recordIds.get(findNamed(records, record)) ?? null);
  const rows = cases.map(
    (declared, index): Declared => ({
      id: declared.id,
      createdDateTime: declared.createdDateTime,
      path: [...path, 'cases', index],
      owned: {
        workspace_id: workspaceId,
        record_id: recordOf(declared),
        name: declared.name,
        contact_name: declared.contact?.name ?? null,
        contact_email: declared.contact?.email ?? null,
      },
    }),
  );
  await placeRows(applying, caseRule, rows);
}
