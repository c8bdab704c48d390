import type { OperationObject } from '../../../server/contract/index.ts';
import { entityTag } from '../../../server/http-bodies/index.ts';

/** A response as it is sent. */
export type WireResponse = {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
};

/** A documented response, before it is adapted to its request. */
export type ExampleResponse = {
  status: number;
  headers: Record<string, string>;
  /** Headers that this response has for a reason of its own. */
  ownHeaders?: Record<string, string>;
  body: unknown;
  /** The documented media type; a range such as `*\/*` for files. */
  mediaType: string | undefined;
};

/** Sent as far as the request uses something deprecated, in `ownHeaders`. */
const deprecationHeaders = ['deprecation', 'sunset', 'link'];
const rateLimitHeaders = ['ratelimit', 'ratelimit-policy'];
/** Headers of every response of the platform. */
const always = { 'cache-control': 'no-store', vary: 'Origin', 'x-content-type-options': 'nosniff' };
const statusesWithoutBody = [204, 304];

/** Adapts an example to its request: request id, headers that depend on its credentials, length, entity tag. */
export function responseTo(
  requestId: string,
  operation: OperationObject | undefined,
  example: ExampleResponse,
): WireResponse {
  const { status, mediaType = 'application/json' } = example;
  const absent = new Set(absentHeaders(operation, status));
  const documented = Object.entries(lowerCase(example.headers)).filter(([name]) => !absent.has(name));
  const headers: Record<string, string> = {
    ...always,
    ...Object.fromEntries(documented),
    ...lowerCase(example.ownHeaders),
    'request-id': requestId,
  };
  if (statusesWithoutBody.includes(status)) return { status, headers, body: undefined };
  if (example.body === undefined)
    return { status, headers: { ...headers, 'content-length': '0' }, body: undefined };
  const isJson = /[/+]json$/.test(mediaType);
  const body = isJson ? JSON.stringify(withFingerprint(example.body, requestId)) : String(example.body);
  headers['content-type'] = contentTypeOf(mediaType, body);
  if (isJson && headers['etag'] !== undefined) headers['etag'] = entityTag(body);
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

/** The example values of the headers that an operation documents for a status. */
export function exampleHeaders(
  operation: OperationObject | undefined,
  status: number,
): Record<string, string> {
  const headers = Object.entries(operation?.responses[status]?.headers ?? {});
  const present = headers.filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(present.map(([name, { example }]) => [name, String(example)]));
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The fingerprint of an error is the id of its request, which an example cannot know. */
function withFingerprint(body: unknown, requestId: string): unknown {
  const isError = typeof body === 'object' && body !== null && 'fingerprint' in body && 'errors' in body;
  return isError ? { ...body, fingerprint: requestId } : body;
}

/**
 * Documented headers that the platform does not send with this response. No mock is reached by https (RFC 6797), and
 * none replays a response. `Accept-Encoding` belongs to a refusal of the encoding, which is not the example.
 */
function absentHeaders(operation: OperationObject | undefined, status: number): string[] {
  return [
    ...['content-type', 'strict-transport-security', 'idempotency-replayed', 'accept-encoding'],
    ...deprecationHeaders,
    // The limits of a secured operation are those of its caller.
    ...(isSecured(operation) && !hasCaller(operation, status) ? rateLimitHeaders : []),
  ];
}

const isSecured = (operation: OperationObject | undefined) => (operation?.security ?? []).length > 0;

/** Whether a response is one to a caller with credentials that are accepted. */
export const hasCaller = (operation: OperationObject | undefined, status: number) =>
  isSecured(operation) && status !== 401;

function contentTypeOf(mediaType: string, body: string): string {
  if (mediaType.startsWith('text/')) return `${mediaType}; charset=utf-8`;
  if (!mediaType.includes('*')) return mediaType;
  return body.startsWith('%PDF-') ? 'application/pdf' : 'application/octet-stream';
}
