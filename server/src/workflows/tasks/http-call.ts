import { isDeepText, toPayload } from '../../../asl/index.ts';
import { isObject, type Json, type JsonObject, storableText } from '../../../json/index.ts';
import {
  type Outbound,
  OutboundFailed,
  OutboundRefused,
  type OutboundResponse,
} from '../../../outbound/index.ts';
import { secretHeaders } from '../../domain/redaction.ts';
import { invalid, onlyFields, optionalText, type Task, TaskFailure, textOf } from './task.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const maximumBytes = 8 * 2 ** 20;
/** Maximum size of the body of an error, which is parsed in this process and stored with the step. */
const maximumErrorBytes = 64 * 2 ** 10;
/** A safety limit; the signal ends a call before. */
const maxMilliseconds = 1_600_000;
/** Set by the HTTP client or by the platform. */
const reserved = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'idempotency-key',
  'expect',
];

const requestFields = ['method', 'url', 'query', 'headers', 'body'] as const;

/**
 * `wrp:http:call`: sends one request to another system. Arguments: `url`; `method` (default: GET, or POST with a body),
 * `query`, `headers` (objects of strings), `body` (JSON, or text if `headers` has another `Content-Type`). Result:
 * `{statusCode, headers, body}`, with the body parsed if it is JSON, otherwise as text.
 *
 * Redirects are not followed. Fails with `Http.Status.<code>` for a status other than 2xx, whose Error Output has the
 * response as `Response: {statusCode, headers, body}`, without headers that authenticate and with at most 64 KiB of the
 * body; with `Http.Refused` for an address that may not be called, `Http.Failed` without a response, `Http.TooLarge` above 8 MiB, `States.Timeout` after
 * TimeoutSeconds.
 */
export function httpCall(outbound: Pick<Outbound, 'request'>): Task {
  return {
    kind: 'call',
    async call(args, { idempotencyKey }, signal) {
      onlyFields(args, requestFields);
      const response = await send(outbound, args, { 'idempotency-key': idempotencyKey }, signal);
      const body = decoded(response.body);
      const result = { statusCode: response.status, headers: headersOf(response), body };
      return { kind: isJson(response.headers['content-type']) ? 'response' : 'succeeded', result };
    },
  };
}

/**
 * `wrp:callback:wait`: waits until another system calls `POST /callbacks/{token}` with the step's token,
 * `$states.context.Task.Token`. Arguments: `request`, which is sent first, as for `wrp:http:call`, with the URL of the
 * callback in the header `Callback-Url`. Result: the callback's `output`.
 *
 * Fails with the callback's `error`; with the error of the request; with `States.Timeout` after TimeoutSeconds; with
 * `States.HeartbeatTimeout` if HeartbeatSeconds pass without a `POST /callbacks/{token}/heartbeat`.
 *
 * @param baseUrl the public URL of the platform
 */
export function callbackWait(outbound: Pick<Outbound, 'request'>, baseUrl: string): Task {
  return {
    kind: 'callback',
    needsRequest: (args) => !isObject(args) || Object.keys(args).length > 0,
    async request(args, { idempotencyKey }, { signal, token }) {
      onlyFields(args, ['request']);
      const { request } = args;
      if (typeof request !== 'object' || request === null || Array.isArray(request)) {
        throw invalid('‘request’ must be an object.');
      }
      onlyFields(request, requestFields);
      const headers = {
        'idempotency-key': idempotencyKey,
        'callback-url': `${baseUrl}/callbacks/${token}`,
      };
      await send(outbound, request, headers, signal);
    },
  };
}

/**
 * @param own headers that override the definition's
 * @throws TaskFailure for anything but a 2xx response
 */
async function send(
  outbound: Pick<Outbound, 'request'>,
  args: JsonObject,
  own: Record<string, string>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { body } = args;
  const method = optionalText(args, 'method') ?? (body === undefined ? 'GET' : 'POST');
  if (!methods.includes(method)) throw invalid(`‘method’ must be one of ${methods.join(', ')}.`);
  const headers = stringsOf(args, 'headers', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, /^[\t\x20-\x7e\x80-\xff]*$/);
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const reservedName = reserved.find((name) => name in lowered);
  if (reservedName) throw invalid(`The header ‘${reservedName}’ is set by the platform.`);
  const content = contentOf(body, lowered);
  const request = {
    url: urlOf(args),
    method,
    timeoutMilliseconds: maxMilliseconds,
    maximumBytes,
    signal,
    headers: { 'user-agent': 'workflow-and-records-platform', ...lowered, ...content.headers, ...own },
    ...(content.text !== undefined && { body: content.text }),
  };
  const response = await outbound.request(request).catch((error: unknown) => {
    throw failureOf(error);
  });
  const { status } = response;
  if (status >= 200 && status < 300) return response;
  const excerpt = decoded(response.body, 2_000);
  throw new TaskFailure(
    `Http.Status.${status}`,
    `The response to ${method} has status ${status}. ${excerpt}`,
    { statusCode: status, headers: withoutSecrets(headersOf(response)), body: bodyOf(response) },
  );
}

/** The bytes as text. NUL becomes U+FFFD, as bytes that are not UTF-8 do. */
function decoded(body: Buffer, maxBytes?: number): string {
  return storableText(body.toString('utf8', 0, maxBytes));
}

/**
 * The body of a response other than 2xx, parsed if it is JSON. A longer body is text, cut at 64 KiB; so is JSON with a
 * value that cannot be stored, because its escapes can be.
 */
function bodyOf({ headers, body }: OutboundResponse): Json {
  const text = decoded(body, maximumErrorBytes);
  if (body.length > maximumErrorBytes || !isJson(headers['content-type']) || isDeepText(text)) return text;
  try {
    return toPayload(JSON.parse(text), 'The body');
  } catch {
    return text;
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof OutboundRefused) return new TaskFailure('Http.Refused', error.message);
  if (!(error instanceof OutboundFailed)) return error;
  if (error.reason === 'response_too_large') return new TaskFailure('Http.TooLarge', error.message);
  return new TaskFailure(error.reason === 'timeout' ? 'States.Timeout' : 'Http.Failed', error.message);
}

function urlOf(args: JsonObject): string {
  const text = textOf(args, 'url');
  const query = Object.entries(stringsOf(args, 'query', /./s, /^/));
  if (query.length === 0) return text;
  const url = URL.parse(text);
  if (!url) throw invalid('‘url’ is not a URL.');
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}

const sendable = {
  headers:
    'A value is a string of one line in Latin-1, a number or a boolean; a name has letters, digits and hyphens.',
  query: 'A value is a string, a number or a boolean; a name is not empty.',
};

function stringsOf(
  args: JsonObject,
  name: keyof typeof sendable,
  key: RegExp,
  form: RegExp,
): Record<string, string> {
  const value = args[name] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`‘${name}’ must be an object.`);
  return Object.fromEntries(
    Object.entries(value).map(([each, content]) => {
      const text = typeof content === 'number' || typeof content === 'boolean' ? String(content) : content;
      if (typeof text !== 'string' || !key.test(each) || !form.test(text)) {
        throw invalid(`‘${name}’ has an entry that cannot be sent: ${each}. ${sendable[name]}`);
      }
      return [each, text];
    }),
  );
}

function contentOf(body: Json | undefined, headers: Record<string, string>) {
  if (body === undefined) return { headers: {} };
  const type = headers['content-type'];
  if (type === undefined || isJson(type)) {
    return { headers: { 'content-type': type ?? 'application/json' }, text: JSON.stringify(body) };
  }
  if (typeof body !== 'string') throw invalid(`A body of type ${type} must be a string.`);
  return { headers: {}, text: body };
}

function headersOf({ headers }: OutboundResponse): JsonObject {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

/** An error's headers end up where a result's would not: in logs and mails. */
function withoutSecrets(headers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name)));
}

/** Tests the start of the header only, which limits the time of the regular expression. */
function isJson(contentType: unknown): boolean {
  return /^application\/([^;]+\+)?json\b/i.test(String(contentType ?? '').slice(0, 200));
}
