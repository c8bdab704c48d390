/** For the tests of those who receive webhooks: `@wrp/client/testing`. */
import { encodeBase64url } from './base64url.ts';
import { algorithm } from './webhook-keys.ts';
import type { WebhookEvent } from './webhooks.ts';

/** A message as the platform would post it. */
export interface SignedWebhook {
  /** The exact bytes that are signed. */
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** Signs as the platform does, with a key of its own that it serves like the platform. */
export interface WebhookSigner {
  /** @param at when it is said to be signed; now unless told */
  sign(event: WebhookEvent | object | string, options?: { at?: Date }): Promise<SignedWebhook>;
  /** Signs with a new key from now on. The old one is still served, unless it is to be gone. */
  rotate(options?: { gone?: boolean }): Promise<void>;
  /** Answers for the platform's key endpoint: give it to `webhookVerifier` as `fetch`. */
  fetch(request: Request): Promise<Response>;
}

interface Key {
  kid: string;
  privateKey: CryptoKey;
  der: ArrayBuffer;
}

/**
 *   const signer = await webhookSigner();
 *   const verifyWebhook = webhookVerifier({ baseUrl: 'https://api.example.com', fetch: signer.fetch });
 *   const { body, headers } = await signer.sign({ type: 'user.terminated', … });
 */
export async function webhookSigner(): Promise<WebhookSigner> {
  let current = await newKey();
  const served = new Map([[current.kid, current]]);
  return {
    async sign(event, { at = new Date() } = {}) {
      const text = new TextEncoder();
      const body = text.encode(typeof event === 'string' ? event : JSON.stringify(event));
      const header = { alg: 'ES256', kid: current.kid, iat: Math.floor(at.getTime() / 1000) };
      const head = encodeBase64url(text.encode(JSON.stringify(header)));
      const input = text.encode(`${head}.${encodeBase64url(body)}`);
      const signature = new Uint8Array(await crypto.subtle.sign(algorithm, current.privateKey, input));
      const value = `${head}..${encodeBase64url(signature)}`;
      return { body, headers: { 'Content-Type': 'application/json', 'Webhook-Signature': value } };
    },
    async rotate({ gone = false } = {}) {
      if (gone) served.delete(current.kid);
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
