import { malformedHttp } from '../../support/declared-responses.ts';
import type { Received } from '../../support/raw-requests.ts';
import { errorSchema, type Operation, schemaError } from './contract.ts';
import { entryError } from './sentences.ts';

export interface ErrorBody {
  fingerprint: string;
  errors: { code: string; message: string; pointer?: string; parameter?: string }[];
}

/** Internals that a response must never show: stacks, files, statements, addresses, markup. */
const internals =
  /<!doctype|<html|\bat \S+ \(|node:internal|node_modules|\.ts:\d|\bselect\b.+\bfrom\b|relation "|ECONN|SQLSTATE|postgres|\/tmp\//i;

/**
 * What is wrong with a response that should be a documented error: one of the operation's statuses, with codes of its
 * examples, the error object with the id of the request, the headers that the contract requires, no internals.
 *
 * @param operation undefined for a response outside of the contract's operations
 * @returns undefined if nothing is wrong
 */
export function refusalError(operation: Operation | undefined, response: Received): string | undefined {
  const { status, headers, text } = response;
  if (status < 400) return `was not refused: ${status} ${text.slice(0, 200)}`;
  const declared = operation?.responses.get(status);
  if (operation && !declared) return `status ${status} is not declared: ${text.slice(0, 300)}`;
  if (headers['content-type'] !== 'application/json')
    return `${status} came as ${headers['content-type']}, not as application/json: ${text.slice(0, 200)}`;
  const body = parsed(text);
  const problem = schemaError(errorSchema, body);
  if (problem) return `${status} is not the error object: ${problem}: ${text.slice(0, 300)}`;
  if ((body as ErrorBody).fingerprint !== headers['request-id'])
    return `the fingerprint is not the Request-Id ${headers['request-id']}`;
  const entry = (body as ErrorBody).errors.map(entryError).find(Boolean);
  if (entry) return `${status}: ${entry}`;
  const undocumented =
    declared && codesOf(response).filter((code) => !declared.codes.includes(code) && code !== malformedHttp);
  if (undocumented?.length) return `${status} has no example with the code ${undocumented.join(', ')}`;
  if (internals.test(text)) return `shows the inside of the platform: ${text.slice(0, 300)}`;
  const missing = declared?.requiredHeaders.filter((name) => headers[name.toLowerCase()] === undefined);
  if (missing?.length) return `${status} lacks the header ${missing.join(', ')}`;
  return undefined;
}

/** Headers that differ between any two responses. */
const varying = ['request-id', 'ratelimit', 'date', 'connection', 'keep-alive'];

/** What is wrong with the response to HEAD: it has status and headers of the GET, and no body (RFC 9110, 9.3.2). */
export function headError(get: Received, head: Received): string | undefined {
  if (head.status !== get.status) return `HEAD has the status ${head.status}, GET ${get.status}`;
  if (head.text !== '') return `HEAD has the body ${head.text.slice(0, 200)}`;
  const names = new Set([...Object.keys(get.headers), ...Object.keys(head.headers)]);
  const different = [...names].filter(
    (name) => !varying.includes(name) && head.headers[name] !== get.headers[name],
  );
  return different.length > 0 ? `HEAD and GET differ in ${different}` : undefined;
}

export function codesOf({ text }: Received): string[] {
  return ((parsed(text) as ErrorBody | undefined)?.errors ?? []).map(({ code }) => code);
}

/** What each error names: a pointer into the body, or a parameter. */
export function placesOf({ text }: Received): (string | undefined)[] {
  const { errors } = parsed(text) as ErrorBody;
  return errors.map(({ pointer, parameter }) => parameter ?? pointer);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
