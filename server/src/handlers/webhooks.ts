import { createPublicKey } from 'node:crypto';
import { type HandlersOf, refuse } from '../http/operation.ts';
import { findServedKey } from '../store/webhook-keys.ts';

/** Seconds that a cache may keep a key that is in use; the key itself never changes. */
const cacheSeconds = 3600;

export const handlers = ({ now }: { now(): Date }): HandlersOf<'webhooks'> => ({
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
