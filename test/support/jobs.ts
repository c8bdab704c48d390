import { sql } from 'kysely';
import type { JobName } from '../../server/src/jobs/jobs.ts';
import type { Database } from '../../server/src/store/database.ts';

/** Makes jobs that are for later due so much sooner: the queue goes by the database's clock, which nobody can move. */
export async function bringForward(
  database: Database,
  name: JobName,
  seconds: number,
  schema = 'production_jobs',
): Promise<void> {
  await sql`update ${sql.table(`${schema}.job`)} set start_after = start_after - ${seconds} * interval '1 second'
    where name = ${name} and state < 'active' and start_after > now()`.execute(database);
}
