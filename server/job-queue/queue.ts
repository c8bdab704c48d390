import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { afterCommit, withNext } from '../postgres-client/index.ts';
import { channelOf, followRounds } from './rounds.ts';
import {
  type ConcurrencyLimits,
  heartbeatShare,
  type Log,
  openWorkerPool,
  type WorkerPool,
} from './worker-pool.ts';
import { workerWakes } from './worker-wakes.ts';

export interface EnqueueOptions {
  /** Default: none. The delay does not depend on the clock of the database. */
  delayMilliseconds?: number;
}

/**
 * Adds jobs.
 *
 * @typeParam Data the data of each job type, by its name
 * @typeParam Schema the tables of the transactions that add jobs
 */
export interface JobAdder<Data extends object, Schema> {
  /**
   * Adds a job in the transaction of the change that requires it. If that is a transaction of `transact`, workers of
   * this process and of others are woken after the commit; otherwise, the next round finds the job. A delayed job wakes
   * them when it is due.
   */
  enqueue<Name extends NameOf<Data>>(
    transaction: Kysely<Schema>,
    name: Name,
    data: Data[Name],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many jobs of a type. @param delaysMilliseconds of each job, in the same order; default: none is delayed */
  enqueueAll<Name extends NameOf<Data>>(
    transaction: Kysely<Schema>,
    name: Name,
    data: Data[Name][],
    delaysMilliseconds?: number[],
  ): Promise<void>;
  /** Fetches jobs of the queue now, in each process that has workers for it. */
  poll(name: NameOf<Data>): void;
  /** Calls what processes have given to `on`, in this process and in others. */
  signal(topic: string): void;
}

export interface RunningJob {
  id: string;
  /** Aborted when the platform stops or another process has taken over the job. */
  signal: AbortSignal;
}

export type Workers<Data extends object> = {
  [Name in NameOf<Data>]?: (data: Data[Name], job: RunningJob) => Promise<void>;
};

export interface JobQueue<Data extends object, Schema> extends JobAdder<Data, Schema> {
  /** Calls `listener` at each `signal` of the topic, of which there may be more or fewer than changes. */
  on(topic: string, listener: () => void): void;
  /**
   * Calls `work` in each round. Rounds are made by one of the processes that work, about every two seconds: they find
   * what a lost signal was about.
   */
  onRound(work: () => Promise<unknown>): void;
  /** Starts the workers. Jobs of a type without a worker wait for another process. */
  work(workers: Workers<Data>): Promise<void>;
  /** @throws if the queue cannot be reached */
  check(): Promise<void>;
  /** How many jobs of each type there are. The numbers are a few seconds old. */
  counts(): Promise<JobCounts<NameOf<Data>>[]>;
  /** Starts no more jobs, and ends the active ones within about five seconds. Jobs can still be added. */
  stopWorking(): Promise<void>;
  stop(): Promise<void>;
}

export interface JobCounts<Name extends string> {
  name: Name;
  /** To be started now. */
  ready: number;
  /** To be started later. */
  deferred: number;
  active: number;
  /** How long the next job has been due; 0 if there is none. */
  waitingSeconds: number;
}

/**
 * The queue in pg-boss. A job whose worker has sent no heartbeat for `heartbeatSeconds` is taken over by another: two
 * seconds later if it has a group, otherwise eight.
 */
type BossQueue = NonNullable<Parameters<PgBoss['createQueue']>[1]>;

export interface PolledQueue {
  queue: BossQueue;
  /** Active jobs of this process. Default: 1. */
  concurrency?: number;
  /** Jobs fetched together. Suitable for short jobs, because the slowest one delays the others. Default: 1. */
  batchSize?: number;
  limits?: never;
}

/** Its jobs start and end independently, with a concurrency limit for each group; see `openWorkerPool`. */
export interface PooledQueue {
  queue: BossQueue & { heartbeatSeconds: number };
  limits: ConcurrencyLimits;
}

export interface JobQueueOptions<Data extends object> {
  /** Connection string. */
  connection: string;
  /** The PostgreSQL schema of the queue. */
  schema: string;
  logger: Log;
  /** The maximum number of connections. A queue that works needs one to be notified. Default: 5. */
  connections?: number;
  /** Whether this process has workers; otherwise it only adds jobs. Default: true. */
  works?: boolean;
  /** The settings of each job type. */
  queues: Record<NameOf<Data>, PolledQueue | PooledQueue>;
  /** When jobs without data are added, as cron expressions. */
  schedules: Partial<Record<NameOf<Data>, string>>;
  /** The group whose concurrency limit a job shares, its tier, and its priority. */
  rankOf(data: object): { group?: { id: string; tier?: string }; priority?: number };
}

type NameOf<Data extends object> = keyof Data & string;

/** Processes that start at the same time create the queue one after another. */
const startTimeoutMilliseconds = 60_000;
/** Options of pg-boss's connections that its types lack: the host of the database may vanish without closing them. */
const forPool = { keepAlive: true, query_timeout: 60_000 };
/** How long active jobs may take after the workers are stopped. */
const graceMilliseconds = 3_500;
/** How long jobs that did not end in that time may take to abort. */
const abortMilliseconds = 1_000;
/** Workers are woken instead. */
const pollingIntervalSeconds = 3600;
/** How often other processes are woken while this one has workers too. */
const othersMilliseconds = 250;
/** Jobs inserted by one statement, which takes some milliseconds to build. */
const insertSize = 2_000;

/** Opens a job queue: pg-boss, in a schema of its own. */
export async function openJobQueue<Data extends object, Schema>({
  connection,
  schema,
  logger,
  connections = 5,
  works = true,
  queues,
  schedules,
  rankOf,
}: JobQueueOptions<Data>): Promise<JobQueue<Data, Schema>> {
  type Name = NameOf<Data>;
  const names = Object.keys(queues) as Name[];
  const boss = new PgBoss({
    connectionString: connection,
    schema,
    max: works ? connections - 1 : connections,
    connectionTimeoutMillis: startTimeoutMilliseconds,
    ...forPool,
    notifyHeartbeatIntervalMs: 20_000,
    // In rounds instead, by one process for all.
    supervise: false,
    superviseIntervalSeconds: 5,
    // How often jobs of dead workers are detected, at most. Rounds do it less often, unless they have found some.
    monitorIntervalSeconds: 1,
    schedule: works,
    cronWorkerIntervalSeconds: 45,
    // Jobs do not depend on each other.
    flowIntervalSeconds: 3600,
    // How often finished jobs are deleted; a day's jobs would slow the queue down.
    maintenanceIntervalSeconds: 300,
  });
  let isStopped = false;
  // Connections that are closing report the end of the server.
  // pg-boss copies the fields of a worker's error into an object that is no Error.
  boss.on('error', (fields) => {
    const err = fields instanceof Error ? fields : Object.assign(new Error(), fields);
    if (!isStopped) logger.error({ err }, 'job queue');
  });
  boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  await start(boss, queues);

  const pools = new Map<Name, WorkerPool>();
  /** Each polls by itself. */
  const workerIds = new Map<Name, string[]>();
  const poll = (name: Name) => {
    pools.get(name)?.poll();
    for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id);
  };
  let isStopping = false;
  const listeners = new Map<string, () => void>();
  const hasWorkers = (topic: string) => pools.has(topic as Name) || workerIds.has(topic as Name);
  const wakeOwn = (topic: string) => {
    if (isStopping) return;
    poll(topic as Name);
    listeners.get(topic)?.();
  };
  const lastNotified = new Map<string, number>();
  const channel = channelOf(schema);
  const notify = (payload: string) =>
    boss
      .getDb()
      .executeSql('select pg_notify($1, $2)', [channel, payload])
      .catch(() => {});
  const wakes = workerWakes((topic) => {
    wakeOwn(topic);
    const now = performance.now();
    const isHere = !isStopping && (hasWorkers(topic) || listeners.has(topic));
    if (isHere && now - (lastNotified.get(topic) ?? Number.NEGATIVE_INFINITY) < othersMilliseconds) return;
    lastNotified.set(topic, now);
    // Only a hint: without it, the next round finds the job.
    void notify(topic);
  });
  const rounds = followRounds({
    boss,
    schema,
    channel,
    names,
    wake: (name) => wakes.soon(name),
    logger,
  });
  const stopWorking = async () => {
    isStopping = true;
    wakes.clear();
    const ended = [
      rounds.stop(),
      ...[...pools.values()].map((pool) => pool.stop()),
      ...[...workerIds.keys()].map((name) => boss.offWork(name, { wait: true })),
    ];
    const limit = sleep(graceMilliseconds + abortMilliseconds, undefined, { ref: false });
    await Promise.race([Promise.all(ended), limit]);
  };

  return {
    async enqueue(transaction, name, data, options = {}) {
      const { delayMilliseconds } = options;
      const delay = delayMilliseconds && { startAfter: delayMilliseconds / 1000 };
      const db = withoutResult(transaction);
      await boss.send(name, data as object, { db, ...rankOf(data as object), ...delay });
      if (delayMilliseconds !== undefined && delayMilliseconds > 0) wakes.after(name, delayMilliseconds);
      else afterCommit(transaction, () => wakes.soon(name));
    },
    async enqueueAll(transaction, name, all, delaysMilliseconds = []) {
      const options = { db: withoutResult(transaction) };
      const delayed = delaysMilliseconds.filter((delay) => delay > 0);
      const rows = (all as object[]).map((data, index) => {
        const delay = delaysMilliseconds[index] ?? 0;
        return { data, ...rankOf(data), ...(delay > 0 && { startAfter: delay / 1000 }) };
      });
      for (let begin = 0; begin < rows.length; begin += insertSize)
        await boss.insert(name, rows.slice(begin, begin + insertSize), options);
      for (const delay of delayed) wakes.after(name, delay);
      if (all.length > delayed.length) afterCommit(transaction, () => wakes.soon(name));
    },
    poll: (name) => wakes.soon(name),
    signal: (topic) => wakes.soon(topic),
    on: (topic, listener) => void listeners.set(topic, listener),
    onRound: rounds.add,
    async work(workers) {
      for (const name of Object.keys(workers) as Name[]) {
        const run = workers[name] as Run;
        const settings = queues[name];
        if (settings.limits) {
          const pool = openWorkerPool({
            boss,
            queue: name,
            limits: settings.limits,
            heartbeatSeconds: settings.queue.heartbeatSeconds,
            run,
            logger,
            graceMilliseconds,
            abortMilliseconds,
          });
          pools.set(name, pool);
        } else workerIds.set(name, await startPolling(boss, name, settings, run));
      }
      for (const [name, cron] of Object.entries<string>(schedules as Record<Name, string>))
        await boss.schedule(name, cron);
      await rounds.start((topic) => wakeOwn(topic));
    },
    async check() {
      if (!(await boss.isInstalled())) throw new Error(`The schema ${schema} does not exist.`);
    },
    async counts() {
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
        name: name as Name,
        ready: readyCount,
        deferred: deferredCount,
        active: activeCount,
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

/** Starts pg-boss and creates its queues, or changes those of another version. */
async function start(boss: PgBoss, queues: Record<string, { queue: BossQueue }>): Promise<void> {
  try {
    await boss.start();
    const existing = new Map((await boss.getQueues(Object.keys(queues))).map((queue) => [queue.name, queue]));
    for (const [name, settings] of Object.entries(queues)) {
      // Workers are woken after the commit instead: PostgreSQL commits transactions that notify one after another.
      const queue = { notify: false, ...settings.queue };
      const found = existing.get(name);
      if (!found) await boss.createQueue(name, queue);
      else if (!isDeepStrictEqual({ ...found, ...queue }, found)) {
        // A version with other settings has created the queue. The policy of a queue is fixed.
        const { policy, ...changeable } = queue;
        await boss.updateQueue(name, changeable);
      }
    }
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

type Run = (data: object, job: RunningJob) => Promise<void>;
/** A job that a worker of pg-boss has fetched. */
type Fetched = Parameters<Parameters<typeof PgBoss.prototype.work<object>>[2]>[0][number];

/** Starts pg-boss's own workers of a queue. @returns their ids */
function startPolling(
  boss: PgBoss,
  name: string,
  { queue: { heartbeatSeconds }, concurrency = 1, batchSize = 1 }: PolledQueue,
  run: Run,
): Promise<string[]> {
  const options = {
    batchSize,
    burstWhenBatchFull: batchSize > 1,
    pollingIntervalSeconds,
    ...(heartbeatSeconds && { heartbeatRefreshSeconds: heartbeatSeconds * heartbeatShare }),
  };
  /** Jobs of a batch succeed or fail independently. */
  const runOrFail = async (job: Fetched) => {
    try {
      await run(job.data, job);
    } catch (error) {
      await boss.fail(name, job, { message: (error as Error).message });
    }
  };
  // With a result for each job, pg-boss would search all jobs of the queue. It completes those that did not fail.
  const work = async (jobs: Fetched[]) => {
    const ended = await Promise.allSettled(jobs.map(runOrFail));
    // A failure that could not be stored fails the batch, once no job of it is active.
    for (const job of ended) if (job.status === 'rejected') throw job.reason;
  };
  return Promise.all(Array.from({ length: concurrency }, () => boss.work<object>(name, options, work)));
}

/** Statements of pg-boss in a transaction. They share a round trip with the next one, so the IDs of jobs are unknown. */
function withoutResult<Schema>(transaction: Kysely<Schema>): ReturnType<typeof fromKysely> {
  const { executeSql } = fromKysely(transaction);
  return { executeSql: (text, values) => executeSql(`${text} ${withNext}`, values) };
}
