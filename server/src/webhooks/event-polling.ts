import type { Logger } from 'pino';
import { signWebhook, type WebhookEvent, webhookBody, webhookHeaders } from '../domain/webhooks.ts';
import type { Database } from '../store/database.ts';
import { findEvent, findLastEvent, listEvents } from '../store/webhook-events.ts';
import { sentTraceparent } from '../tracing/trace-context.ts';
import type { SigningKeys } from './signing-keys.ts';

/** An event with the headers and the body of its webhook. */
interface SignedEvent extends Pick<WebhookEvent, 'id' | 'type' | 'createdDateTime'> {
  headers: ReturnType<typeof webhookHeaders> & { 'Webhook-Sandbox': 'true' };
  body: string;
}

interface PollRequest {
  organizationId: string;
  /** The events after this one; undefined: from `sinceSeconds` ago, or no events. */
  cursor: string | undefined;
  sinceSeconds: number | undefined;
  /** Only this event. */
  eventId: string | undefined;
  limit: number;
  /** How long to wait for a new event. */
  waitMilliseconds: number;
  /** Ends the wait. */
  signal: AbortSignal;
}

type PollOutcome = { kind: 'polled'; events: SignedEvent[]; nextCursor: string } | { kind: 'unknown_cursor' };

export type EventPolling = ReturnType<typeof eventPolling>;

/** How far back events can be polled for. */
const retentionMilliseconds = 24 * 3_600_000;
/** Before the first event. */
const firstCursor = '00000000-0000-0000-0000-000000000000';

/** Long polling for the events of one environment. @param database is not held while a poll waits */
export function eventPolling({
  database,
  keys,
  logger,
  now,
  signingTime,
}: {
  database: Database;
  keys: SigningKeys;
  logger: Logger;
  now(): Date;
  /** The time of signatures, which receivers compare with their own clock. */
  signingTime(): Date;
}) {
  const lastPosition = async () => (await findLastEvent(database))?.position ?? 0;
  const watch = eventWatch(lastPosition, logger);

  /** Where to start; the last event is read before the list, so that no event between them is skipped. */
  const placeOf = async ({ organizationId, cursor }: PollRequest) => {
    if (cursor === firstCursor) return { id: firstCursor, position: 0 };
    if (cursor !== undefined) return findEvent(database, organizationId, cursor);
    const last = await findLastEvent(database, organizationId);
    return { id: last?.id ?? firstCursor, position: 0 };
  };
  const sign = async (found: Awaited<ReturnType<typeof listEvents>>): Promise<SignedEvent[]> => {
    const key = await keys.current();
    return found.map(({ event, traceparent }) => {
      const body = webhookBody(event);
      const signature = signWebhook(body, key, signingTime());
      const headers = {
        ...webhookHeaders({ signature, traceparent: sentTraceparent(traceparent) }),
        'Webhook-Sandbox': 'true' as const,
      };
      const { id, type, createdDateTime } = event;
      return { id, type, createdDateTime, headers, body: body.toString() };
    });
  };

  return {
    /** Ends all waits; later polls do not wait. */
    stop: watch.stop,
    /** @throws the reason of the aborted signal */
    async poll(request: PollRequest): Promise<PollOutcome> {
      const { organizationId, cursor, sinceSeconds, eventId, limit, waitMilliseconds, signal } = request;
      const place = await placeOf(request);
      if (!place) return { kind: 'unknown_cursor' };
      const isStart = cursor === undefined && sinceSeconds === undefined && eventId === undefined;
      if (isStart) return { kind: 'polled', events: [], nextCursor: place.id };
      const age =
        cursor === undefined && sinceSeconds !== undefined ? sinceSeconds * 1000 : retentionMilliseconds;
      const since = new Date(now().getTime() - age);
      const list = () =>
        listEvents(database, organizationId, { after: place.position, since, id: eventId, limit });
      const deadline = performance.now() + (eventId === undefined ? waitMilliseconds : 0);
      let seen = performance.now() < deadline ? await lastPosition() : 0;
      let found = await list();
      while (found.length === 0) {
        const changed = await watch.next(organizationId, { after: seen, until: deadline, signal });
        if (changed === undefined) break;
        seen = changed;
        found = await list();
      }
      const nextCursor = found.at(-1)?.event.id ?? place.id;
      return { kind: 'polled', events: found.length === 0 ? [] : await sign(found), nextCursor };
    },
  };
}

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
          organizationId,
          after,
          until,
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
