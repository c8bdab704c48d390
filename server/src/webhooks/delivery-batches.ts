import type { Logger } from 'pino';
import { requestsAtATime } from '../domain/webhooks.ts';
import { eventsTopic, type Jobs, type RunningJob } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { requestAttempts } from '../store/webhook-deliveries.ts';
import type { DeliveryJob, QueuedDelivery } from '../store/webhook-relay.ts';

/** What a worker needs to know of an attempt. */
type Attempt = Pick<QueuedDelivery, 'deliveryId' | 'attempt'>;

/** The most deliveries of a job. */
const maxBatch = 16;
/** After this time, the rest of a batch goes back to the relay: a slow endpoint must not hold it. */
const batchMilliseconds = 2_000;

/**
 * The jobs of deliveries: one for each, unless an endpoint has more of them than it gets at a time. Then a job makes
 * several attempts one after another: fetching and completing a job costs the database more than recording an attempt.
 */
export function deliveryJobs(deliveries: QueuedDelivery[]): DeliveryJob[] {
  const byEndpoint = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
  return [...byEndpoint].flatMap(([endpointId, its]): DeliveryJob[] => {
    const size = Math.min(Math.ceil(its.length / requestsAtATime), maxBatch);
    // Each attempt to a failing endpoint may take long.
    if (size === 1 || its.some(({ failing }) => failing)) return its;
    return Array.from({ length: Math.ceil(its.length / size) }, (_, index) => ({
      deliveryId: 'batch' as const,
      endpointId,
      batch: its
        .slice(index * size, (index + 1) * size)
        .map(({ deliveryId, attempt }) => ({ deliveryId, attempt })),
    }));
  });
}

/**
 * The worker of delivery jobs. An attempt that a batch has already made is not repeated if the job is.
 *
 * @param deliver makes an attempt
 */
export function batchWorker(
  { database, jobs, logger }: { database: Database; jobs: Jobs; logger: Logger },
  deliver: (attempt: Attempt, job: RunningJob) => Promise<void>,
): (data: DeliveryJob, job: RunningJob) => Promise<void> {
  return async (data, job) => {
    if (!('batch' in data)) return deliver(data, job);
    const until = performance.now() + batchMilliseconds;
    for (const [index, attempt] of data.batch.entries()) {
      if (performance.now() > until) {
        await requestAttempts(database, data.batch.slice(index)).catch((err) => {
          logger.warn({ err }, 'deliveries of a batch could not be given back');
          throw err;
        });
        return jobs.signal(eventsTopic);
      }
      await deliver(attempt, job);
    }
  };
}
