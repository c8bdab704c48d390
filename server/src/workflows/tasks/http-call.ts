import type { Json, JsonObject } from '../../domain/json.ts';
import { OutboundFailed, OutboundRefused } from '../../outbound/errors.ts';
import type { Outbound, OutboundResponse } from '../../outbound/outbound.ts';
import { invalid, onlyFields, textOf } from './arguments.ts';
import { type Task, TaskFailure } from './task.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const maximumBytes = 8 * 2 ** 20;
/** The signal ends a call; this only bounds what the signal would not. */
const longestMilliseconds = 1_600_000;
/** Set by the client, or by us. */
const reserved = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'idempotency-key',
  'expect',
];

export const requestFields = ['method', 'url', 'query', 'headers', 'body'] as const;

/**
 * `wrp:http:call`: one request to another system. Arguments: `url`; `method` (GET unless there is a body, then
 * POST), `query`, `headers` (objects of strings), `body` (JSON, or text where `headers` name another
 * `Content-Type`). Result: `{statusCode, headers, body}`, the body parsed where it is JSON, else as text.
 *
 * Redirects are answers. Fails with `Http.Status.<code>` for an answer that is not 2xx, `Http.Refused` for an
 * address that may not be called, `Http.Failed` without an answer, `Http.TooLarge` above 8 MiB,
 * `States.Timeout` when TimeoutSeconds are over.
 */
export function httpCall(outbound: Pick<Outbound, 'request'>): Task {
  return {
    kind: 'call',
    async call(given, { idempotencyKey }, signal) {
      onlyFields(given, requestFields);
      const answer = await send(outbound, given, { 'idempotency-key': idempotencyKey }, signal);
      const body = answer.body.toString('utf8');
      const result = { statusCode: answer.status, headers: headersOf(answer), body };
      return { kind: isJson(answer.headers['content-type']) ? 'response' : 'succeeded', result };
    },
  };
}

/**
 * @param ownHeaders come after the definition's
 * @throws TaskFailure for anything but an answer of 2xx
 */
export async function send(
  outbound: Pick<Outbound, 'request'>,
  given: JsonObject,
  ownHeaders: Record<string, string>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { body } = given;
  const method =
    given['method'] === undefined ? (body === undefined ? 'GET' : 'POST') : textOf(given, 'method');
  if (!methods.includes(method)) throw invalid(`‘method’ must be one of ${methods.join(', ')}.`);
  const headers = stringsOf(given, 'headers', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, /^[\t\x20-\x7e\x80-\xff]*$/);
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const taken = reserved.find((name) => name in lowered);
  if (taken) throw invalid(`The header ‘${taken}’ is set by the platform.`);
  const content = contentOf(body, lowered);
  const request = {
    ...{ url: addressOf(given), method, timeoutMilliseconds: longestMilliseconds, maximumBytes, signal },
    headers: { 'user-agent': 'workflow-and-records-platform', ...lowered, ...content.headers, ...ownHeaders },
    ...(content.text !== undefined && { body: content.text }),
  };
  const answer = await outbound.request(request).catch((error: unknown) => {
    throw failureOf(error);
  });
  if (answer.status >= 200 && answer.status < 300) return answer;
  const shown = answer.body.toString('utf8', 0, 2_000);
  throw new TaskFailure(
    `Http.Status.${answer.status}`,
    `${method} was answered with ${answer.status}. ${shown}`,
  );
}

function failureOf(error: unknown): unknown {
  if (error instanceof OutboundRefused) return new TaskFailure('Http.Refused', error.message);
  if (!(error instanceof OutboundFailed)) return error;
  if (error.reason === 'response_too_large') return new TaskFailure('Http.TooLarge', error.message);
  return new TaskFailure(error.reason === 'timeout' ? 'States.Timeout' : 'Http.Failed', error.message);
}

function addressOf(given: JsonObject): string {
  const text = textOf(given, 'url');
  const query = Object.entries(stringsOf(given, 'query', /./s, /^/));
  if (query.length === 0) return text;
  const url = URL.parse(text);
  if (!url) throw invalid('‘url’ is no address.');
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url.href;
}

function stringsOf(given: JsonObject, name: string, key: RegExp, form: RegExp): Record<string, string> {
  const value = given[name] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`‘${name}’ must be an object.`);
  return Object.fromEntries(
    Object.entries(value).map(([each, content]) => {
      const text = typeof content === 'number' || typeof content === 'boolean' ? String(content) : content;
      if (typeof text !== 'string' || !key.test(each) || !form.test(text)) {
        throw invalid(`‘${name}’ holds what cannot be sent: ${each}.`);
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

/** Of a long header only the beginning matters, which bounds what the regular expression takes. */
function isJson(contentType: unknown): boolean {
  return /^application\/([^;]+\+)?json\b/i.test(String(contentType ?? '').slice(0, 200));
}
