import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

/** Limits of active jobs of a queue. */
export interface ConcurrencyLimits {
  /** In this process. */
  all: number;
  /** Of a group, in all processes. */
  group: number;
  /** Of a group, by tier; see pg-boss. */
  tiers?: Record<string, number>;
}

interface PooledJob {
  id: string;
  retryCount: number;
  data: object;
}

export interface WorkerPoolOptions {
  boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'touch'>;
  queue: string;
  limits: ConcurrencyLimits;
  heartbeatSeconds: number;
  run(data: object, job: { id: string; signal: AbortSignal }): Promise<void>;
  logger: Logger;
  /** How long active jobs may take after a stop. */
  graceMilliseconds: number;
  /** How long a job may take to end after its signal is aborted. */
  abortMilliseconds: number;
}

export type WorkerPool = ReturnType<typeof openWorkerPool>;

const pollingMilliseconds = 250;
/** Jobs that end within this time are reported together. */
const batchMilliseconds = 3;
const fetchSize = 100;

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
  const running = new Map<string, { job: PooledJob; controller: AbortController }>();
  const completed: PooledJob[] = [];
  const failed: PooledJob[] = [];
  const groupConcurrency = { default: limits.group, ...(limits.tiers && { tiers: limits.tiers }) };
  let stopping = false;
  /** The last poll found jobs, so there may be more once a job ends. */
  let hasMore = false;
  let isPollRequested = false;
  let endPause = () => {};
  const wake = () => {
    isPollRequested = true;
    endPause();
  };

  const start = async (job: PooledJob) => {
    const controller = new AbortController();
    running.set(job.id, { job, controller });
    try {
      await run(job.data, { id: job.id, signal: controller.signal });
      completed.push(job);
    } catch (error) {
      if (!controller.signal.aborted) logger.warn({ err: error, jobId: job.id }, 'job failed');
      failed.push(job);
    } finally {
      running.delete(job.id);
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

  const poll = async () => {
    await report();
    const free = Math.min(limits.all - running.size, fetchSize);
    if (free <= 0) return;
    const jobs = await boss.fetch<object>(queue, { batchSize: free, groupConcurrency });
    hasMore = jobs.length > 0;
    for (const job of jobs) void start(job as PooledJob);
  };

  const pause = async (milliseconds: number) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isPollRequested ? batchMilliseconds : milliseconds);
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

  const polling = (async () => {
    while (!stopping) {
      await poll().catch((error) => {
        hasMore = false;
        logger.error({ err: error, queue }, 'job queue');
      });
      if (!stopping) await pause(pollingMilliseconds);
    }
  })();

  const heartbeat = setInterval(() => {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    boss.touch(queue, jobs).catch((error) => logger.warn({ err: error, queue }, 'heartbeat'));
  }, heartbeatSeconds * 300);

  const stop = async () => {
    stopping = true;
    wake();
    await polling;
    await waitForJobs(graceMilliseconds);
    for (const { controller } of running.values()) controller.abort(new Error('The platform is stopping.'));
    await waitForJobs(abortMilliseconds);
    clearInterval(heartbeat);
    if (running.size > 0) logger.error({ queue, jobs: [...running.keys()] }, 'jobs did not end');
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
