import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

/** How many jobs of a queue one process works on at once, and how many of one group all processes do together. */
export interface ConcurrencyLimits {
  all: number;
  group: number;
  /** Of a group in this tier, see pg-boss. */
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
  /** How long jobs that have begun may take once it stops; default: 5,000. */
  graceMilliseconds?: number;
}

export interface WorkerPool {
  /** Polls now: jobs were just added. */
  poll(): void;
  /**
   * Begins nothing more, and ends within about seven seconds what has begun: its jobs go back to the queue. A job that
   * goes on although it was told to end is left alone, and taken over once it is silent.
   */
  stop(): Promise<void>;
}

const pollingMilliseconds = 250;
/** Jobs that end within this time of each other are reported to the queue together. */
const batchMilliseconds = 3;
const fetchedAtOnce = 100;
/** How long a job may take to end once it is told to. */
const endMilliseconds = 2_000;

/**
 * Works on a queue job by job: each begins as soon as the limits allow, whatever becomes of the others.
 * pg-boss's own workers wait for the slowest job of a batch, and pause between batches of one. A group that takes
 * long, or for ever, fills only its own share.
 */
export function openWorkerPool({
  boss,
  queue,
  limits,
  heartbeatSeconds,
  run,
  logger,
  graceMilliseconds = 5_000,
}: WorkerPoolOptions): WorkerPool {
  const running = new Map<string, { job: PooledJob; stop: AbortController }>();
  const completed: PooledJob[] = [];
  const failed: PooledJob[] = [];
  const groupConcurrency = { default: limits.group, ...(limits.tiers && { tiers: limits.tiers }) };
  let stopping = false;
  /** The last poll found jobs, so that there may be more as soon as one ends. */
  let more = false;
  /** The next poll is due soon. */
  let asked = false;
  let endPause = () => {};
  const wake = () => {
    asked = true;
    endPause();
  };

  const begin = async (job: PooledJob) => {
    const stop = new AbortController();
    running.set(job.id, { job, stop });
    try {
      await run(job.data, { id: job.id, signal: stop.signal });
      completed.push(job);
    } catch (error) {
      if (!stop.signal.aborted) logger.warn({ err: error, jobId: job.id }, 'job failed');
      failed.push(job);
    } finally {
      running.delete(job.id);
      if (more || stopping) wake();
    }
  };

  const report = async () => {
    const [done, undone] = [completed.splice(0), failed.splice(0)];
    try {
      if (done.length > 0) await boss.complete(queue, done);
      if (undone.length > 0) await boss.fail(queue, undone);
    } catch (error) {
      // Unreported, they would run again; reporting twice changes nothing.
      completed.push(...done);
      failed.push(...undone);
      throw error;
    }
  };

  const poll = async () => {
    await report();
    const free = Math.min(limits.all - running.size, fetchedAtOnce);
    if (free <= 0) return;
    const jobs = await boss.fetch<object>(queue, { batchSize: free, groupConcurrency });
    more = jobs.length > 0;
    for (const job of jobs) void begin(job as PooledJob);
  };

  const pause = async (milliseconds: number) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, asked ? batchMilliseconds : milliseconds);
      endPause = () => {
        clearTimeout(timer);
        setTimeout(resolve, batchMilliseconds);
      };
    });
    asked = false;
  };

  /** Waits until nothing runs any more, or the time is over. */
  const ended = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (running.size > 0 && performance.now() < until) await pause(50);
  };

  const polling = (async () => {
    while (!stopping) {
      await poll().catch((error) => {
        more = false;
        logger.error({ err: error, queue }, 'job queue');
      });
      if (!stopping) await pause(pollingMilliseconds);
    }
  })();

  const beat = setInterval(() => {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    boss.touch(queue, jobs).catch((error) => logger.warn({ err: error, queue }, 'heartbeat'));
  }, heartbeatSeconds * 300);

  return {
    poll: () => wake(),
    async stop() {
      stopping = true;
      wake();
      await polling;
      await ended(graceMilliseconds);
      for (const { stop } of running.values()) stop.abort(new Error('The platform stops.'));
      await ended(endMilliseconds);
      clearInterval(beat);
      if (running.size > 0) logger.error({ queue, jobs: [...running.keys()] }, 'jobs do not end');
      await report().catch((error) => logger.error({ err: error, queue }, 'job queue'));
    },
  };
}
