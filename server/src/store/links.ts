import { sql } from 'kysely';
import type { InputProblem } from '../../json-schema/index.ts';
import type { Database } from './database.ts';
import { staleUseBefore } from './parameters.ts';
import type { ExecutionStatus } from './schema.ts';

/** Days until a link expires. */
export const validDays = 7;
/** The maximum number of links mailed to one contact in an hour (decision 37). */
const maxMailsPerHour = 10;
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
  /** The link will be mailed, which requires a contact address. */
  mailed: boolean;
  /** Finds what is wrong with its parameters. */
  problemsOf(link: Pick<FoundLink, 'definition' | 'parameters'>): Promise<InputProblem[]>;
}

/**
 * - `unknown_case`, `unknown_parameters`: the organization has no such object
 * - `case_in_other_workspace`: the case belongs to another workspace than the definition
 * - `parameters_of_other_definition`: the parameter set belongs to another definition
 * - `parameters_mismatch`: no form of the definition could send these parameters
 * - `no_contact`: the case has no contact address to mail the link to
 * - `mail_limit_reached`: no more links can be mailed to the contact until `until`
 */
export type LinkCreation =
  | { kind: 'created'; workspaceId: string; expiresAt: Date }
  | { kind: 'mail_limit_reached'; until: Date }
  | { kind: 'parameters_mismatch'; problems: InputProblem[] }
  | { kind: 'unknown_case' | 'unknown_parameters' | 'no_contact' }
  | { kind: 'case_in_other_workspace' | 'parameters_of_other_definition' };

interface LinkTargets extends Pick<FoundLink, 'definition' | 'parameters'> {
  workspaceId: string;
  caseWorkspaceId: string | null;
  contact: string | null;
  parametersDefinitionId: string | null;
}

const definitionOfLink = sql`json_build_object('id', d.id, 'name', d.name, 'defaultLocale', d.default_locale,
        'isArchived', d.archived_at is not null, 'revision',
        case when r.id is not null then json_build_object('id', r.id, 'inputSchema', r.input_schema,
          'uiOptions', r.ui_options) end) as definition`;
const currentRevision = sql`left join definition_revisions r
        on r.workflow_definition_id = d.id and r.revision = d.revision`;

/** Adds a link if its case and parameter set belong to its definition, which the organization must have. */
export async function createLink(database: Database, link: NewLink): Promise<LinkCreation> {
  const { id, caseId, workflowDefinitionId, parametersId, organizationId, now } = link;
  const stale = staleUseBefore(now);
  // Updating the last use of a set locks it, so that no link can refer to a set that retention is deleting.
  const { rows } = await sql<LinkTargets>`
    with used as (
      update parameter_sets p set last_used_at = ${now}
      from workflow_definitions o join workspaces w on w.id = o.workspace_id
      where p.id = ${parametersId ?? null} and p.last_used_at <= ${stale} and o.id = p.workflow_definition_id
        and w.organization_id = ${organizationId}
      returning p.id)
    select d.workspace_id as "workspaceId", c.workspace_id as "caseWorkspaceId", c.contact_email as contact,
      p.workflow_definition_id as "parametersDefinitionId", p.parameters, ${definitionOfLink}
    from workflow_definitions d ${currentRevision}
      left join (select c.* from cases c join workspaces w on w.id = c.workspace_id
        where c.id = ${caseId} and w.organization_id = ${organizationId}) c on true
      left join (select p.* from parameter_sets p
        join workflow_definitions o on o.id = p.workflow_definition_id join workspaces w on w.id = o.workspace_id
        where p.id = ${parametersId ?? null} and w.organization_id = ${organizationId}
          and (p.last_used_at > ${stale} or exists (select from used))) p on true
    where d.id = ${workflowDefinitionId}`.execute(database);
  const found = rows[0] as LinkTargets;
  if (!found.caseWorkspaceId) return { kind: 'unknown_case' };
  if (parametersId && !found.parametersDefinitionId) return { kind: 'unknown_parameters' };
  if (found.caseWorkspaceId !== found.workspaceId) return { kind: 'case_in_other_workspace' };
  if (parametersId && found.parametersDefinitionId !== workflowDefinitionId) {
    return { kind: 'parameters_of_other_definition' };
  }
  if (link.mailed && !found.contact) return { kind: 'no_contact' };
  const problems = await link.problemsOf(found);
  if (problems.length > 0) return { kind: 'parameters_mismatch', problems };
  const mailedTo = link.mailed ? (found.contact as string).toLowerCase() : null;
  const until = mailedTo && (await mailLimitReset(database, { organizationId, mailedTo, now }));
  if (until) return { kind: 'mail_limit_reached', until };

  const expiresAt = new Date(now.getTime() + validDays * 86_400_000);
  await database
    .insertInto('links')
    .values({
      id,
      workspace_id: found.workspaceId,
      case_id: caseId,
      workflow_definition_id: workflowDefinitionId,
      parameters_id: parametersId ?? null,
      secret_sha256: link.secretSha256,
      mailed_to: mailedTo,
      created_by: link.createdBy,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { kind: 'created', workspaceId: found.workspaceId, expiresAt };
}

/**
 * When the next link can be mailed to a contact of an organization; undefined if it can be mailed now. An advisory lock
 * held until the transaction ends prevents concurrent requests from exceeding the limit.
 */
async function mailLimitReset(
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
    order by l.created_at desc offset ${maxMailsPerHour - 1} limit 1`.execute(database);
  return rows[0] && new Date(rows[0].at.getTime() + hour);
}

/** A link with everything that its page and its message show. */
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
    /** It cannot be started any more. */
    isArchived: boolean;
    /** The current revision; null if the definition has no document yet. */
    revision: { id: string; inputSchema: unknown; uiOptions: unknown } | null;
  };
  /** The parameters of the parameter set; null if the link has none or the set is JSON null. */
  parameters: unknown;
  case: { id: string; name: string; recordId: string | null; workspaceId: string };
  contact: { name: string | null; email: string | null };
  workspace: { id: string; type: 'LIVE' | 'SANDBOX' };
  organization: { id: string; name: string };
}

/** @param options `lock`: lock the link until the transaction ends */
export async function findLink(
  database: Database,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select l.id, l.secret_sha256 as "secretSha256", l.expires_at as "expiresAt", l.used_at as "usedAt",
      l.used_by_view as "usedByView", l.revoked_at as "revokedAt", l.sent_at as "sentAt",
      l.execution_id as "executionId", l.created_by as "createdBy",
      ${definitionOfLink}, p.parameters,
      json_build_object('id', c.id, 'name', c.name, 'recordId', c.record_id, 'workspaceId', c.workspace_id)
        as "case",
      json_build_object('name', c.contact_name, 'email', c.contact_email) as contact,
      json_build_object('id', w.id, 'type', w.type) as workspace,
      json_build_object('id', o.id, 'name', o.name) as organization
    from links l join cases c on c.id = l.case_id join workspaces w on w.id = l.workspace_id
      join organizations o on o.id = w.organization_id
      join workflow_definitions d on d.id = l.workflow_definition_id
      ${currentRevision}
      left join parameter_sets p on p.id = l.parameters_id
    where l.id = ${id} ${lock ? sql`for update of l` : sql``}`.execute(database);
  return rows[0];
}

/** Marks a link and its parameter set as used, in the transaction of the start, which holds the link's lock. */
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
    from used where p.id = used.parameters_id and p.last_used_at <= ${staleUseBefore(now)}`.execute(database);
}

/** Records that the mail server accepted the link's message. @returns false if that was already recorded */
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

/** An execution that a link started, with what its page shows. */
export interface LinkExecution {
  id: string;
  status: ExecutionStatus;
  locale: string;
  createdAt: Date;
  endedAt: Date | null;
  /** The definition as it was at the start of the execution. */
  definition: { name: string; defaultLocale: string; uiOptions: unknown };
  caseName: string;
  workspaceType: 'LIVE' | 'SANDBOX';
  organization: string;
}

/** @returns undefined if the execution does not exist or was not started by a link */
export async function findLinkExecution(database: Database, id: string): Promise<LinkExecution | undefined> {
  const { rows } = await sql<LinkExecution>`
    select e.id, e.status, e.locale, e.created_at as "createdAt", e.ended_at as "endedAt",
      json_build_object('name', e.name, 'defaultLocale', e.locale, 'uiOptions', r.ui_options) as definition,
      c.name as "caseName", w.type as "workspaceType", o.name as organization
    from executions e join links l on l.execution_id = e.id join cases c on c.id = l.case_id
      join definition_revisions r on r.id = e.definition_revision_id
      join workspaces w on w.id = e.workspace_id join organizations o on o.id = w.organization_id
    where e.id = ${id}`.execute(database);
  return rows[0];
}
