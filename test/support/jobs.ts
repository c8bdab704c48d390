import { sql } from 'kysely';
import type { JobName, JobQueue } from '../../server/src/jobs/jobs.ts';
import type { Database } from '../../server/src/store/database.ts';
import { until } from './waiting.ts';

/**
 * Runs a scheduled job of production, and returns once the queue has recorded its end. What a job logs or counts comes
 * earlier, and a queue with one job at a time drops a new one until then.
 */
export async function runJob(
  { database, jobs }: { database: Database; jobs: JobQueue },
  name: 'maintenance' | 'blob-sweep',
): Promise<void> {
  await jobs.enqueue(database, name, {});
  jobs.poll(name);
  await until(async () => {
    const { rows } = await sql`select from production_jobs.job
      where name = ${name} and state < 'completed'`.execute(database);
    return rows.length === 0;
  });
}

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
