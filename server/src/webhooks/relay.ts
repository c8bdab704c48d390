import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { transact } from '../../postgres-client/index.ts';
import { eventsTopic, type JobQueue } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { type ExecutionEnd, hasWorkToRelay, relayEvents, takeRequested } from '../store/webhook-relay.ts';
import { deliveryJobs } from './delivery-batches.ts';

/** Between two batches, so that a batch has many events under load. */
const pauseMilliseconds = 25;
/** The share of the time that looking for events may take: a long transaction elsewhere makes it slow. */
const lookingShare = 1 / 20;
const retryMilliseconds = 2_000;
const batchSize = 200;

interface RelayOptions {
  database: Database;
  jobs: JobQueue;
  /** Whether events can be polled for, which gives them positions. */
  pollable: boolean;
  /** Called with the executions whose end was relayed. */
  onEnded(ended: ExecutionEnd[]): void;
  logger: Logger;
  now(): Date;
}

/**
 * Creates deliveries for new events: for each event one delivery and its job per subscribed endpoint, in one transaction
 * with marking the event as relayed. So each event is relayed exactly once, also after crashes and with several
 * processes.
 */
export function startRelay({ database, jobs, pollable, onEnded, logger, now }: RelayOptions) {
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();

  /** @returns milliseconds until it may be called again */
  const relayBatch = async (): Promise<number> => {
    const startedAt = performance.now();
    const hasWork = await hasWorkToRelay(database);
    const pause = Math.max(pauseMilliseconds, (performance.now() - startedAt) / lookingShare);
    if (!hasWork) return pause;
    const { ended, isFull } = await transact(database, async (transaction) => {
      const options = { now: now(), limit: batchSize, numbered: pollable };
      const { events, deliveries, ended } = await relayEvents(transaction, options);
      const requested = await takeRequested(transaction, { limit: batchSize });
      const all = [...deliveries, ...requested];
      if (all.length > 0) await jobs.enqueueAll(transaction, 'webhook-delivery', deliveryJobs(all));
      return { ended, isFull: events === batchSize || requested.length === batchSize };
    });
    onEnded(ended);
    if (isFull) wake();
    return isFull ? 0 : pause;
  };

  const relaying = (async () => {
    while (!stopping.signal.aborted) {
      let pause = retryMilliseconds;
      try {
        pause = await relayBatch();
      } catch (error) {
        wake();
        logger.error({ err: error }, 'events could not be relayed');
      }
      if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      await woken.promise;
      woken = Promise.withResolvers();
    }
  })();
  jobs.on(eventsTopic, wake);
  jobs.onRound(async () => wake());

  return {
    /** Waits for the batch in progress. */
    async stop() {
      stopping.abort();
      wake();
      await relaying;
    },
  };
}
