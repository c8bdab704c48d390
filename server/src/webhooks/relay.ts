import type { Logger } from 'pino';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { hasWorkToRelay, relayEvents, takeRequested } from '../store/webhook-relay.ts';

export interface Relay {
  /** Ends after what is under way. */
  stop(): Promise<void>;
}

const pollingMilliseconds = 200;
const pauseAfterFailure = 2_000;
const eventsAtOnce = 200;

/**
 * Makes deliveries of what happened: for each new event a delivery and its job to each endpoint that wants it, in
 * one transaction with the mark on the event. So no event is lost, and none is relayed twice, however often and
 * wherever processes die; any number of them may relay side by side.
 */
export function startRelay({
  database,
  jobs,
  logger,
  now,
}: {
  database: Database;
  jobs: Jobs;
  logger: Logger;
  now(): Date;
}): Relay {
  let stopping = false;
  let wake = () => {};
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** @returns whether there may be more at once */
  const relayOnce = async (): Promise<boolean> => {
    if (!(await hasWorkToRelay(database))) return false;
    const full = await database.transaction().execute(async (transaction) => {
      const { events, deliveries } = await relayEvents(transaction, { now: now(), limit: eventsAtOnce });
      const requested = await takeRequested(transaction, { limit: eventsAtOnce });
      const all = [...deliveries, ...requested];
      if (all.length > 0) await jobs.enqueueAll(transaction, 'webhook-delivery', all);
      return events === eventsAtOnce || requested.length === eventsAtOnce;
    });
    jobs.poll('webhook-delivery');
    return full;
  };

  const relaying = (async () => {
    while (!stopping) {
      let wait = pollingMilliseconds;
      try {
        if (await relayOnce()) wait = 0;
      } catch (error) {
        logger.error({ err: error }, 'events could not be relayed');
        wait = pauseAfterFailure;
      }
      if (!stopping && wait > 0) await pause(wait);
    }
  })();

  return {
    async stop() {
      stopping = true;
      wake();
      await relaying;
    },
  };
}
