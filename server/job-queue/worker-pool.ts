import type { PgBoss } from 'pg-boss';

/** Logs a failure with its fields, as pino does. */
export type Log = Record<'error' | 'warn', (fields: object, message: string) => void>;

/** Limits of active jobs of a queue. */
export interface ConcurrencyLimits {
  /** Active jobs in this process. */
  all: number;
  /** Active jobs of a group in all processes. */
  group: number;
  /** Active jobs of a group by tier; see pg-boss. */
  tiers?: Record<string, number>;
}

interface PooledJob {
  id: string;
  retryCount: number;
  data: object;
  groupId?: string | null;
}

export interface WorkerPoolOptions {
  boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'touch'>;
  queue: string;
  limits: ConcurrencyLimits;
  heartbeatSeconds: number;
  run(data: object, job: { id: string; signal: AbortSignal }): Promise<void>;
  logger: Log;
  /** How long active jobs may take after a stop. */
  graceMilliseconds: number;
  /** How long a job may take to end after its signal is aborted. */
  abortMilliseconds: number;
}

export type WorkerPool = ReturnType<typeof openWorkerPool>;

/** While jobs are active: limits may allow more of them, and those that ended are reported. */
const pollingMilliseconds = 250;
/** Jobs that end within this time are reported together. */
const batchMilliseconds = 3;
const fetchSize = 100;
/** Between two heartbeats, of the time after which a job is taken over. */
export const heartbeatShare = 0.3;
/**
 * How often jobs are looked for behind those of groups that have many, at most. It reads past all of those, so it may
 * also take only a twentieth of the time.
 */
const lookBehindMilliseconds = 200;
const lookBehindShare = 1 / 20;

/**
 * Runs the jobs of a queue independently: each starts as soon as the limits allow. pg-boss's own workers wait for the
 * slowest job of a batch, and pause between batches of one. A slow group uses up only its own limit.
 */
export function openWorkerPool({
  boss,
  queue,
  limits,
  heartbeatSeconds,
  run,
  logger,
  graceMilliseconds,
  abortMilliseconds,
}: WorkerPoolOptions) {
  const running = new Set<{ job: PooledJob; controller: AbortController }>();
  const completed: PooledJob[] = [];
  const failed: PooledJob[] = [];
  const groupConcurrency = { default: limits.group, ...(limits.tiers && { tiers: limits.tiers }) };
  let stopping = false;
  /** The last poll found jobs, so there may be more once a job ends. */
  let hasMore = false;
  let nextLookBehind = 0;
  let isPollRequested = false;
  let endPause = () => {};
  const wake = () => {
    isPollRequested = true;
    endPause();
  };

  const start = async (job: PooledJob) => {
    const controller = new AbortController();
    const entry = { job, controller };
    running.add(entry);
    try {
      await run(job.data, { id: job.id, signal: controller.signal });
      completed.push(job);
    } catch {
      failed.push(job);
    } finally {
      running.delete(entry);
      if (hasMore || stopping) wake();
    }
  };

  const report = async () => {
    const [done, undone] = [completed.splice(0), failed.splice(0)];
    try {
      if (done.length > 0) await boss.complete(queue, done);
      if (undone.length > 0) await boss.fail(queue, undone);
    } catch (error) {
      // Unreported jobs would run again. Reporting a job twice has no effect.
      completed.push(...done);
      failed.push(...undone);
      throw error;
    }
  };

  const fetchAndStart = async (free: number, ignoreGroups: string[]) => {
    const options = { batchSize: free, groupConcurrency, ...(ignoreGroups.length > 0 && { ignoreGroups }) };
    const jobs = (await boss.fetch<object>(queue, options)) as PooledJob[];
    for (const job of jobs) void start(job);
    return jobs;
  };

  const poll = async () => {
    await report();
    const free = () => Math.min(limits.all - running.size, fetchSize);
    const first = free();
    if (first <= 0) return;
    const jobs = await fetchAndStart(first, []);
    hasMore = jobs.length > 0;
    const now = performance.now();
    if (!hasMore || jobs.length === first || now < nextLookBehind) return;
    await lookBehind(jobs, free);
    const end = performance.now();
    nextLookBehind = end + Math.max(lookBehindMilliseconds, (end - now) / lookBehindShare);
  };

  /**
   * A fetch takes the first due jobs, and then those of them that the limits of their groups allow. A group with many due
   * jobs can thus fill each fetch without using its slots, so the jobs behind it are fetched without that group.
   */
  const lookBehind = async (jobs: PooledJob[], free: () => number) => {
    const ignored = new Set<string>();
    for (let found = jobs; found.length > 0 && free() > 0 && !stopping; ) {
      const known = ignored.size;
      for (const { groupId } of found) if (groupId) ignored.add(groupId);
      if (ignored.size === known) return;
      found = await fetchAndStart(free(), [...ignored]);
    }
  };

  /** @param milliseconds undefined: until a poll is requested */
  const pause = async (milliseconds: number | undefined) => {
    await new Promise<void>((resolve) => {
      const duration = isPollRequested ? batchMilliseconds : milliseconds;
      const timer = duration === undefined ? undefined : setTimeout(resolve, duration);
      endPause = () => {
        clearTimeout(timer);
        setTimeout(resolve, batchMilliseconds);
      };
    });
    isPollRequested = false;
  };

  /** Waits until no job is active, or the time has passed. */
  const waitForJobs = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (running.size > 0 && performance.now() < until) await pause(50);
  };

  const isIdle = () => running.size + completed.length + failed.length === 0;
  const polling = (async () => {
    while (!stopping) {
      await poll().catch((error) => {
        hasMore = false;
        logger.error({ err: error, queue }, 'job queue');
      });
      if (!stopping) await pause(isIdle() && !hasMore ? undefined : pollingMilliseconds);
    }
  })();

  const touch = async () => {
    const touched = [...running];
    if (touched.length === 0) return;
    const jobs = touched.map(({ job }) => job);
    // Untyped: the jobs that are still active in the attempt that was fetched.
    const { settled } = (await boss.touch(queue, jobs)) as { settled?: string[] };
    if (!settled) return;
    for (const { job, controller } of touched)
      if (!settled.includes(job.id)) controller.abort(new Error('Another worker has taken over the job.'));
  };
  const heartbeat = setInterval(
    () => {
      touch().catch((error) => logger.warn({ err: error, queue }, 'heartbeat'));
    },
    heartbeatSeconds * heartbeatShare * 1_000,
  );

  const stop = async () => {
    stopping = true;
    wake();
    await polling;
    await waitForJobs(graceMilliseconds);
    for (const { controller } of running) controller.abort(new Error('The platform is stopping.'));
    await waitForJobs(abortMilliseconds);
    clearInterval(heartbeat);
    if (running.size > 0)
      logger.error({ queue, jobs: [...running].map(({ job }) => job.id) }, 'jobs did not end');
    await report().catch((error) => logger.error({ err: error, queue }, 'job queue'));
  };
  let stopped: Promise<void> | undefined;

  return {
    /** Polls now. */
    poll: wake,
    /**
     * Starts no more jobs, and aborts the active ones after the grace period; they go back to the queue. A job that
     * ignores its signal is taken over once its heartbeats stop.
     */
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
