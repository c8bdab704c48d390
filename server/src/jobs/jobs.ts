import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { afterCommit, withNext } from '../../postgres-client/index.ts';
import type { Database } from '../store/database.ts';
import type { QueuedDelivery } from '../store/webhook-relay.ts';
import { type ConcurrencyLimits, openWorkerPool, type WorkerPool } from './worker-pool.ts';
import { workerWakes } from './worker-wakes.ts';

/** The job types and their data. */
export interface JobData {
  /**
   * Runs a thread of an execution from its checkpoint, unless a job of a later turn has it already. `dueAt`: the job
   * checks the deadline of a callback, which may have moved since.
   */
  'execution-step': { threadId: string; turn: number; dueAt?: string };
  /** The same for a thread whose step exceeds the limits under which `execution-step` evaluates it. */
  'execution-slow-step': { threadId: string; turn: number; dueAt?: string; organizationId: string };
  /** Makes the call that a thread waits for, then runs the thread. */
  'execution-call': { threadId: string; turn: number; organizationId: string };
  /** Makes an attempt of a delivery, unless it has been made already. */
  'webhook-delivery': QueuedDelivery;
  mail: MailJob;
  'identity-provider-mfa-reset': { idpId: string };
  maintenance: Record<string, never>;
  'blob-sweep': Record<string, never>;
}

/** A message to send: complete, or a template that is filled when it is sent, so that the queue stores no secret. */
export type MailJob = WrittenMail | { template: { kind: 'link'; linkId: string } };

export interface WrittenMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Messages of a SANDBOX workspace are marked. */
  workspaceId: string;
}

export type JobName = keyof JobData;

export interface EnqueueOptions {
  /** Default: none. The delay does not depend on the clock of the database. */
  delayMilliseconds?: number;
}

export interface Jobs {
  /**
   * Adds a job in the transaction of the change that requires it. If that is a transaction of `transact`, workers are
   * woken after the commit: those of this process or, if it has none, of others. Otherwise they find the job at their next
   * poll. A delayed job wakes those of this process when it is due.
   */
  enqueue<Name extends JobName>(
    transaction: Database,
    name: Name,
    data: JobData[Name],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many jobs of a type. */
  enqueueAll<Name extends JobName>(transaction: Database, name: Name, data: JobData[Name][]): Promise<void>;
  /** Polls the queue now, if this process has workers for it. */
  poll(name: JobName): void;
}

export interface RunningJob {
  id: string;
  /** Aborted when the platform stops or another process has taken over the job. */
  signal: AbortSignal;
}

export type Workers = { [Name in JobName]?: (data: JobData[Name], job: RunningJob) => Promise<void> };

export interface JobQueue extends Jobs {
  /** Starts the workers. Jobs of a type without a worker wait for another process. */
  work(workers: Workers): Promise<void>;
  /** @throws if the queue cannot be reached */
  check(): Promise<void>;
  /** How many jobs of each type there are. The numbers are a few seconds old. */
  counts(): Promise<JobCounts[]>;
  /** Starts no more jobs, and ends the active ones within about five seconds. Jobs can still be added. */
  stopWorking(): Promise<void>;
  stop(): Promise<void>;
}

export interface JobCounts {
  name: JobName;
  /** To be started now. */
  ready: number;
  /** To be started later. */
  deferred: number;
  active: number;
  /** How long the next job has been due; 0 if there is none. */
  waitingSeconds: number;
}

interface QueueSettings {
  /** The queue in pg-boss. A job whose worker has sent no heartbeat for `heartbeatSeconds` is taken over by another. */
  queue: NonNullable<Parameters<PgBoss['createQueue']>[1]>;
  /** Active jobs of this process. Default: 1. */
  concurrency?: number;
  /** Jobs fetched together. Suitable for short jobs, because the slowest one delays the others. Default: 1. */
  batchSize?: number;
  /** Default: 2. */
  pollingIntervalSeconds?: number;
  /** Jobs start and end independently, with a concurrency limit for each group; see `openWorkerPool`. */
  limits?: ConcurrencyLimits;
}

/** Processes that start at the same time create the queue one after another. */
const startTimeoutMilliseconds = 60_000;
/** Options of pg-boss's connections that its types lack: the host of the database may vanish without closing them. */
const forPool = { keepAlive: true, query_timeout: 60_000 };
/** How long active jobs may take after the workers are stopped. */
const graceMilliseconds = 3_500;
/** How long jobs that did not end in that time may take to abort. */
const abortMilliseconds = 1_000;
/** Jobs inserted by one statement, which takes some milliseconds to build. */
const insertSize = 2_000;

/** Retried with a growing delay over about a day, then kept as failed. */
const overADay = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 };
/**
 * Many jobs, whose outcome is stored elsewhere, so finished ones need not be kept. After a crash, another process takes
 * them over within half a minute. What fails is retried for at least 30 days, the longest time that anything waits for
 * them: an outage may end no execution.
 */
const frequent = {
  retryLimit: 100_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 600,
  retentionSeconds: 60 * 86_400,
};

const queues: Record<JobName, QueueSettings> = {
  'execution-step': {
    queue: { ...frequent, expireInSeconds: 300 },
    concurrency: 2,
    batchSize: 20,
    pollingIntervalSeconds: 0.5,
  },
  // One job for each organization at a time, so that slow definitions delay only their own organization.
  'execution-slow-step': { queue: { ...frequent, expireInSeconds: 300 }, limits: { all: 2, group: 1 } },
  // Slow servers of one organization leave slots for the calls of others.
  'execution-call': { queue: { ...frequent, expireInSeconds: 1800 }, limits: { all: 256, group: 100 } },
  'webhook-delivery': {
    queue: { ...frequent, expireInSeconds: 120 },
    limits: { all: 256, group: 16, tiers: { failing: 4 } },
  },
  mail: { queue: { ...overADay, expireInSeconds: 120 }, concurrency: 4 },
  'identity-provider-mfa-reset': { queue: { ...overADay, expireInSeconds: 60 } },
  maintenance: { queue: { retryLimit: 0, expireInSeconds: 600 } },
  // A separate job, because listing a large store takes minutes, and only one at a time in all processes. After a
  // crash, the next scheduled job is soon enough.
  'blob-sweep': {
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 6 * 3600, heartbeatSeconds: 60 },
  },
};

/** Opens the job queue of one environment: pg-boss, in a schema of its own. */
export async function openJobs({
  connection,
  schema,
  logger,
  connections = 5,
  works = true,
}: {
  /** Connection string. */
  connection: string;
  schema: string;
  logger: Logger;
  /** The maximum number of connections. A queue that works needs one to be notified. Default: 5. */
  connections?: number;
  /** Whether this process has workers; otherwise it only adds jobs. Default: true. */
  works?: boolean;
}): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: connection,
    schema,
    max: works ? connections - 1 : connections,
    connectionTimeoutMillis: startTimeoutMilliseconds,
    ...forPool,
    useListenNotify: works,
    supervise: works,
    schedule: works,
    // How often jobs of dead workers are detected.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // How often finished jobs are deleted; a day's jobs would slow the queue down.
    maintenanceIntervalSeconds: 300,
  });
  let isStopped = false;
  // Connections that are closing report the end of the server.
  boss.on('error', (error) => isStopped || logger.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  try {
    await boss.start();
    const existing = new Map((await boss.getQueues(Object.keys(queues))).map((queue) => [queue.name, queue]));
    for (const [name, settings] of Object.entries(queues)) {
      // Workers are woken after the commit instead; see `notifyOthers`.
      const queue = { notify: false, ...settings.queue };
      const found = existing.get(name);
      if (!found) await boss.createQueue(name, queue);
      else if (!isDeepStrictEqual({ ...found, ...queue }, found)) {
        // Of a version with other settings. The policy of a queue is fixed.
        const { policy, ...settings } = queue;
        await boss.updateQueue(name, settings);
      }
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }

  const pools = new Map<JobName, WorkerPool>();
  /** Each polls by itself. */
  const workerIds = new Map<JobName, string[]>();
  const poll = (name: JobName) => {
    pools.get(name)?.poll();
    for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id);
  };
  let isStopping = false;
  const wakes = workerWakes<JobName>((name) => {
    if (!isStopping && (pools.has(name) || workerIds.has(name))) poll(name);
    // Only a hint: without it, they find the job at their next poll.
    else if (!queues[name].limits)
      boss
        .getDb()
        .executeSql(notifyOthers, [schema, name])
        .catch(() => {});
  });
  const stopWorking = async () => {
    isStopping = true;
    wakes.clear();
    const ended = [
      ...[...pools.values()].map((pool) => pool.stop()),
      ...[...workerIds.keys()].map((name) => boss.offWork(name, { wait: true })),
    ];
    const limit = sleep(graceMilliseconds + abortMilliseconds, undefined, { ref: false });
    await Promise.race([Promise.all(ended), limit]);
  };

  /** Jobs of a batch succeed or fail independently. */
  const runOrFail = async (
    name: JobName,
    job: Fetched,
    run: (data: object, job: RunningJob) => Promise<void>,
  ) => {
    try {
      await run(job.data, job);
    } catch (error) {
      logger.warn({ err: error, jobId: job.id, job: name }, 'job failed');
      await boss.fail(name, job, { message: (error as Error).message });
    }
  };

  return {
    async enqueue(transaction, name, data, options = {}) {
      const { delayMilliseconds } = options;
      const delay = delayMilliseconds && { startAfter: delayMilliseconds / 1000 };
      await boss.send(name, data, { db: withoutResult(transaction), ...rankOf(data), ...delay });
      if (delayMilliseconds !== undefined && delayMilliseconds > 0) wakes.after(name, delayMilliseconds);
      else afterCommit(transaction, () => wakes.soon(name));
    },
    async enqueueAll(transaction, name, all) {
      const options = { db: withoutResult(transaction) };
      for (let start = 0; start < all.length; start += insertSize) {
        const some = all.slice(start, start + insertSize);
        await boss.insert(
          name,
          some.map((data) => ({ data, ...rankOf(data) })),
          options,
        );
      }
      if (all.length > 0) afterCommit(transaction, () => wakes.soon(name));
    },
    poll,
    async work(workers) {
      for (const name of Object.keys(workers) as JobName[]) {
        const run = workers[name] as (data: object, job: RunningJob) => Promise<void>;
        const { limits, concurrency = 1, batchSize = 1, pollingIntervalSeconds = 2 } = queues[name];
        if (limits) {
          const { heartbeatSeconds } = frequent;
          const pool = openWorkerPool({
            ...{ boss, queue: name, limits, heartbeatSeconds, run, logger },
            ...{ graceMilliseconds, abortMilliseconds },
          });
          pools.set(name, pool);
          continue;
        }
        const options = {
          batchSize,
          burstWhenBatchFull: batchSize > 1,
          pollingIntervalSeconds,
          // For a queue of an older release, until pg-boss knows its new settings.
          notifyPollingIntervalSeconds: pollingIntervalSeconds,
        };
        // With a result for each job, pg-boss would search all jobs of the queue. It completes those that did not fail.
        const work = async (jobs: Fetched[]) => {
          const ended = await Promise.allSettled(jobs.map((job) => runOrFail(name, job, run)));
          // A failure that could not be stored fails the batch, once no job of it is active.
          for (const job of ended) if (job.status === 'rejected') throw job.reason;
        };
        const starting = Array.from({ length: concurrency }, () => boss.work<object>(name, options, work));
        workerIds.set(name, await Promise.all(starting));
      }
      await boss.schedule('maintenance', '*/15 * * * *');
      await boss.schedule('blob-sweep', '7 * * * *');
    },
    async check() {
      if (!(await boss.isInstalled())) throw new Error(`The schema ${schema} does not exist.`);
    },
    async counts() {
      const names = Object.keys(queues) as JobName[];
      const [known, waiting] = await Promise.all([
        boss.getQueues(names),
        // The first of each queue in the order in which they are started, read from an index.
        boss.getDb().executeSql(
          `select name, greatest(extract(epoch from now() - due.start_after), 0)::float8 as seconds
            from unnest($1::text[]) as name, lateral (
              select start_after from ${schema}.job j
              where j.name = name and state < 'active' and not blocked and start_after <= now()
              order by priority desc, created_on limit 1) due`,
          [names],
        ),
      ]);
      const seconds = new Map(waiting.rows.map(({ name, seconds }) => [name, seconds]));
      return known.map(({ name, readyCount, deferredCount, activeCount }) => ({
        ...{ name: name as JobName, ready: readyCount, deferred: deferredCount, active: activeCount },
        waitingSeconds: seconds.get(name) ?? 0,
      }));
    },
    stopWorking,
    async stop() {
      await stopWorking();
      await boss.stop({ graceful: true, timeout: abortMilliseconds });
      isStopped = true;
    },
  };
}

/**
 * Wakes the workers of other processes, on the channel on which pg-boss listens. pg-boss itself would notify in the
 * transaction that adds the job, and PostgreSQL commits such transactions one after another.
 */
const notifyOthers =
  "select pg_notify('pgboss_' || left(encode(sha224($1::text::bytea), 'hex'), 24), $2::text)";

/** Statements of pg-boss in a transaction. They share a round trip with the next one, so the IDs of jobs are unknown. */
function withoutResult(transaction: Database): ReturnType<typeof fromKysely> {
  const { executeSql } = fromKysely(transaction);
  return { executeSql: (text, values) => executeSql(`${text} ${withNext}`, values) };
}

/**
 * The group whose concurrency limit a job shares: the endpoint of a delivery, the organization of a call or slow step.
 *
 * Deliveries to a failing endpoint are a group of their own: once it works again, its other deliveries must not keep
 * them waiting. They start after all others: otherwise many of them would fill each fetch, although few may start.
 */
function rankOf(data: object): { group?: { id: string; tier?: string }; priority?: number } {
  if ('organizationId' in data) return { group: { id: data.organizationId as string } };
  if (!('endpointId' in data)) return {};
  const { endpointId: id, failing } = data as QueuedDelivery;
  return failing ? { group: { id: `${id} failing`, tier: 'failing' }, priority: -1 } : { group: { id } };
}

/** A job that a worker of pg-boss has fetched. */
type Fetched = Parameters<Parameters<typeof PgBoss.prototype.work<object>>[2]>[0][number];
