import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/**
 * Books `used` requests already answered and leases `wanted` more out of the window's budget, for all
 * processes on this database together.
 *
 * @returns how many of the wanted were granted: 0 where the budget is used up
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

/** Forgets windows that are over. */
export async function forgetLeases(database: Database, before: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with forgotten as materialized (
        select subject, window_start from rate_leases
        where window_start < ${before} limit ${limit} for update skip locked)
      delete from rate_leases l using forgotten f
      where l.subject = f.subject and l.window_start = f.window_start`,
  );
}
