import { type OperationObject, Refused, refuse } from '../../../server/contract/index.ts';

const names = ['code', 'example', 'dynamic', 'retry-after', 'wait'] as const;
type Name = (typeof names)[number];

/** What a `Prefer` header (RFC 7240) requests: `Prefer: code=404, wait=2`. A preference without a value is ''. */
export type Preference = { [Known in Name]?: string };

/** What a request can set, with an example of each, for help texts. */
export const preferenceExamples = [
  ['Prefer: code=404', 'another documented status'],
  ['Prefer: example=userNotFound', 'a response by the name of its example'],
  ['Prefer: dynamic=true', 'a body generated from the schema'],
  ['Prefer: wait=2', 'a delay of two seconds'],
  ['Prefer: code=503, retry-after=5', 'a status with another Retry-After'],
] as const;

/** For the help of a command. */
export const preferenceHelp = [
  'Headers of a request (RFC 7240), and the response:',
  ...preferenceExamples.map(([header, response]) => `  ${header.padEnd(33)}${response}`),
].join('\n');

/** A documented response. */
export type Selected = Pick<Preference, 'code' | 'example'>;

const maximumWaitSeconds = 60;

const token = "[\\w!#$%&'*+.^`|~-]+";
const preference = new RegExp(`^(${token})[\t ]*(?:=[\t ]*(${token}|"(?:[^"\\\\]|\\\\.)*")?)?$`);
/** A quote without an end reaches to the end of the header. */
const quoted = String.raw`"(?:[^"\\]|\\.?)*(?:"|$)`;
const elements = new RegExp(`(?:${quoted}|[^",])+`, 'g');
const beforeParameters = new RegExp(`^(?:${quoted}|[^";])*`);

/**
 * The preferences that the mock knows (RFC 7240, section 2): of equal ones the first, without parameters. All others,
 * and malformed ones, are ignored.
 */
export function readPreferences(header: string | string[] | undefined): Preference {
  const read = new Map<string, string>();
  for (const element of String(header ?? '').match(elements) ?? []) {
    const [own = ''] = beforeParameters.exec(element) ?? [];
    const [, name = '', value = ''] = preference.exec(own.trim()) ?? [];
    const known = name.toLowerCase();
    if (!read.has(known)) read.set(known, unquoted(value));
  }
  return Object.fromEntries(names.flatMap((name) => (read.has(name) ? [[name, read.get(name)]] : [])));
}

const unquoted = (word: string) =>
  word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;

/**
 * The delay of the response in milliseconds. Default: 0.
 *
 * @throws {Refused} 400 `parameter_invalid` unless `wait` is a number of seconds from 0 to 60
 */
export function delayOf({ wait = '0' }: { wait?: string }): number {
  const seconds = /^\d{1,2}(\.\d{1,3})?$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= maximumWaitSeconds) return seconds * 1000;
  throw invalid(`wait must be a number of seconds from 0 to ${maximumWaitSeconds}.`);
}

/** The preferences, besides `wait`, that made a response what it is. */
export function appliedOf(
  preferences: Preference,
  { isGenerated, isDelayed }: { isGenerated: boolean; isDelayed: boolean },
): Preference {
  const { wait: _, dynamic, 'retry-after': seconds, ...selecting } = preferences;
  return {
    ...selecting,
    ...(dynamic !== undefined && (dynamic === 'true') === isGenerated && { dynamic }),
    ...(seconds !== undefined && isDelayed && { 'retry-after': seconds }),
  };
}

/** The response header that confirms the preferences that were applied (RFC 7240, section 3). */
export function appliedPreferences(applied: Preference): Record<string, string> {
  const written = Object.entries(applied).map(([name, value]) => `${name}=${wordOf(value)}`);
  return written.length > 0 ? { 'preference-applied': written.join(', ') } : {};
}

const wordOf = (value: string) =>
  new RegExp(`^${token}$`).test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

/**
 * The headers of an example with the preferred `Retry-After`, if it has one.
 *
 * @throws {Refused} 400 `parameter_invalid` unless it is a number of seconds
 */
export function withRetryAfter(
  headers: Record<string, string>,
  { 'retry-after': seconds }: Preference,
): Record<string, string> {
  if (seconds === undefined) return headers;
  if (!/^\d{1,4}$/.test(seconds)) throw invalid('retry-after must be a number of seconds.');
  const isDocumented = Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after');
  return isDocumented ? { ...headers, 'Retry-After': seconds } : headers;
}

/** @throws {Refused} 400 `parameter_invalid` for a status or an example that the operation does not document */
export function preferenceOf({ code, example, dynamic }: Preference, operation: OperationObject): Selected {
  if (dynamic !== undefined && !/^(?:true|false)$/.test(dynamic))
    throw invalid('dynamic must be true or false.');
  if (dynamic === 'true' && example !== undefined)
    throw invalid('dynamic generates a body, so it cannot be combined with example.');
  const documented = Object.keys(operation.responses);
  const undocumented = (what: string, known: string[]) =>
    invalid(
      `${operation.operationId} does not document the ${what}; it documents ${known.join(', ') || 'none'}.`,
    );
  if (code !== undefined && !documented.includes(code)) throw undocumented(`status ${code}`, documented);
  if (example === undefined) return code === undefined ? {} : { code };
  // The name of an example implies its status: `Prefer: example=userNotFound` is enough.
  const statuses = code === undefined ? documented : [code];
  const found = statuses.find((status) => examplesOf(operation, status).includes(example));
  if (found) return { code: found, example };
  throw undocumented(
    `example ${example}`,
    statuses.flatMap((status) => examplesOf(operation, status)),
  );
}

/** The names of a response's examples, over all of its media types. */
function examplesOf(operation: OperationObject, status: string): string[] {
  const media = Object.values(operation.responses[status]?.content ?? {});
  return media.flatMap(({ examples }) => Object.keys(examples ?? {}));
}

const invalid = (message: string) =>
  new Refused(refuse(400, 'parameter_invalid', { message, parameter: 'Prefer' }));
