import { sql } from 'kysely';
import { deleteInBatches } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';

/**
 * Records `used` requests and leases `wanted` more from the window's limit, which all processes on this database
 * share.
 *
 * @returns how many requests were granted: 0 if the limit is reached
 */
export async function leaseRequests(
  database: Database,
  lease: { subject: string; windowStart: Date; used: number; wanted: number; limit: number },
): Promise<number> {
  const { subject, windowStart, used, wanted, limit } = lease;
  const { rows } = await sql<{ before: number }>`
    insert into rate_leases as lease (subject, window_start, used)
    values (${subject}, ${windowStart}, ${used + wanted}::integer)
    on conflict (subject, window_start) do update set used = lease.used + ${used + wanted}::integer
    returning used - ${wanted}::integer as before
  `.execute(database);
  const before = rows[0]?.before ?? limit;
  return Math.max(0, Math.min(wanted, limit - before));
}

/** Deletes windows that have ended. */
export async function deleteExpiredLeases(database: Database, before: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with expired as materialized (
        select subject, window_start from rate_leases
        where window_start < ${before} limit ${limit} for update skip locked)
      delete from rate_leases l using expired e
      where l.subject = e.subject and l.window_start = e.window_start`,
  );
}
