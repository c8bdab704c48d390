import { type KeyObject, sign } from 'node:crypto';

/** An event as receivers get it. */
export interface WebhookEvent {
  id: string;
  type: string;
  createdDateTime: string;
  organizationId: string;
  workspaceId: string | null;
  data: object;
}

/** The bytes that are signed and sent. */
export function webhookBody({ workspaceId, data, ...rest }: WebhookEvent): Buffer {
  return Buffer.from(JSON.stringify({ ...rest, ...(workspaceId && { workspaceId }), data }));
}

export function webhookHeaders({
  signature,
  traceparent,
}: {
  signature: string;
  /** To be sent; see `sentTraceparent`. */
  traceparent?: string | undefined;
}): { 'Content-Type': 'application/json'; 'Webhook-Signature': string; traceparent?: string } {
  return {
    'Content-Type': 'application/json',
    'Webhook-Signature': signature,
    ...(traceparent && { traceparent }),
  };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay after each failed attempt: ten attempts, the last about 71 hours after the first. */
const gaps = [
  1 * second,
  3 * second,
  8 * second,
  20 * second,
  1 * minute,
  10 * minute,
  3 * hour,
  20 * hour,
  48 * hour,
];

/**
 * The delay until the next attempt, in milliseconds; undefined after the last. Varies by a tenth, so that
 * deliveries that failed together are not retried together.
 *
 * @param made number of attempts so far
 * @param random from 0 to 1
 */
export function pauseAfter(made: number, random = Math.random()): number | undefined {
  const gap = gaps[made - 1];
  return gap === undefined ? undefined : Math.round(gap * (0.9 + 0.2 * random));
}

/** Requests that an endpoint gets at a time, from all processes. */
export const requestsAtATime = 16;

/** The accepted difference between `iat` and the receiver's clock. */
export const signatureWindowMilliseconds = 5 * 60_000;

/** A signing key; receivers fetch its public key by `kid`. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/**
 * Signs the body of a webhook: a detached JWS (RFC 7515, appendix F) with ES256, whose signature is 64 bytes (RFC
 * 7518, section 3.4). Decision 22 of spec/guides/limits-and-decisions.md.
 *
 * @param at the time of signing; the signature contains whole seconds
 * @returns the value of `Webhook-Signature`
 */
export function signWebhook(body: Buffer, { kid, privateKey }: SigningKey, at: Date): string {
  const header = { alg: 'ES256', kid, iat: Math.floor(at.getTime() / 1000) };
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const input = Buffer.from(`${head}.${body.toString('base64url')}`);
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${head}..${signature.toString('base64url')}`;
}

const longest = 2_000;

/**
 * Why a URL is not allowed for webhooks, such as `must be an http or https address`. The address that it resolves
 * to is checked when something is sent. The URL may contain a secret, so the message does not repeat it.
 */
export function problemOfWebhookUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (text.length > longest) return `must have at most ${longest} characters`;
  return undefined;
}
