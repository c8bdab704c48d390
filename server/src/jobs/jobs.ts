import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import type { QueuedDelivery } from '../store/webhook-relay.ts';
import { dueTimers } from './due-timers.ts';
import { type ConcurrencyLimits, openWorkerPool, type WorkerPool } from './worker-pool.ts';

/** Every kind of job and what it is told. */
export interface JobData {
  /**
   * Takes a thread of an execution on from its checkpoint, unless a job of a later turn has it already.
   * `dueAt`: it is the end of a wait for an answer, which may have been put off meanwhile.
   */
  'execution-step': { threadId: string; turn: number; dueAt?: string };
  /** The same for a thread whose step exceeds the limits under which `execution-step` evaluates it. */
  'execution-slow-step': { threadId: string; turn: number; dueAt?: string; organizationId: string };
  /** Does the work outside that a thread waits for, and takes the thread on with its outcome. */
  'execution-call': { threadId: string; turn: number };
  /** An attempt of a delivery, unless that was made already. */
  'webhook-delivery': QueuedDelivery;
  mail: MailJob;
  'identity-provider-mfa-reset': { idpId: string };
  maintenance: Record<string, never>;
  'blob-sweep': Record<string, never>;
}

/** A message that is to be sent: as somebody wrote it, or made when it is sent, so that no queue holds its secret. */
export type MailJob = WrittenMail | { template: { kind: 'link'; linkId: string } };

export interface WrittenMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The workspace that it leaves: what leaves a SANDBOX one is marked. */
  workspaceId: string;
}

export type JobName = keyof JobData;

export interface EnqueueOptions {
  /** Not before so much time has passed, whatever the database takes the time to be; at once without it. */
  delayMilliseconds?: number;
}

export interface Jobs {
  /** Adds a job in the transaction of the change that asks for it: none is lost, none is for nothing. */
  enqueue<Name extends JobName>(
    transaction: Database,
    name: Name,
    data: JobData[Name],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many jobs of a kind at once. */
  enqueueAll<Name extends JobName>(transaction: Database, name: Name, data: JobData[Name][]): Promise<void>;
  /** Polls the queue now, if this process works on it: jobs were committed or became due. */
  poll(name: JobName): void;
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
  /** `exclusive`: one job at a time, queued or active, in all processes. */
  policy?: 'exclusive';
  retryLimit: number;
  retryDelay?: number;
  retryBackoff?: boolean;
  retryDelayMax?: number;
  expireInSeconds: number;
  /** A job whose worker is silent for so long is given to another. */
  heartbeatSeconds?: number;
  /** How many of them this process works on at once; 1 unless told. */
  concurrency?: number;
  /**
   * Jobs taken from the queue together: for short ones, as they are fetched and settled together, and the
   * slowest holds up the rest. Default: 1.
   */
  batchSize?: number;
  /** Workers are notified of new jobs; without it, they find them by polling. */
  notify?: boolean;
  /** Seconds between polls of the queue. */
  pollingIntervalSeconds?: number;
  /** How long a finished job is kept, and one that nobody takes; pg-boss: 7 and 14 days. */
  deleteAfterSeconds?: number;
  retentionSeconds?: number;
  /** Jobs of it begin and end one by one, each group of them within limits of its own; see `openWorkerPool`. */
  limits?: ConcurrencyLimits;
}

/** Jobs of one statement: making it takes this process some milliseconds. */
const insertedAtOnce = 2_000;

/** Retried with a growing delay over about a day, then kept as failed. */
const overADay = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 };
/** What a crash interrupted goes on within half a minute. */
const takenOver = { retryLimit: 1000, retryDelay: 1, heartbeatSeconds: 10, pollingIntervalSeconds: 0.5 };

/** Jobs whose outcome stands elsewhere: a done one is of no interest, and many come and go. */
const ownStore = { notify: true, deleteAfterSeconds: 600, retentionSeconds: 60 * 86_400 };

const queues: Record<JobName, Queue> = {
  'execution-step': { ...takenOver, ...ownStore, expireInSeconds: 300, concurrency: 2, batchSize: 20 },
  // One of each organization at a time, so that an organization whose definitions loop holds up itself.
  'execution-slow-step': {
    ...takenOver,
    ...ownStore,
    notify: false,
    expireInSeconds: 300,
    limits: { all: 2, group: 1 },
  },
  'execution-call': {
    ...takenOver,
    ...ownStore,
    notify: false,
    expireInSeconds: 1800,
    limits: { all: 100, group: 100 },
  },
  'webhook-delivery': {
    ...takenOver,
    ...ownStore,
    notify: false,
    expireInSeconds: 120,
    limits: { all: 256, group: 16, tiers: { failing: 4 } },
  },
  mail: { ...overADay, expireInSeconds: 120, concurrency: 4 },
  'identity-provider-mfa-reset': { ...overADay, expireInSeconds: 60 },
  maintenance: { retryLimit: 0, expireInSeconds: 600 },
  // To list a large store takes minutes, so it is a job of its own. The next one is soon enough after a crash.
  'blob-sweep': { policy: 'exclusive', retryLimit: 0, expireInSeconds: 6 * 3600, heartbeatSeconds: 60 },
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
    useListenNotify: true,
    // How soon after its last heartbeat a dead worker's job is found.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Done jobs are deleted that often; a day of them would slow everything down.
    maintenanceIntervalSeconds: 300,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  try {
    await boss.start();
    for (const [name, queue] of Object.entries(queues)) {
      const { concurrency: _, batchSize: __, pollingIntervalSeconds: ___, limits: ____, ...options } = queue;
      await boss.createQueue(name, options);
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }

  const pools = new Map<JobName, WorkerPool>();
  const working = new Map<JobName, string>();
  const poll = (name: JobName) => {
    const worker = working.get(name);
    if (worker) boss.notifyWorker(worker);
    else pools.get(name)?.poll();
  };
  const later = dueTimers<JobName>(poll);

  return {
    async enqueue(transaction, name, data, options = {}) {
      const { delayMilliseconds } = options;
      const delay = delayMilliseconds && { startAfter: delayMilliseconds / 1000 };
      await boss.send(name, data, { db: fromKysely(transaction), ...groupOf(data), ...delay });
      // No notification is sent for jobs that are due later, nor for those that a pool finds after the commit.
      if (delayMilliseconds || pools.has(name)) later.set(name, Math.max(delayMilliseconds ?? 0, 0));
    },
    async enqueueAll(transaction, name, all) {
      const options = { db: fromKysely(transaction) };
      for (let start = 0; start < all.length; start += insertedAtOnce) {
        const some = all.slice(start, start + insertedAtOnce);
        await boss.insert(
          name,
          some.map((data) => ({ data, ...groupOf(data) })),
          options,
        );
      }
    },
    poll,
    async work(workers) {
      for (const name of Object.keys(workers) as JobName[]) {
        const run = workers[name] as (data: object, job: RunningJob) => Promise<void>;
        const { concurrency = 1, batchSize = 1, notify, pollingIntervalSeconds = 2 } = queues[name];
        const { limits, heartbeatSeconds = 10 } = queues[name];
        if (limits) {
          pools.set(name, openWorkerPool({ boss, queue: name, limits, heartbeatSeconds, run, logger }));
          continue;
        }
        const options = {
          ...{ localConcurrency: concurrency, batchSize, burstWhenBatchFull: batchSize > 1 },
          // Jobs that another process adds for later come without notification, so polling goes on.
          ...{ pollingIntervalSeconds, ...(notify && { notifyPollingIntervalSeconds: 2 }) },
        };
        const worker = await boss.work<object>(name, { ...options, perJobResults: true }, (jobs) =>
          Promise.all(jobs.map((job) => settle(job, run, logger.child({ job: name })))),
        );
        working.set(name, worker);
      }
      await boss.schedule('maintenance', '*/15 * * * *');
      await boss.schedule('blob-sweep', '7 * * * *');
    },
    async stop() {
      later.clear();
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

/** What a job shares its concurrency limit with: deliveries with those to the same endpoint, slow steps with the organization's. */
function groupOf(data: object): { group?: { id: string; tier?: string } } {
  if ('organizationId' in data) return { group: { id: data.organizationId as string } };
  if (!('endpointId' in data)) return {};
  const { endpointId, failing } = data as QueuedDelivery;
  return { group: { id: endpointId, ...(failing && { tier: 'failing' }) } };
}

/** Each job of a batch comes out by itself. */
async function settle(
  { id, data, signal }: { id: string; data: object; signal: AbortSignal },
  run: (data: object, job: RunningJob) => Promise<void>,
  logger: Logger,
): Promise<{ id: string; status: 'completed' | 'failed'; output?: object }> {
  try {
    await run(data, { id, signal });
    return { id, status: 'completed' };
  } catch (error) {
    logger.warn({ err: error, jobId: id }, 'job failed');
    return { id, status: 'failed', output: { message: (error as Error).message } };
  }
}
