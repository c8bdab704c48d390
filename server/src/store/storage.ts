import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Bytes that an organization may still store. @param quota bytes of its resources and attachments together */
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
 * Whether a workspace's organization has room for a file. The answer holds until the transaction ends: the row lock
 * makes other files of the organization wait for it, so ask in the short transaction that adds the row.
 *
 * @param quota undefined: there is always room, and nothing is locked
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
