import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

/** How many jobs of a queue one process works on at once, and how many of one group all processes do together. */
export interface Places {
  all: number;
  group: number;
  /** Of a group in this tier, see pg-boss. */
  tiers?: Record<string, number>;
}

interface StreamedJob {
  id: string;
  retryCount: number;
  data: object;
}

export interface StreamOptions {
  boss: Pick<PgBoss, 'fetch' | 'complete' | 'fail' | 'touch'>;
  queue: string;
  places: Places;
  heartbeatSeconds: number;
  run(data: object, job: { id: string; signal: AbortSignal }): Promise<void>;
  logger: Logger;
  /** How long jobs that have begun may take once it stops; five seconds unless told. */
  graceMilliseconds?: number;
}

export interface Stream {
  /** Looks for jobs now: some were just added. */
  look(): void;
  /**
   * Begins nothing more, and ends within about seven seconds what has begun: its jobs go back to the queue. A job that
   * goes on although it was told to end is left alone, and taken over once it is silent.
   */
  stop(): Promise<void>;
}

const pollingMilliseconds = 250;
/** Jobs that end within so much of each other are settled together. */
const gatherMilliseconds = 3;
const fetchedAtOnce = 100;
/** How long a job may take to end once it is told to. */
const endMilliseconds = 2_000;

/**
 * Works on a queue job by job: each begins as soon as there is a place for it, whatever becomes of the others.
 * pg-boss's own workers wait for the slowest job of a batch, and pause between batches of one. A group that takes
 * long, or for ever, has its own places filled and no others.
 */
export function openStream({
  boss,
  queue,
  places,
  heartbeatSeconds,
  run,
  logger,
  graceMilliseconds = 5_000,
}: StreamOptions): Stream {
  const running = new Map<string, { job: StreamedJob; stop: AbortController }>();
  const completed: StreamedJob[] = [];
  const failed: StreamedJob[] = [];
  const groupConcurrency = { default: places.group, ...(places.tiers && { tiers: places.tiers }) };
  let stopping = false;
  /** The last look found something, so that there may be more as soon as a place is free. */
  let more = false;
  /** Somebody wants the next look soon. */
  let asked = false;
  let endPause = () => {};
  const wake = () => {
    asked = true;
    endPause();
  };

  const begin = async (job: StreamedJob) => {
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

  const settle = async () => {
    const [done, undone] = [completed.splice(0), failed.splice(0)];
    try {
      if (done.length > 0) await boss.complete(queue, done);
      if (undone.length > 0) await boss.fail(queue, undone);
    } catch (error) {
      // Unsettled, they would be done again; settled twice, nothing happens.
      completed.push(...done);
      failed.push(...undone);
      throw error;
    }
  };

  const look = async () => {
    await settle();
    const free = Math.min(places.all - running.size, fetchedAtOnce);
    if (free <= 0) return;
    const jobs = await boss.fetch<object>(queue, { batchSize: free, groupConcurrency });
    more = jobs.length > 0;
    for (const job of jobs) void begin(job as StreamedJob);
  };

  const pause = async (milliseconds: number) => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, asked ? gatherMilliseconds : milliseconds);
      endPause = () => {
        clearTimeout(timer);
        setTimeout(resolve, gatherMilliseconds);
      };
    });
    asked = false;
  };

  /** Waits until nothing runs any more, or the time is over. */
  const ended = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (running.size > 0 && performance.now() < until) await pause(50);
  };

  const looking = (async () => {
    while (!stopping) {
      await look().catch((error) => {
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
    look: () => wake(),
    async stop() {
      stopping = true;
      wake();
      await looking;
      await ended(graceMilliseconds);
      for (const { stop } of running.values()) stop.abort(new Error('The platform stops.'));
      await ended(endMilliseconds);
      clearInterval(beat);
      if (running.size > 0) logger.error({ queue, jobs: [...running.keys()] }, 'jobs do not end');
      await settle().catch((error) => logger.error({ err: error, queue }, 'job queue'));
    },
  };
}
