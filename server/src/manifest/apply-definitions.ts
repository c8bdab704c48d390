import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { derivedId } from './derived-id.ts';
import type { WorkflowDefinitionDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import type { Path, Problem } from './problems.ts';
import { type ApplyContext, rowsOf, upsertRows } from './rows.ts';

/**
 * Applies the workflow definitions of a workspace. The declared revision becomes the current one. A stored revision
 * never changes, because executions run it.
 */
export async function applyDefinitions(
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
