import { sql } from 'kysely';
import type { Json, JsonObject } from '../workflows/machine/actions.ts';
import type { Database } from './database.ts';

/** A definition at its current revision, with all that a start has to know of it. */
export interface StartableDefinition {
  id: string;
  name: string;
  revision: string;
  revisionId: string;
  defaultLocale: string;
  inputSchema: Json;
  uiOptions: JsonObject;
  /** The definition's TimeoutSeconds; null if it has none. */
  timeoutSeconds: number | null;
  workspaceId: string;
  organizationId: string;
}

/** @returns undefined for a definition that does not exist, or that has no document yet */
export async function findStartableDefinition(
  database: Database,
  id: string,
): Promise<StartableDefinition | undefined> {
  const { rows } = await sql<StartableDefinition>`
    select d.id, d.name, d.revision, r.id as "revisionId", d.default_locale as "defaultLocale",
      r.input_schema as "inputSchema", r.ui_options as "uiOptions",
      (r.document->>'TimeoutSeconds')::float8 as "timeoutSeconds",
      w.id as "workspaceId", w.organization_id as "organizationId"
    from workflow_definitions d
      join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
      join workspaces w on w.id = d.workspace_id
    where d.id = ${id}`.execute(database);
  return rows[0];
}

/** The Amazon States Language document of a revision. */
export async function findDocument(database: Database, revisionId: string): Promise<object> {
  const row = await database
    .selectFrom('definition_revisions')
    .select('document')
    .where('id', '=', revisionId)
    .executeTakeFirstOrThrow();
  return row.document;
}

export interface ListedDefinition {
  id: string;
  name: string;
  revision: string;
  revisions: string[];
  defaultLocale: string;
  workspace: { id: string; name: string };
  document: object | null;
}

/** Every definition, by workspace and name, with its current document. */
export async function listDefinitions(database: Database): Promise<ListedDefinition[]> {
  const { rows } = await sql<ListedDefinition>`
    select d.id, d.name, d.revision, d.default_locale as "defaultLocale", r.document,
      json_build_object('id', w.id, 'name', w.name) as workspace,
      array(select revision from definition_revisions where workflow_definition_id = d.id
        order by created_at, revision) as revisions
    from workflow_definitions d join workspaces w on w.id = d.workspace_id
      left join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
    order by w.name, d.name, d.id`.execute(database);
  return rows;
}
