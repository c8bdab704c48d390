import { decodeBase64url, encodeBase64url } from './base64url.ts';
import type { webhooks } from './contract.ts';
import { algorithm, type WebhookKeySource, webhookKeys } from './webhook-keys.ts';

/** An event of the platform; its `type` says what is in `data`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } };
  }
    ? Event
    : never;
}[keyof webhooks];

/** As a framework gives them: `Headers`, or an object of them by lower-case name. */
export type IncomingHeaders = Headers | Record<string, string | string[] | undefined>;

/** Why a message is not to be believed. */
export type WebhookRefusal =
  | 'signature_missing'
  | 'signature_malformed'
  | 'algorithm_unsupported'
  | 'outside_window'
  | 'key_unknown'
  | 'signature_wrong';

/** The message is not one of the platform's, or not one of the last five minutes: answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(`The webhook is refused: ${reason}.`);
    this.reason = reason;
  }
}

/** Gives the event of a message that the platform signed within five minutes of now. */
export type VerifyWebhook = (
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: IncomingHeaders,
) => Promise<WebhookEvent>;

/** Seconds that `iat` may be away from the receiver's clock, either way. */
const windowSeconds = 300;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** 64 bytes of signature are 86 characters; nothing stands between the dots. */
const detached = /^([\w-]+)\.\.([\w-]{86})$/;
const longestSignature = 1000;

/**
 * Makes the function that verifies webhooks, with a cache of the platform's keys. Make one, and keep it.
 *
 * The rules are the contract's: a detached JWS (RFC 7515, appendix F) with ES256 over the exact bytes of the body,
 * no older and no younger than five minutes, by a key that the platform serves.
 *
 * @returns a function that throws {WebhookVerificationError} for what must not be believed, and {ApiError} or
 *   {ConnectionError} where the key could not be fetched: answer 500 then, and the event comes again
 */
export function webhookVerifier(source: WebhookKeySource): VerifyWebhook {
  const keys = webhookKeys(source);
  return async (rawBody, headers) => {
    const body = bytesOf(rawBody);
    const [, head = '', tail = ''] = detached.exec(signatureIn(headers)) ?? refuse('signature_malformed');
    const { alg, kid, iat, crit } = headerOf(head);
    if (alg !== 'ES256') refuse('algorithm_unsupported');
    if (crit !== undefined || typeof kid !== 'string' || !uuid.test(kid)) refuse('signature_malformed');
    const age = typeof iat === 'number' ? Math.abs(Date.now() / 1000 - iat) : Number.NaN;
    if (!(age <= windowSeconds)) refuse('outside_window');
    const key = (await keys(kid as string)) ?? refuse('key_unknown');
    const input = new TextEncoder().encode(`${head}.${encodeBase64url(body)}`);
    const genuine = await crypto.subtle.verify(algorithm, key, decodeBase64url(tail), input);
    return genuine ? JSON.parse(new TextDecoder().decode(body)) : refuse('signature_wrong');
  };
}

function refuse(reason: WebhookRefusal): never {
  throw new WebhookVerificationError(reason);
}

function bytesOf(body: Uint8Array | ArrayBuffer | string): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('The raw body is needed, as it came: parsed and written again, it is other bytes.');
}

function signatureIn(headers: IncomingHeaders): string {
  const given = isHeaders(headers) ? headers.get('Webhook-Signature') : lowerCase(headers);
  if (given === null || given === undefined) refuse('signature_missing');
  // Several of them are none: which one would count?
  if (typeof given !== 'string' || given.length > longestSignature) refuse('signature_malformed');
  return given as string;
}

/** By what it can do: a framework may have brought a class of its own. */
function isHeaders(headers: IncomingHeaders): headers is Headers {
  return typeof headers.get === 'function';
}

function lowerCase(headers: Record<string, string | string[] | undefined>): string | string[] | undefined {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'webhook-signature');
  return name === undefined ? undefined : headers[name];
}

function headerOf(head: string): Record<string, unknown> {
  try {
    const header = JSON.parse(new TextDecoder().decode(decodeBase64url(head)));
    if (typeof header === 'object' && header !== null) return header;
  } catch {
    // Neither is base64 or JSON that cannot be read one.
  }
  return refuse('signature_malformed');
}
