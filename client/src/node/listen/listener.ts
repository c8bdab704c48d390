import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client-types.ts';
import type { SignedEvent } from '../../contract.ts';
import { ApiError } from '../../errors.ts';
import { isTransient, retryDelay } from '../../retry-policy.ts';
import { unwrap } from '../../unwrap.ts';
import { type Delivery, forward } from './forward.ts';

/** Deliveries at the same time; no more events are fetched than can be sent at once. */
const concurrency = 10;
const waitSeconds = 20;
/** Longer than the platform waits for an event. */
const attemptTimeout = 40_000;
/** How far back the platform keeps events for polling. */
const retentionSeconds = 24 * 3600;
const secondsOfStopping = 5;

/** What a listener reports. */
export interface ListenerReport {
  delivered(delivery: Delivery): void;
  disconnected(error: Error): void;
  reconnected(): void;
  /** @param reason events may be missing */
  gap(reason: string): void;
}

export interface Listener {
  /**
   * Forwards events until the signal aborts, then waits for deliveries in progress.
   *
   * @param sinceSeconds first those of this long ago; undefined: only new ones
   * @param ready is called when the place to start from is known
   * @throws {ApiError} for a request that cannot succeed, for example without permission
   */
  run(sinceSeconds: number | undefined, ready: () => void): Promise<void>;
  /**
   * Sends an event again, with a new signature. Default: the last one that was sent.
   *
   * @returns undefined if there is no such event in the last 24 hours
   */
  resend(eventId?: string): Promise<Delivery | undefined>;
}

/** Forwards the events of the sandbox to a receiver. If the connection breaks, it continues after the last event. */
export function listener({
  client,
  to,
  signal,
  report,
}: {
  client: Client;
  to: string;
  signal: AbortSignal;
  report: ListenerReport;
}): Listener {
  const sending = new Set<Promise<void>>();
  const sendingEnds = new AbortController();
  const endSending = () => setTimeout(() => sendingEnds.abort(), secondsOfStopping * 1000).unref();
  signal.addEventListener('abort', endSending, { once: true });
  let lastId: string | undefined;

  const poll = (query: { cursor?: string; since?: number; eventId?: string; size?: number; wait?: number }) =>
    client
      .GET('/webhooks/events', { params: { query }, signal, retries: 0, attemptTimeout })
      .then((result) => unwrap(result));

  const send = async (event: SignedEvent): Promise<Delivery> => {
    lastId = event.id;
    const delivery = await forward(event, to, sendingEnds.signal);
    report.delivered(delivery);
    return delivery;
  };

  /** Polls until it succeeds. @returns undefined once the signal aborts */
  const pollPersistently = async (query: () => Parameters<typeof poll>[0]) => {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const page = await poll(query());
        if (failures > 0) report.reconnected();
        return page;
      } catch (error) {
        if (signal.aborted) break;
        if (!mayPass(error)) throw error;
        if (failures === 0) report.disconnected(error as Error);
        const response = error instanceof ApiError ? error.response : undefined;
        await sleep(retryDelay(failures, response) ?? 60_000, undefined, { signal }).catch(() => {});
      }
    }
    return undefined;
  };

  return {
    async run(sinceSeconds, ready) {
      let cursor: string | undefined;
      let since = sinceSeconds;
      let polledAt = Date.now();
      while (!signal.aborted) {
        while (sending.size >= concurrency) await Promise.race(sending);
        const startedAt = Date.now();
        if (startedAt - polledAt > retentionSeconds * 1000)
          report.gap('Events older than 24 hours were skipped.');
        const size = concurrency - sending.size;
        const page = await pollPersistently(() =>
          cursor === undefined
            ? { size, ...(since !== undefined && { since }) }
            : { cursor, size, wait: waitSeconds },
        ).catch((error) => {
          if (cursor === undefined || !isUnknownCursor(error)) throw error;
          report.gap('The platform does not know the last event any more; its data was probably replaced.');
          cursor = undefined;
          since = Math.min(retentionSeconds, Math.ceil((Date.now() - polledAt) / 1000));
          return null;
        });
        if (page === undefined) break;
        if (page === null) continue;
        polledAt = Date.now();
        if (cursor === undefined) ready();
        const waited = cursor !== undefined;
        cursor = page.nextCursor;
        for (const event of page.events) {
          const sent: Promise<void> = send(event).then(() => void sending.delete(sent));
          sending.add(sent);
        }
        // The platform did not wait: it is stopping, or too many are waiting.
        if (waited && page.events.length === 0 && Date.now() - startedAt < 1_000)
          await sleep(1_000, undefined, { signal }).catch(() => {});
      }
      await Promise.all(sending);
    },

    async resend(eventId = lastId) {
      if (eventId === undefined) return undefined;
      const page = await pollPersistently(() => ({ eventId }));
      const [event] = page?.events ?? [];
      return event && (await send(event));
    },
  };
}

/** Whether the same request may succeed later: there was no response from the platform, or a transient one. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || isTransient(error);
}

function isUnknownCursor(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && error.errors[0]?.parameter === 'cursor';
}
