import { sql } from 'kysely';
import { isoTime } from '../../postgres-client/index.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';
import { boundOf, equals, type Page, type PageQuery, pageOf } from './pages.ts';

export type LinkState = 'open' | 'used' | 'revoked' | 'expired';

/** A link without its URL, which is shown only once. */
export interface ListedLink {
  id: string;
  state: LinkState;
  case: { id: string; name: string };
  workflowDefinition: { id: string; name: string };
  createdBy: { id: string; email: string };
  /** The execution that it started. */
  workflowId: string | null;
  createdDateTime: string;
  expiresAt: string;
  /** When the mail server accepted its message. */
  sentDateTime: string | null;
  usedDateTime: string | null;
  revokedDateTime: string | null;
}

export interface LinkFilter {
  /** Include links that cannot be used any more. */
  all: boolean;
  caseId?: string | undefined;
}

/** Newest first. */
export async function listLinks(
  database: Database,
  { all, caseId }: LinkFilter,
  page: PageQuery,
  now: Date,
): Promise<Page<ListedLink>> {
  // A range of the index `links_ended`: those that can be used, and those that were revoked before they expired.
  const isUsable = all
    ? sql`true`
    : sql`least(used_at, expires_at) > ${now} and used_at is null and revoked_at is null`;
  const { rows } = await sql<ListedLink & { created_at: Date }>`
    select l.created_at, l.id, case when l.used_at is not null then 'used' when l.revoked_at is not null then 'revoked'
        when l.expires_at <= ${now} then 'expired' else 'open' end as state,
      json_build_object('id', c.id, 'name', c.name) as "case",
      json_build_object('id', d.id, 'name', d.name) as "workflowDefinition",
      json_build_object('id', u.id, 'email', u.email) as "createdBy", l.execution_id as "workflowId",
      ${isoTime('l.created_at')} as "createdDateTime", ${isoTime('l.expires_at')} as "expiresAt",
      ${isoTime('l.sent_at')} as "sentDateTime", ${isoTime('l.used_at')} as "usedDateTime",
      ${isoTime('l.revoked_at')} as "revokedDateTime"
    from (
        select * from links where ${isUsable} and ${equals('case_id', caseId)}
          and (created_at, id) < ${boundOf(page, 'descending')}
        order by created_at desc, id desc limit ${page.size + 1}) l
      join cases c on c.id = l.case_id join users u on u.id = l.created_by
      join workflow_definitions d on d.id = l.workflow_definition_id
    order by l.created_at desc, l.id desc`.execute(database);
  return pageOf(rows, page, ({ created_at: _, ...link }) => link);
}

export async function hasCase(database: Database, id: string): Promise<boolean> {
  const found = await database.selectFrom('cases').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

/**
 * - `used`: the link has already started an execution
 * - `unknown`: there is no such link, or the token is not the link's
 */
export type LinkRevocation = 'revoked' | 'already_revoked' | 'used' | 'unknown';

/**
 * Revokes a link, expired or not, so that it cannot start an execution any more.
 *
 * @param transaction in which the link is locked
 * @param link its identifier; and the digest of its token, if the caller identified it by its URL
 */
export async function revokeLink(
  transaction: Database,
  { id, secretSha256 }: { id: string; secretSha256?: Buffer | undefined },
  now: Date,
): Promise<LinkRevocation> {
  const link = await transaction
    .selectFrom('links')
    .innerJoin('workspaces', 'workspaces.id', 'links.workspace_id')
    .select(['used_at', 'revoked_at', 'secret_sha256', 'organization_id as organizationId'])
    .where('links.id', '=', id)
    .forUpdate('links')
    .executeTakeFirst();
  if (!link || (secretSha256 && !link.secret_sha256.equals(secretSha256))) return 'unknown';
  if (link.used_at) return 'used';
  if (link.revoked_at) return 'already_revoked';
  await transaction.updateTable('links').set({ revoked_at: now }).where('id', '=', id).execute();
  auditChange(transaction, { object: { kind: 'link', id }, organizationId: link.organizationId });
  return 'revoked';
}
