import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { compareRevisions, type RevisionContent } from './definition-changes.ts';
import type { Path, Problem, WorkflowDefinitionDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import { type ApplyContext, auditApplied, derivedId, rowsOf, upsertRows } from './rows.ts';

/** The default locale of a new definition. */
const firstLocale = 'en';

/**
 * Applies the workflow definitions of a workspace. The declared revision becomes the current one. A stored revision
 * never changes, because executions run it. What the file does not mention is that of the stored revision, or for a new
 * revision that of the current one.
 *
 * @returns the ids of the definitions
 */
export async function applyDefinitions(
  context: ApplyContext,
  { name: workspace, workflowDefinitions }: WorkspaceDeclaration,
  workspaceId: string,
  workspacePath: Path,
): Promise<Map<WorkflowDefinitionDeclaration, string>> {
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
      { default_locale: firstLocale },
    ),
  );
  const ids = rows.map(({ id }) => id);
  const revisions = await findRevisions(context, ids);
  const problems: Problem[] = [];
  for (const { id, declaration, path, stored } of rows) {
    const revisionOf = (revision: unknown) =>
      revisions.find((row) => row.definitionId === id && row.revision === revision)?.content;
    const known = revisionOf(declaration.revision);
    const current = revisionOf(stored?.['revision']);
    const content = contentOf(declaration, known ?? current);
    if (!known) await addRevision(context, id, declaration.revision, content);
    else if (isDeepStrictEqual(known, content)) context.changes['definition revisions'].unchanged += 1;
    else {
      const message = `${declaration.revision} is already stored with different content (${placesOf(known, content)}): use a new revision`;
      problems.push({ path: [...path, 'revision'], message });
    }
    const before = current && { ...current, defaultLocale: stored?.['default_locale'] as string };
    const after = {
      ...content,
      defaultLocale: declaration.defaultLocale ?? before?.defaultLocale ?? firstLocale,
    };
    const { name, revision: to } = declaration;
    const from = (stored?.['revision'] as string | undefined) ?? null;
    const change = compareRevisions(before, after);
    if (from !== to || change.differences.length > 0) {
      context.definitions.push({ workspace, name, from, to, ...change });
    }
  }
  if (problems.length > 0) context.fail(problems);
  return new Map(rows.map(({ declaration, id }) => [declaration, id]));
}

function contentOf(
  { definition, inputSchema, uiOptions }: WorkflowDefinitionDeclaration,
  kept: RevisionContent | undefined,
): RevisionContent {
  return {
    definition,
    inputSchema: inputSchema ?? kept?.inputSchema ?? {},
    uiOptions: uiOptions ?? kept?.uiOptions ?? {},
  };
}

interface StoredRevision {
  definitionId: string;
  revision: string;
  content: RevisionContent;
}

async function findRevisions({ database }: ApplyContext, definitionIds: string[]): Promise<StoredRevision[]> {
  const { rows } = await sql<StoredRevision>`
    select workflow_definition_id as "definitionId", revision, json_build_object(
      'definition', document, 'inputSchema', input_schema, 'uiOptions', ui_options) as content
    from definition_revisions where workflow_definition_id = any(${definitionIds}::uuid[])`.execute(database);
  return rows;
}

async function addRevision(
  context: ApplyContext,
  definitionId: string,
  revision: string,
  { definition, inputSchema, uiOptions }: RevisionContent,
): Promise<void> {
  const { database, environment, changes, nextTimestamp } = context;
  await database
    .insertInto('definition_revisions')
    .values({
      id: derivedId(environment, 'definition revision', definitionId, revision),
      workflow_definition_id: definitionId,
      revision,
      document: JSON.stringify(definition),
      input_schema: JSON.stringify(inputSchema),
      ui_options: JSON.stringify(uiOptions),
      created_at: nextTimestamp(),
    })
    .execute();
  changes['definition revisions'].created += 1;
  auditApplied(context, 'workflow definition', definitionId, { change: 'revision added', revision });
}

/** The first places where two contents differ. */
function placesOf(from: RevisionContent, to: RevisionContent): string {
  const { states, differences } = compareRevisions(from, to);
  const places = [...states.map(({ name }) => name), ...differences.map(({ pointer }) => pointer)];
  const more = places.length - 3;
  return `${places.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
