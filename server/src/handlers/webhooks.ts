import { createPublicKey } from 'node:crypto';
import { refuse } from '../../contract/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import { findServedKey } from '../store/webhook-keys.ts';
import type { EventPolling } from '../webhooks/event-polling.ts';

/** Seconds that a cache may keep a key that is in use; the key itself never changes. */
const cacheSeconds = 3600;

export const handlers = ({
  eventPolling,
  now,
}: {
  /** Undefined: the environment does not have it. */
  eventPolling: EventPolling | undefined;
  now(): Date;
}): HandlersOf<'webhooks'> => ({
  async pollWebhookEvents({ query: { cursor, since, eventId, size, wait }, caller, signal }) {
    if (!eventPolling) return refuse(403, 'sandbox_only');
    const outcome = await eventPolling.poll({
      organizationId: caller.organizationId,
      cursor,
      sinceSeconds: since,
      eventId,
      limit: size,
      waitMilliseconds: wait * 1000,
      signal,
    });
    switch (outcome.kind) {
      case 'unknown_cursor': {
        const message = 'cursor is not an event of your organization';
        return refuse(400, 'parameter_invalid', { message, parameter: 'cursor' });
      }
      case 'polled': {
        const { events, nextCursor } = outcome;
        return { status: 200, body: { events, nextCursor } };
      }
    }
  },

  async getWebhookKey({ path, query, database }) {
    const at = now();
    const key = await findServedKey(database, path.keyId, at);
    if (!key) return refuse(404, 'webhook_key_not_found');
    const left = key.servedUntil
      ? Math.floor((key.servedUntil.getTime() - at.getTime()) / 1000)
      : cacheSeconds;
    const headers = { 'Cache-Control': `public, max-age=${Math.min(left, cacheSeconds)}` };
    if (!query.pem) {
      return { status: 200, type: 'text/plain', body: key.publicKeyDer.toString('base64'), headers };
    }
    const publicKey = createPublicKey({ key: key.publicKeyDer, format: 'der', type: 'spki' });
    const body = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    return { status: 200, type: 'application/x-pem-file', body, headers };
  },
});
