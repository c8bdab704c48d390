import { sql } from 'kysely';
import { isUuid } from '../domain/identifiers.ts';
import { findNamed, type Named } from './check.ts';
import type { Path, Problem } from './platform-file.ts';
import type { ApplyContext } from './rows.ts';

/** A name or an id in the file, with its place. */
interface Reference {
  reference: string;
  path: Path;
}

interface StoredObject {
  id: string;
  name: string;
  archived_at?: Date | null;
}

/** What can be referred to: all of a workspace. All columns, because an older release's tables may lack some. */
const targets = {
  'workflow definition': sql`select o.*, o.workspace_id as owner_id from workflow_definitions o`,
  table: sql`select o.*, o.workspace_id as owner_id from tables o`,
  record: sql`select o.*, t.workspace_id as owner_id from records o join tables t on t.id = o.table_id`,
  role: sql`select o.*, o.workspace_id as owner_id from workspace_roles o`,
};

/**
 * Returns the ids of the objects of a workspace that the file refers to by name or id, in the order of the references.
 * An object of the file takes precedence over one that only the database has. Fails if there is none, if several stored
 * objects have the name, or if the object is archived.
 *
 * @param declared the objects of the file, already applied, with their ids
 */
export async function resolveReferences<T extends Named>(
  { database, fail }: ApplyContext,
  kind: keyof typeof targets,
  { workspaceId, declared }: { workspaceId: string; declared: Map<T, string> },
  references: Reference[],
): Promise<string[]> {
  const ofFile = [...declared.keys()];
  const idInFile = (reference: string) => {
    const named = findNamed(ofFile, reference);
    return named && declared.get(named);
  };
  const others = [...new Set(references.map(({ reference }) => reference))].filter((each) => !idInFile(each));
  const stored =
    others.length === 0
      ? []
      : (
          await sql<StoredObject>`
            select * from (${targets[kind]}) o where owner_id = ${workspaceId}
              and (name = any(${others}::text[]) or id = any(${others.filter(isUuid)}::uuid[]))
          `.execute(database)
        ).rows;
  const problems: Problem[] = [];
  const ids = references.map(({ reference, path }): string => {
    const inFile = idInFile(reference);
    if (inFile !== undefined) return inFile;
    const named = findNamed(stored, reference);
    const message = problemOf(kind, reference, named, stored);
    if (message) problems.push({ path, message });
    return named?.id ?? '';
  });
  if (problems.length > 0) fail(problems);
  return ids;
}

function problemOf(
  kind: keyof typeof targets,
  reference: string,
  named: StoredObject | undefined,
  stored: StoredObject[],
): string | undefined {
  if (named?.archived_at)
    return `is archived: ${reference}. Restore it with \`wrp definition restore\`, or declare it in this file`;
  if (named) return undefined;
  return stored.some(({ name }) => name === reference)
    ? `matches several stored ${kind}s: use an id`
    : `is not a ${kind} of the workspace: ${reference}`;
}
