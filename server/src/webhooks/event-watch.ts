import type { Logger } from 'pino';

interface Waiter {
  organizationId: string;
  after: number;
  /** The end of the wait, of `performance.now()`. */
  until: number;
  end(position: number | undefined): void;
}

const pollingMilliseconds = 250;
const maxWaiters = 500;
const maxWaitersPerOrganization = 10;

/**
 * Waits for events that any process records. All waits share one query per interval, which is made only while somebody
 * waits.
 */
export function eventWatch(lastPosition: () => Promise<number>, logger: Logger) {
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
    /**
     * Waits until the last position exceeds `after`.
     *
     * @param signal ends the wait
     * @returns the last position; undefined at the end of the wait, after `stop`, or if too many are waiting
     * @throws the reason of the aborted signal
     */
    async next(
      organizationId: string,
      { after, until, signal }: Pick<Waiter, 'after' | 'until'> & { signal: AbortSignal },
    ) {
      signal.throwIfAborted();
      if (stopped || performance.now() >= until || isFull(organizationId)) return undefined;
      return new Promise<number | undefined>((resolve, reject) => {
        const leave = () => {
          waiters.delete(waiter);
          signal.removeEventListener('abort', abort);
        };
        const abort = () => {
          leave();
          reject(signal.reason);
        };
        const waiter: Waiter = {
          ...{ organizationId, after, until },
          end(position) {
            leave();
            resolve(position);
          },
        };
        signal.addEventListener('abort', abort);
        waiters.add(waiter);
        if (timer === undefined) schedule();
      });
    },
    /** Ends all waits, and those to come at once. */
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const waiter of [...waiters]) waiter.end(undefined);
    },
  };
}
