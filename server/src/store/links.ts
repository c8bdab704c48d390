import { sql } from 'kysely';
import type { Database } from './database.ts';
import { useToNote } from './parameters.ts';

/** Days from its making until a link stops working. */
export const validDays = 7;
/** Links that are mailed to one contact in an hour, at most (decision 37). */
const mailsPerHour = 10;
const hour = 3_600_000;

export interface NewLink {
  id: string;
  caseId: string;
  workflowDefinitionId: string;
  parametersId: string | undefined;
  secretSha256: Buffer;
  organizationId: string;
  createdBy: string;
  now: Date;
  /** It is going to be mailed, so there must be somebody to mail it to. */
  mailed: boolean;
}

/**
 * - `unknown_case`, `unknown_parameters`: the organization has no such object
 * - `case_elsewhere`: the case is of another workspace than the definition
 * - `parameters_elsewhere`: the parameter set is another definition's
 * - `no_contact`: nobody to mail it to
 * - `mail_limit_reached`: the contact has been sent as many as it may be sent until `until`
 */
export type LinkCreation =
  | { kind: 'created'; workspaceId: string; expiresAt: Date }
  | { kind: 'mail_limit_reached'; until: Date }
  | {
      kind: 'unknown_case' | 'unknown_parameters' | 'case_elsewhere' | 'parameters_elsewhere' | 'no_contact';
    };

interface Belonging {
  workspaceId: string;
  caseWorkspaceId: string | null;
  contact: string | null;
  parametersDefinitionId: string | null;
}

/** Adds a link, if what it names belongs together. The definition must be one of the organization. */
export async function createLink(database: Database, link: NewLink): Promise<LinkCreation> {
  const { id, caseId, workflowDefinitionId, parametersId, organizationId, now } = link;
  const stale = useToNote(now);
  // A set that retention may delete just now is used here, or gone: no link gets one that is being deleted.
  const { rows } = await sql<Belonging>`
    with used as (
      update parameter_sets p set last_used_at = ${now}
      from workflow_definitions o join workspaces w on w.id = o.workspace_id
      where p.id = ${parametersId ?? null} and p.last_used_at <= ${stale} and o.id = p.workflow_definition_id
        and w.organization_id = ${organizationId}
      returning p.id)
    select d.workspace_id as "workspaceId", c.workspace_id as "caseWorkspaceId", c.contact_email as contact,
      p.workflow_definition_id as "parametersDefinitionId"
    from workflow_definitions d
      left join (select c.* from cases c join workspaces w on w.id = c.workspace_id
        where c.id = ${caseId} and w.organization_id = ${organizationId}) c on true
      left join (select p.* from parameter_sets p
        join workflow_definitions o on o.id = p.workflow_definition_id join workspaces w on w.id = o.workspace_id
        where p.id = ${parametersId ?? null} and w.organization_id = ${organizationId}
          and (p.last_used_at > ${stale} or exists (select from used))) p on true
    where d.id = ${workflowDefinitionId}`.execute(database);
  const found = rows[0] as Belonging;
  if (!found.caseWorkspaceId) return { kind: 'unknown_case' };
  if (parametersId && !found.parametersDefinitionId) return { kind: 'unknown_parameters' };
  if (found.caseWorkspaceId !== found.workspaceId) return { kind: 'case_elsewhere' };
  if (parametersId && found.parametersDefinitionId !== workflowDefinitionId) {
    return { kind: 'parameters_elsewhere' };
  }
  if (link.mailed && !found.contact) return { kind: 'no_contact' };
  const mailedTo = link.mailed ? (found.contact as string).toLowerCase() : null;
  const until = mailedTo && (await mailsExhaustedUntil(database, { organizationId, mailedTo, now }));
  if (until) return { kind: 'mail_limit_reached', until };

  const expiresAt = new Date(now.getTime() + validDays * 86_400_000);
  await database
    .insertInto('links')
    .values({
      ...{ id, workspace_id: found.workspaceId, case_id: caseId, created_at: now, expires_at: expiresAt },
      ...{ workflow_definition_id: workflowDefinitionId, parameters_id: parametersId ?? null },
      ...{ secret_sha256: link.secretSha256, created_by: link.createdBy, mailed_to: mailedTo },
    })
    .execute();
  return { kind: 'created', workspaceId: found.workspaceId, expiresAt };
}

/**
 * When a contact of an organization may be mailed the next link; undefined for now. Until the transaction ends nobody
 * else mails a link to this contact, so that concurrent requests do not get past the limit.
 */
async function mailsExhaustedUntil(
  database: Database,
  { organizationId, mailedTo, now }: { organizationId: string; mailedTo: string; now: Date },
): Promise<Date | undefined> {
  await sql`select pg_advisory_xact_lock(
    hashtextextended(current_schema() || ${` link mail ${organizationId} ${mailedTo}`}::text, 0))`.execute(
    database,
  );
  const { rows } = await sql<{ at: Date }>`
    select l.created_at as at from links l join workspaces w on w.id = l.workspace_id
    where l.mailed_to = ${mailedTo} and l.created_at > ${new Date(now.getTime() - hour)}
      and w.organization_id = ${organizationId}
    order by l.created_at desc offset ${mailsPerHour - 1} limit 1`.execute(database);
  return rows[0] && new Date(rows[0].at.getTime() + hour);
}

/** A link with all that its page and its message tell of it. */
export interface FoundLink {
  id: string;
  secretSha256: Buffer;
  expiresAt: Date;
  usedAt: Date | null;
  usedByView: Buffer | null;
  revokedAt: Date | null;
  sentAt: Date | null;
  executionId: string | null;
  createdBy: string;
  definition: {
    id: string;
    name: string;
    defaultLocale: string;
    /** Of its present revision; null where it has nothing to run yet. */
    revision: { id: string; inputSchema: unknown; uiOptions: unknown } | null;
  };
  /** Of the parameter set; null where the link has none, or where the set is JSON's null. */
  parameters: unknown;
  case: { id: string; name: string; recordId: string | null; workspaceId: string };
  contact: { name: string | null; email: string | null };
  workspace: { id: string; type: 'LIVE' | 'SANDBOX' };
  organization: { id: string; name: string };
}

/** @param options `lock`: nobody else uses it until the transaction ends */
export async function findLink(
  database: Database,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.id, l.secret_sha256 as "secretSha256", l.expires_at as "expiresAt", l.used_at as "usedAt",
      l.used_by_view as "usedByView", l.revoked_at as "revokedAt", l.sent_at as "sentAt",
      l.execution_id as "executionId", l.created_by as "createdBy",
      json_build_object('id', d.id, 'name', d.name, 'defaultLocale', d.default_locale, 'revision',
        case when r.id is not null then json_build_object('id', r.id, 'inputSchema', r.input_schema,
          'uiOptions', r.ui_options) end) as definition, p.parameters,
      json_build_object('id', c.id, 'name', c.name, 'recordId', c.record_id, 'workspaceId', c.workspace_id)
        as "case",
      json_build_object('name', c.contact_name, 'email', c.contact_email) as contact,
      json_build_object('id', w.id, 'type', w.type) as workspace,
      json_build_object('id', o.id, 'name', o.name) as organization
    from links l join cases c on c.id = l.case_id join workspaces w on w.id = l.workspace_id
      join organizations o on o.id = w.organization_id
      join workflow_definitions d on d.id = l.workflow_definition_id
      left join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
      left join parameter_sets p on p.id = l.parameters_id
    where l.id = ${id} ${lock ? sql`for update of l` : sql``}`.execute(database);
  return rows[0];
}

/** Uses a link up, and its parameter set, in the transaction of the start; whoever does holds its lock. */
export async function useLink(
  database: Database,
  id: string,
  { executionId, view, now }: { executionId: string; view: Buffer; now: Date },
): Promise<void> {
  await sql`
    with used as (
      update links set used_at = ${now}, execution_id = ${executionId}, used_by_view = ${view} where id = ${id}
      returning parameters_id)
    update parameter_sets p set last_used_at = ${now}
    from used where p.id = used.parameters_id and p.last_used_at <= ${useToNote(now)}`.execute(database);
}

/** Notes that the mail server took the link's message. @returns whether that was not noted before */
export async function markSent(database: Database, id: string, now: Date): Promise<boolean> {
  const marked = await database
    .updateTable('links')
    .set({ sent_at: now })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}
