import { InvalidParameterError } from './errors.ts';

type Values = Readonly<Record<string, unknown>>;

/** The parameters of a call, of which only the compiler knows the types. */
export interface Parameters {
  path?: Values;
  query?: Values;
  header?: Values;
}

/** What makes a URL parser leave the path, or the host; parsers drop tabs and line breaks first (URL Standard, 4.4). */
const notInTemplate = /^(?!\/).*|\.\.|%2e|\s/i;
/**
 * A segment `..` or `.` addresses another operation and cannot be encoded, because URL parsers resolve `%2e%2e` too (URL
 * Standard, 4.5). A lone surrogate has no encoding.
 */
const notInPath = /^\.{0,2}$|\p{Cs}/u;
const notInQuery = /\p{Cs}/u;
/** RFC 9110, section 5.5. */
export const notInHeader: RegExp = /[^\t -~\x80-\xff]/u;

/**
 * Checks a value that becomes part of a URL or a header.
 *
 * @param operation Method and path, for the message.
 * @throws {InvalidParameterError}
 */
export function assertParameter(operation: string, name: string, value: unknown, invalid: RegExp): void {
  const isText = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  const found = isText ? invalid.exec(String(value)) : [value];
  if (found) throw new InvalidParameterError(operation, name, found[0]);
}

/**
 * Checks that a request has the path of its operation, and every value that was passed. Undefined and null are left out of
 * a query and headers.
 *
 * @throws {InvalidParameterError}
 */
export function assertParameters(
  operation: string,
  path: string,
  params: Parameters | undefined = {},
  headers: Values,
): void {
  assertParameter(operation, 'path', path, notInTemplate);
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    assertParameter(operation, name, params.path?.[name] ?? '', notInPath);
  for (const [values, invalid] of [
    [params.query, notInQuery],
    [{ ...params.header, ...headers }, notInHeader],
  ] as const)
    for (const [name, value] of Object.entries(values ?? {}))
      for (const item of [value ?? []].flat()) assertParameter(operation, name, item, invalid);
}
