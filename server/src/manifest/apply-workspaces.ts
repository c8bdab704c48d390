import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { AppliedOrganization } from './apply-organization.ts';
import { applyRoles } from './apply-roles.ts';
import { findNamed } from './check.ts';
import type {
  Path,
  Problem,
  RecordDeclaration,
  TableDeclaration,
  WorkflowDefinitionDeclaration,
  WorkspaceDeclaration,
} from './platform-file.ts';
import { type ApplyContext, derivedId, rowsOf, upsertRows } from './rows.ts';

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
    rowsOf(workspaces, [...top, 'workspaces'], ({ name, description, type }) => ({
      organization_id: organization.organizationId,
      name,
      description,
      type,
    })),
  );
  for (const { id: workspaceId, declaration: workspace, path } of rows) {
    const { tableIds, recordIds } = await applyTables(context, workspace.tables, workspaceId, path);
    await applyRoles(context, workspace, { workspaceId, tableIds, organization, path });
    await applyCases(context, workspace, workspaceId, recordIds, path);
    await applyDefinitions(context, workspace, workspaceId, path);
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
  { cases, tables }: WorkspaceDeclaration,
  workspaceId: string,
  recordIds: Map<RecordDeclaration, string>,
  path: Path,
): Promise<void> {
  const records = tables.flatMap((table) => table.records);
  await upsertRows(
    context,
    'cases',
    rowsOf(cases, [...path, 'cases'], ({ name, contact, record: reference }) => {
      const record = reference === undefined ? undefined : findNamed(records, reference);
      return {
        workspace_id: workspaceId,
        record_id: (record && recordIds.get(record)) ?? null,
        name,
        contact_name: contact?.name ?? null,
        contact_email: contact?.email ?? null,
      };
    }),
  );
}

/**
 * Applies the workflow definitions of a workspace. The declared revision becomes the current one. A stored revision
 * never changes, because executions run it.
 */
async function applyDefinitions(
  context: ApplyContext,
  { workflowDefinitions }: WorkspaceDeclaration,
  workspaceId: string,
  workspacePath: Path,
): Promise<void> {
  const rows = await upsertRows(
    context,
    'workflow definitions',
    rowsOf(
      workflowDefinitions,
      [...workspacePath, 'workflowDefinitions'],
      ({ name, revision, defaultLocale }) => ({
        workspace_id: workspaceId,
        name,
        revision,
        default_locale: defaultLocale,
      }),
    ),
  );
  const ids = rows.map(({ id }) => id);
  const stored = await findRevisions(context, ids);
  const problems: Problem[] = [];
  for (const { id, declaration, path } of rows) {
    const { revision } = declaration;
    const known = stored.find((row) => row.definitionId === id && row.revision === revision);
    if (!known) await addRevision(context, id, declaration);
    else if (isDeepStrictEqual(known.content, contentOf(declaration))) {
      context.changes['definition revisions'].unchanged += 1;
    } else {
      const message = `${revision} is already stored with different content: use a new revision`;
      problems.push({ path: [...path, 'revision'], message });
    }
  }
  if (problems.length > 0) context.fail(problems);
}

function contentOf({ definition, inputSchema, uiOptions }: WorkflowDefinitionDeclaration) {
  return { document: definition, input_schema: inputSchema, ui_options: uiOptions };
}

interface StoredRevision {
  definitionId: string;
  revision: string;
  content: ReturnType<typeof contentOf>;
}

async function findRevisions({ database }: ApplyContext, definitionIds: string[]): Promise<StoredRevision[]> {
  const { rows } = await sql<StoredRevision>`
    select workflow_definition_id as "definitionId", revision, json_build_object(
      'document', document, 'input_schema', input_schema, 'ui_options', ui_options) as content
    from definition_revisions where workflow_definition_id = any(${definitionIds}::uuid[])`.execute(database);
  return rows;
}

async function addRevision(
  { database, environment, changes, nextTimestamp }: ApplyContext,
  definitionId: string,
  declared: WorkflowDefinitionDeclaration,
): Promise<void> {
  await database
    .insertInto('definition_revisions')
    .values({
      id: derivedId(environment, 'definition revision', definitionId, declared.revision),
      workflow_definition_id: definitionId,
      revision: declared.revision,
      document: JSON.stringify(declared.definition),
      input_schema: JSON.stringify(declared.inputSchema),
      ui_options: JSON.stringify(declared.uiOptions),
      created_at: nextTimestamp(),
    })
    .execute();
  changes['definition revisions'].created += 1;
}
