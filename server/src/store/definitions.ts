import { type Selectable, sql } from 'kysely';
import type { WorkflowDefinition } from '../../../generated/types.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import { isoTime, statement } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import { definitionTexts } from '../domain/definition-texts.ts';
import { isViewable } from './access.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';
import { equals, type FilteredPageQuery, nextRows, type Page, pageOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** What starting an execution needs of a definition at its current revision. */
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

/** The definition, record and user that a start refers to, read in one round trip. */
export interface Startable {
  definition: StartableDefinition;
  /** It cannot be started any more. */
  isArchived: boolean;
  /** Whether the definition's workspace has the record; false if the start names no record. */
  hasRecord: boolean;
  /** Null if the user does not exist. */
  startedBy: { userId: string; firstName: string; lastName: string; email: string } | null;
}

/** @returns undefined if the definition does not exist or has no document yet */
export async function findStartable(
  database: Database,
  { definitionId, recordId, userId }: { definitionId: string; recordId: string | undefined; userId: string },
): Promise<Startable | undefined> {
  const { rows } = await database.executeQuery(statement<Startable>`
    select json_build_object('id', d.id, 'name', d.name, 'revision', d.revision, 'revisionId', r.id,
        'defaultLocale', d.default_locale, 'inputSchema', r.input_schema, 'uiOptions', r.ui_options,
        'timeoutSeconds', (r.document->>'TimeoutSeconds')::float8,
        'workspaceId', w.id, 'organizationId', w.organization_id) as definition,
      d.archived_at is not null as "isArchived",
      exists (select from records o join tables t on t.id = o.table_id
        where o.id = ${recordId ?? null}::uuid and t.workspace_id = w.id) as "hasRecord",
      (select json_build_object('userId', u.id, 'firstName', u.first_name, 'lastName', u.last_name,
        'email', u.email) from users u where u.id = ${userId}) as "startedBy"
    from workflow_definitions d
      join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
      join workspaces w on w.id = d.workspace_id
    where d.id = ${definitionId}`);
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
  /** Null: it is not paused. */
  pausedDateTime: string | null;
  pausedReason: string | null;
  /** Null: it can be started. */
  archivedDateTime: string | null;
  document: object | null;
}

/** Every definition, by workspace and name, with its current document. */
export async function listDefinitions(database: Database): Promise<ListedDefinition[]> {
  const { rows } = await sql<ListedDefinition>`
    select d.id, d.name, d.revision, d.default_locale as "defaultLocale", r.document,
      json_build_object('id', w.id, 'name', w.name) as workspace,
      ${isoTime('d.paused_at')} as "pausedDateTime", d.paused_reason as "pausedReason",
      ${isoTime('d.archived_at')} as "archivedDateTime",
      array(select revision from definition_revisions where workflow_definition_id = d.id
        order by created_at, revision) as revisions
    from workflow_definitions d join workspaces w on w.id = d.workspace_id
      left join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
    order by w.name, d.name, d.id`.execute(database);
  return rows;
}

export interface StoredRevision {
  createdDateTime: Date;
  inputSchema: JsonObject;
  uiOptions: JsonObject;
  definition: JsonObject;
}

/** A revision of a definition, or undefined if it has no such revision. */
export async function findRevision(
  database: Database,
  definitionId: string,
  revision: string,
): Promise<StoredRevision | undefined> {
  const { rows } = await sql<StoredRevision>`
    select created_at as "createdDateTime", input_schema as "inputSchema", ui_options as "uiOptions",
      document as definition
    from definition_revisions where workflow_definition_id = ${definitionId} and revision = ${revision}`.execute(
    database,
  );
  return rows[0];
}

type VisibleDefinition = Selectable<Schema['workflow_definitions']> & {
  input_schema: JsonObject;
  ui_options: JsonObject;
};

/** The definitions that the caller can start: those of the workspaces in which it holds can_view_workspace. */
export async function listStartableDefinitions(
  database: Database,
  caller: Caller,
  { workspaceId, name, ...page }: FilteredPageQuery,
): Promise<Page<WorkflowDefinition>> {
  const { rows } = await sql<VisibleDefinition>`
    select d.*, r.input_schema, r.ui_options from workspaces w join workflow_definitions d on d.workspace_id = w.id
      join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
    where ${isViewable(caller)} and d.archived_at is null and ${equals('w.id', workspaceId)}
      and ${equals('d.name', name)}
      and ${nextRows('d', page)}`.execute(database);
  return pageOf(rows, page, toDefinition);
}

function toDefinition(row: VisibleDefinition): WorkflowDefinition {
  const { name, default_locale: locale, ui_options: uiOptions } = row;
  const { title, description } = definitionTexts({ name, uiOptions, defaultLocale: locale });
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name,
    title,
    ...(description !== undefined && { description }),
    revision: row.revision,
    locale,
    inputSchema: row.input_schema,
    createdDateTime: row.created_at.toISOString(),
  };
}

const organizationId = sql<string>`(select organization_id from workspaces w where w.id = workspace_id)`.as(
  'organizationId',
);

interface Mark {
  column: 'archived_at' | 'paused_at';
  /** Null: none any more. */
  at: Date | null;
  /** Columns to set with it. */
  set?: { paused_reason: string | null };
  /** For the audit log. */
  details?: Record<string, unknown>;
}

/** Marks a definition as archived or paused, or as neither. @returns false if it is so already */
export async function markDefinition(
  database: Database,
  id: string,
  { column, at, set, details }: Mark,
): Promise<boolean> {
  const changed = await database
    .updateTable('workflow_definitions')
    .set({ ...set, [column]: at })
    .where('id', '=', id)
    .where(column, at === null ? 'is not' : 'is', null)
    .returning(organizationId)
    .executeTakeFirst();
  if (!changed) return false;
  auditChange(database, {
    object: { kind: 'workflow definition', id },
    ...changed,
    ...(details && { details }),
  });
  return true;
}
