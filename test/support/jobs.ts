import { sql } from 'kysely';
import type { JobName } from '../../server/src/jobs/jobs.ts';
import type { Database } from '../../server/src/store/database.ts';

/** Moves the start of delayed jobs forward: the queue uses the database's clock, which tests cannot move. */
export async function bringForward(
  database: Database,
  name: JobName,
  seconds: number,
  schema = 'production_jobs',
): Promise<void> {
  await sql`update ${sql.table(`${schema}.job`)} set start_after = start_after - ${seconds} * interval '1 second'
    where name = ${name} and state < 'active' and start_after > now()`.execute(database);
}
