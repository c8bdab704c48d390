import { fromKysely, PgBoss } from 'pg-boss';

import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';

/** Every kind of job and what it is told. */
export interface JobData {
  'identity-provider-mfa-reset': { idpId: string };
  maintenance: Record<string, never>;
}

export type JobName = keyof JobData;

export interface Jobs {
  /** Adds a job in the transaction of the change that asks for it: none is lost, none is for nothing. */
  enqueue<Name extends JobName>(transaction: Database, name: Name, data: JobData[Name]): Promise<void>;
}

export type Workers = { [Name in JobName]?: (data: JobData[Name], jobId: string) => Promise<void> };

export interface JobQueue extends Jobs {
  /** Begins to work on jobs; a kind without a worker waits for another process. */
  work(workers: Workers): Promise<void>;
  stop(): Promise<void>;
}

/** Retried with a growing delay over about a day, then kept as failed. */
const retries = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 };

const queues: Record<JobName, object> = {
  'identity-provider-mfa-reset': { ...retries, expireInSeconds: 60 },
  maintenance: { retryLimit: 0, expireInSeconds: 600 },
};

/** Opens the job queue of one environment: pg-boss, in a schema of its own beside the environment's. */
export async function openJobs({
  connection,
  schema,
  logger,
}: {
  /** As DATABASE_URL would be. */
  connection: string;
  schema: string;
  logger: Logger;
}): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: connection,
    schema,
    max: 4,
    superviseIntervalSeconds: 15,
    monitorIntervalSeconds: 15,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  await boss.start();
  await Promise.all(Object.entries(queues).map(([name, options]) => boss.createQueue(name, options)));

  return {
    async enqueue(transaction, name, data) {
      await boss.send(name, data, { db: fromKysely(transaction) });
    },
    async work(workers) {
      for (const name of Object.keys(workers) as JobName[]) {
        const run = workers[name] as (data: object, jobId: string) => Promise<void>;
        await boss.work<object>(name, async (jobs) => {
          for (const job of jobs) await run(job.data, job.id);
        });
      }
      await boss.schedule('maintenance', '*/15 * * * *');
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}
