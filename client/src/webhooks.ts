import { decodeBase64url, encodeBase64url } from './base64url.ts';
import type { webhooks } from './contract.ts';
import { algorithm, type WebhookKeySource, webhookKeys } from './webhook-keys.ts';

/** An event of the platform. Its `type` determines the type of `data`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } };
  }
    ? Event
    : never;
}[keyof webhooks];

/** Request headers as frameworks provide them: `Headers`, or an object by name. */
export type IncomingHeaders = Headers | Record<string, string | string[] | undefined>;

/** Why the verification failed. */
export type WebhookVerificationReason =
  | 'signature_missing'
  | 'signature_malformed'
  | 'algorithm_unsupported'
  | 'outside_window'
  | 'key_unknown'
  | 'signature_wrong';

/** The request was not signed by the platform within the last five minutes. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  declare readonly reason: WebhookVerificationReason;

  /** @param detail is added to the message */
  constructor(reason: WebhookVerificationReason, detail?: string) {
    super(`The webhook could not be verified: ${reason}${detail ? ` (${detail})` : ''}.`);
    this.reason = reason;
  }
}

/** Returns the event of a request that the platform signed within five minutes of now. */
export type VerifyWebhook = (
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: IncomingHeaders,
) => Promise<WebhookEvent>;

/** Maximum difference between `iat` and the receiver's clock, in either direction. */
const toleranceSeconds = 300;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The payload between the dots is empty; 64 signature bytes are 86 characters. */
const detachedJws = /^([\w-]{1,912})\.\.([\w-]{86})$/;
const headerName = 'webhook-signature';

/**
 * Creates a function that verifies webhooks. It caches the platform's keys, so create it once and reuse it.
 *
 * The signature must be a detached JWS (RFC 7515, appendix F) with ES256 over the exact bytes of the body, signed
 * within five minutes of now, with a key that the platform serves.
 *
 * @returns A function that throws {WebhookVerificationError} for an unverified request, and {ApiError},
 *   {ConnectionError} or {TimeoutError} if the key cannot be fetched. Respond to the latter with 500, so that the event
 *   is delivered again.
 */
export function webhookVerifier(source: WebhookKeySource): VerifyWebhook {
  const keys = webhookKeys(source);
  return async (rawBody, headers) => {
    const body = bytesOf(rawBody);
    const [, head = '', tail = ''] = detachedJws.exec(signatureIn(headers)) ?? fail('signature_malformed');
    const { alg, kid, iat, crit } = headerOf(head);
    if (alg !== 'ES256') fail('algorithm_unsupported');
    if (crit !== undefined || typeof kid !== 'string' || !uuid.test(kid)) fail('signature_malformed');
    const age = typeof iat === 'number' ? Date.now() / 1000 - iat : Number.NaN;
    if (!(Math.abs(age) <= toleranceSeconds)) fail('outside_window', described(age));
    const key = (await keys(kid as string)) ?? fail('key_unknown');
    const input = bytesOf(`${head}.${encodeBase64url(body)}`) as Uint8Array<ArrayBuffer>;
    const valid = await crypto.subtle.verify(algorithm, key, decodeBase64url(tail), input);
    return valid ? parse(body) : fail('signature_wrong', 'changed, or of another environment');
  };
}

function fail(reason: WebhookVerificationReason, detail?: string): never {
  throw new WebhookVerificationError(reason, detail);
}

function parse(json: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(json));
}

function described(age: number): string {
  if (Number.isNaN(age)) return 'the signature has no time';
  const seconds = Math.round(Math.abs(age));
  return `signed ${seconds} seconds ${age < 0 ? 'in the future' : 'ago'}; at most ${toleranceSeconds}`;
}

function bytesOf(body: Uint8Array | ArrayBuffer | string): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // An ArrayBuffer has only the length.
  const { buffer = body, byteOffset, byteLength } = Object(body);
  if (byteLength !== undefined) return new Uint8Array(buffer, byteOffset, byteLength);
  throw new TypeError('Pass the raw body: a parsed one has other bytes.');
}

function signatureIn(headers: IncomingHeaders): string {
  if (!headers) throw new TypeError('Pass the headers of the request.');
  // Not `instanceof`: a framework may have its own class.
  const entries =
    typeof headers.get === 'function'
      ? [[headerName, headers.get(headerName)] as const]
      : Object.entries(headers).filter(([name]) => name.toLowerCase() === headerName);
  const [value = fail('signature_missing'), ...others] = entries.flatMap(([, values]) => values ?? []);
  return others.length > 0 ? fail('signature_malformed', 'more than one header') : value;
}

function headerOf(head: string): Record<string, unknown> {
  try {
    const header = parse(decodeBase64url(head));
    if (Object(header) === header) return header;
  } catch {
    // Invalid base64url or JSON is malformed too.
  }
  return fail('signature_malformed');
}
