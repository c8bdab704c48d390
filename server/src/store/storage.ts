import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Bytes that an organization can still store. @param quota for its resources and attachments together */
export async function storageLeft(
  database: Database,
  organizationId: string,
  quota: number,
): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select resource_bytes + attachment_bytes as used from organization_storage
    where organization_id = ${organizationId}`.execute(database);
  return Math.max(0, quota - (rows[0]?.used ?? 0));
}

/**
 * Whether a file fits into the quota of a workspace's organization. The row lock keeps the result valid until the
 * transaction ends and blocks other uploads of the organization, so call this in the short transaction that adds the
 * row.
 *
 * @param quota undefined: unlimited, and nothing is locked
 */
export async function hasStorage(
  transaction: Database,
  { workspaceId, size, quota }: { workspaceId: string; size: number; quota: number | undefined },
): Promise<boolean> {
  if (quota === undefined) return true;
  const { rows } = await sql<{ used: number }>`
    select resource_bytes + attachment_bytes as used from organization_storage
    where organization_id = (select organization_id from workspaces where id = ${workspaceId})
    for no key update`.execute(transaction);
  return (rows[0]?.used ?? 0) + size <= quota;
}
