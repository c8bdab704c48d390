import type { Logger } from 'pino';
import { type WebhookEvent, webhookBody, webhookHeaders } from '../domain/webhook-requests.ts';
import { signWebhook } from '../domain/webhook-signatures.ts';
import type { Database } from '../store/database.ts';
import { findEvent, findLastEvent, listEvents } from '../store/webhook-events.ts';
import { eventWatch } from './event-watch.ts';
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
      const headers = { ...webhookHeaders({ signature, traceparent }), 'Webhook-Sandbox': 'true' as const };
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
