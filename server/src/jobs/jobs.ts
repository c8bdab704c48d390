import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';

/** Every kind of job and what it is told. */
export interface JobData {
  /** Runs a thread of an execution from its checkpoint, unless that is past `step` already. */
  'execution-step': { threadId: string; step: number };
  /** Ends an execution whose time is over. */
  'execution-expiry': { executionId: string };
  /** The next attempt of a delivery. */
  'webhook-delivery': { deliveryId: string };
  /** A message that is to be sent. */
  mail: { to: string; subject: string; text: string; html?: string; template?: MailTemplate };
  'identity-provider-mfa-reset': { idpId: string };
  maintenance: Record<string, never>;
}

/** A message whose secret is put in when it is sent, so that no queue holds one. */
export interface MailTemplate {
  kind: 'link';
  linkId: string;
}

export type JobName = keyof JobData;

export interface EnqueueOptions {
  /** Not before then; at once without it. */
  startAfter?: Date;
}

export interface Jobs {
  /** Adds a job in the transaction of the change that asks for it: none is lost, none is for nothing. */
  enqueue<Name extends JobName>(
    transaction: Database,
    name: Name,
    data: JobData[Name],
    options?: EnqueueOptions,
  ): Promise<void>;
}

export interface RunningJob {
  id: string;
  /** Aborted when the job is to end: the platform stops, or another process has taken the job over. */
  signal: AbortSignal;
}

export type Workers = { [Name in JobName]?: (data: JobData[Name], job: RunningJob) => Promise<void> };

export interface JobQueue extends Jobs {
  /** Begins to work on jobs; a kind without a worker waits for another process. */
  work(workers: Workers): Promise<void>;
  stop(): Promise<void>;
}

interface Queue {
  retryLimit: number;
  retryDelay?: number;
  retryBackoff?: boolean;
  retryDelayMax?: number;
  expireInSeconds: number;
  /** A job whose worker is silent for so long is given to another. */
  heartbeatSeconds?: number;
  /** How many of them this process works on at once; 1 unless told. */
  concurrency?: number;
  /** Seconds between looks at the queue. */
  pollingIntervalSeconds?: number;
}

/** Retried with a growing delay over about a day, then kept as failed. */
const overADay = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 };
/** What a crash interrupted goes on within half a minute. */
const takenOver = { retryLimit: 1000, retryDelay: 1, heartbeatSeconds: 10, pollingIntervalSeconds: 0.5 };

const queues: Record<JobName, Queue> = {
  'execution-step': { ...takenOver, expireInSeconds: 3600, concurrency: 20 },
  'execution-expiry': { ...takenOver, expireInSeconds: 60 },
  'webhook-delivery': { ...takenOver, expireInSeconds: 120, concurrency: 20 },
  mail: { ...overADay, expireInSeconds: 120 },
  'identity-provider-mfa-reset': { ...overADay, expireInSeconds: 60 },
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
  for (const [name, { concurrency: _, pollingIntervalSeconds: __, ...options }] of Object.entries(queues)) {
    await boss.createQueue(name, options);
  }

  return {
    async enqueue(transaction, name, data, options = {}) {
      await boss.send(name, data, { db: fromKysely(transaction), ...options });
    },
    async work(workers) {
      for (const name of Object.keys(workers) as JobName[]) {
        const run = workers[name] as (data: object, job: RunningJob) => Promise<void>;
        const { concurrency = 1, pollingIntervalSeconds = 2 } = queues[name];
        const options = { localConcurrency: concurrency, pollingIntervalSeconds };
        await boss.work<object>(name, options, async (jobs) => {
          for (const { data, id, signal } of jobs) await run(data, { id, signal });
        });
      }
      await boss.schedule('maintenance', '*/15 * * * *');
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}
