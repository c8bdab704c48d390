/** Test support for webhook receivers, exported as `@wrp/client/testing`. */
import { encodeBase64url } from './base64url.ts';
import { algorithm } from './webhook-keys.ts';
import type { WebhookEvent } from './webhooks.ts';

/** A webhook request as the platform sends it. */
export interface SignedWebhook {
  /** The signed bytes. */
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** Signs webhooks like the platform, and serves its own public keys. */
export interface WebhookSigner {
  /** @param options.at The time of the signature. Default: now. */
  sign(event: WebhookEvent | object | string, options?: { at?: Date }): Promise<SignedWebhook>;
  /** Replaces the signing key. The old key is still served, unless `removeOld` is true. */
  rotate(options?: { removeOld?: boolean }): Promise<void>;
  /** Stands in for the platform's key endpoint: pass it to `webhookVerifier` as `fetch`. */
  fetch(request: Request): Promise<Response>;
}

interface Key {
  kid: string;
  privateKey: CryptoKey;
  der: ArrayBuffer;
}

/**
 * Creates a signer with a new key.
 *
 *   const signer = await webhookSigner();
 *   const verifyWebhook = webhookVerifier({ baseUrl: 'https://api.example.com', fetch: signer.fetch });
 *   const { body, headers } = await signer.sign({ type: 'user.terminated', … });
 */
export async function webhookSigner(): Promise<WebhookSigner> {
  let current = await newKey();
  const served = new Map([[current.kid, current]]);
  return {
    async sign(event, { at = new Date() } = {}) {
      const encoder = new TextEncoder();
      const body = encoder.encode(typeof event === 'string' ? event : JSON.stringify(event));
      const header = { alg: 'ES256', kid: current.kid, iat: Math.floor(at.getTime() / 1000) };
      const head = encodeBase64url(encoder.encode(JSON.stringify(header)));
      const input = encoder.encode(`${head}.${encodeBase64url(body)}`);
      const signature = new Uint8Array(await crypto.subtle.sign(algorithm, current.privateKey, input));
      const value = `${head}..${encodeBase64url(signature)}`;
      return { body, headers: { 'Content-Type': 'application/json', 'Webhook-Signature': value } };
    },
    async rotate({ removeOld = false } = {}) {
      if (removeOld) served.delete(current.kid);
      current = await newKey();
      served.set(current.kid, current);
    },
    async fetch({ url }) {
      const key = served.get(new URL(url).pathname.split('/').at(-1) ?? '');
      if (!key) return Response.json(unknownKey, { status: 404 });
      const der = btoa(String.fromCharCode(...new Uint8Array(key.der)));
      return new Response(der, { headers: { 'Cache-Control': 'public, max-age=3600' } });
    },
  };
}

const unknownKey = {
  fingerprint: '00000000-0000-4000-8000-000000000000',
  errors: [{ code: 'webhook_key_not_found', message: 'There is no such key.' }],
};

async function newKey(): Promise<Key> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const der = await crypto.subtle.exportKey('spki', publicKey);
  return { kid: crypto.randomUUID(), privateKey, der };
}
