import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { derivedId } from './derived-id.ts';
import type { WorkflowDefinitionDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import type { Path, Problem } from './problems.ts';
import { type Applying, type KindRule, placeRows } from './rows.ts';

const definitionRule: KindRule = {
  ...{ kind: 'workflow definitions', table: 'workflow_definitions', parent: 'workspace_id', name: 'name' },
};

/**
 * The workflow definitions of a workspace. The revision that the file names becomes the current one; it is added
 * where it is new, and never changed: executions run by it.
 */
export async function applyDefinitions(
  applying: Applying,
  { workflowDefinitions }: WorkspaceDeclaration,
  { workspaceId, path: top }: { workspaceId: string; path: Path },
): Promise<void> {
  const pathOf = (index: number) => [...top, 'workflowDefinitions', index];
  const placed = await placeRows(
    applying,
    definitionRule,
    workflowDefinitions.map(({ id, createdDateTime, name, revision, defaultLocale }, index) => ({
      ...{ id, createdDateTime, path: pathOf(index) },
      owned: { workspace_id: workspaceId, name, revision, default_locale: defaultLocale },
    })),
  );
  const present = await revisionsOf(
    applying,
    placed.map(({ id }) => id),
  );
  const problems: Problem[] = [];
  for (const [index, declared] of workflowDefinitions.entries()) {
    const definitionId = placed[index]?.id as string;
    const { revision } = declared;
    const known = present.find((row) => row.definitionId === definitionId && row.revision === revision);
    if (!known) await addRevision(applying, definitionId, declared);
    else if (isDeepStrictEqual(known.content, contentOf(declared))) {
      applying.changes['definition revisions'].unchanged += 1;
    } else {
      const message = `is ${revision}, of which something else is stored: give what you changed a new revision`;
      problems.push({ path: [...pathOf(index), 'revision'], message });
    }
  }
  if (problems.length > 0) applying.refuse(problems);
}

function contentOf({ definition, inputSchema, uiOptions }: WorkflowDefinitionDeclaration) {
  return { document: definition, input_schema: inputSchema, ui_options: uiOptions };
}

interface StoredRevision {
  definitionId: string;
  revision: string;
  content: ReturnType<typeof contentOf>;
}

async function revisionsOf({ database }: Applying, definitionIds: string[]): Promise<StoredRevision[]> {
  const { rows } = await sql<StoredRevision>`
    select workflow_definition_id as "definitionId", revision, json_build_object(
      'document', document, 'input_schema', input_schema, 'ui_options', ui_options) as content
    from definition_revisions where workflow_definition_id = any(${definitionIds}::uuid[])`.execute(database);
  return rows;
}

async function addRevision(
  { database, environment, changes, nextMoment }: Applying,
  definitionId: string,
  declared: WorkflowDefinitionDeclaration,
): Promise<void> {
  const { document, input_schema, ui_options } = contentOf(declared);
  const id = derivedId(environment, 'definition revision', definitionId, declared.revision);
  await database
    .insertInto('definition_revisions')
    .values({
      ...{ id, workflow_definition_id: definitionId, revision: declared.revision },
      document: JSON.stringify(document),
      input_schema: JSON.stringify(input_schema),
      ui_options: JSON.stringify(ui_options),
      created_at: nextMoment(),
    })
    .execute();
  changes['definition revisions'].created += 1;
}
