import type { Logger } from 'pino';
import { end, follow, lineFields, type StartSpan } from '../tracing/trace.ts';
import type { RunningJob } from './jobs.ts';

interface FollowOptions {
  environment: string;
  startSpan: StartSpan | undefined;
  logger: Logger;
}

/**
 * Logs one line per job: each step of an execution, attempt of a delivery, and mail. At `debug`, if no request caused it: the
 * executions of a new demo.
 */
export function followedWorkers<Workers extends Record<string, Run>>(
  workers: Workers,
  options: FollowOptions,
): Workers {
  const followed = Object.entries(workers).map(([name, run]) => [name, followedWorker(name, run, options)]);
  return Object.fromEntries(followed);
}

type Run = (data: never, job: RunningJob) => Promise<void>;

function followedWorker(job: string, run: Run, { environment, startSpan, logger }: FollowOptions): Run {
  return (data, running) =>
    follow({ kind: 'consumer', name: job, attributes: { environment, job }, startSpan }, async () => {
      const startedAt = performance.now();
      try {
        await run(data, running);
        const { traceId, ...known } = lineFields();
        const { outcome, error } = known;
        // Without fields, it belongs to nothing or was done before.
        if (Object.keys(known).length > 0) {
          const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
          logger[traceId ? 'info' : 'debug']({ job, milliseconds }, 'job completed');
        }
        end({ error: outcome === 'fail' ? String(error) : undefined });
      } catch (error) {
        // Aborted jobs are repeated by another process.
        if (!running.signal.aborted) logger.warn({ err: error, jobId: running.id, job }, 'job failed');
        end({ error: (error as Error).message });
        throw error;
      }
    });
}
