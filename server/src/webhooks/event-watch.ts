import type { Logger } from 'pino';

/** Waits for events that any process records. */
interface EventWatch {
  /**
   * Waits until the last position exceeds `after`.
   *
   * @param until the end of the wait, of `performance.now()`
   * @returns the last position; undefined at the end of the wait, after `stop`, or if too many are waiting
   */
  next(organizationId: string, wait: { after: number; until: number }): Promise<number | undefined>;
  /** Ends all waits, and those to come at once. */
  stop(): void;
}

interface Waiter {
  organizationId: string;
  after: number;
  until: number;
  end(position: number | undefined): void;
}

const pollingMilliseconds = 250;
const maxWaiters = 500;
const maxWaitersPerOrganization = 10;

/** All waits share one query per interval, which is made only while somebody waits. */
export function eventWatch(lastPosition: () => Promise<number>, logger: Logger): EventWatch {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const poll = async () => {
    const last = await lastPosition().catch((error) => {
      logger.warn({ err: error }, 'new events could not be looked for');
      return 0;
    });
    for (const waiter of [...waiters]) {
      if (last > waiter.after) waiter.end(last);
      else if (performance.now() >= waiter.until) waiter.end(undefined);
    }
    schedule();
  };
  const schedule = () => {
    timer = waiters.size > 0 && !stopped ? setTimeout(poll, pollingMilliseconds) : undefined;
  };
  const isFull = (organizationId: string) =>
    waiters.size >= maxWaiters ||
    [...waiters].filter((waiter) => waiter.organizationId === organizationId).length >=
      maxWaitersPerOrganization;

  return {
    async next(organizationId, { after, until }) {
      if (stopped || performance.now() >= until || isFull(organizationId)) return undefined;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          ...{ organizationId, after, until },
          end(position) {
            waiters.delete(waiter);
            resolve(position);
          },
        };
        waiters.add(waiter);
        if (timer === undefined) schedule();
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const waiter of [...waiters]) waiter.end(undefined);
    },
  };
}
