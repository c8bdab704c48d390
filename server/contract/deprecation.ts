import { type ContractDocument, resolve, type Schema } from './document.ts';
import type { OperationObject } from './routes.ts';

/** When something became deprecated and when it stops working, in milliseconds since 1970. */
export interface Deprecation {
  since: number;
  sunset: number;
}

/** The parts of a request and its response that may be deprecated. */
export interface DeprecableParts {
  /** The query as sent, without the question mark. */
  search: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, unknown>>;
  /** Undefined if there was none, or if it was refused. */
  requestBody: unknown;
  status: number;
  responseBody: unknown;
}

/** Every deprecated thing that a request and its response used: the operation, a parameter or a field of either body. */
export type DeprecationCheck = (parts: DeprecableParts) => Deprecation[];

interface Dated {
  deprecated?: boolean;
  'x-deprecated-since'?: string;
  'x-sunset'?: string;
}

/** The dates of an operation, parameter, field or security scheme; a lint rule demands both. Days begin at 00:00 UTC. */
export function deprecationOf(node: object): Deprecation | undefined {
  const { 'x-deprecated-since': since, 'x-sunset': sunset } = node as Dated;
  return since && sunset ? { since: Date.parse(since), sunset: Date.parse(sunset) } : undefined;
}

/**
 * Headers that tell a client that its request used something deprecated (RFC 9745, RFC 8594, RFC 8288). If there are
 * several, the earliest dates count.
 *
 * @returns undefined if it used nothing deprecated
 */
export function deprecationHeaders(used: readonly Deprecation[]): Record<string, string> | undefined {
  if (used.length === 0) return undefined;
  const since = Math.min(...used.map((dates) => dates.since));
  const sunset = Math.min(...used.map((dates) => dates.sunset));
  return {
    Deprecation: `@${since / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: '</docs/versioning>; rel="deprecation"; type="text/html"',
  };
}

/** @returns undefined if nothing in the operation is deprecated, so that such operations pay nothing */
export function createDeprecationCheck(
  document: ContractDocument,
  operation: OperationObject,
): DeprecationCheck | undefined {
  const whole = deprecationOf(operation);
  const parameters = operation.parameters.flatMap(({ name, in: location, ...rest }) => {
    const dates = deprecationOf(rest);
    return dates ? [{ name, location, dates }] : [];
  });
  const request = deprecatedFields(document, Object.values(operation.requestBody?.content ?? {}));
  const responses = new Map(
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
      const fields = deprecatedFields(document, Object.values(content));
      return fields ? [[Number(status), fields] as const] : [];
    }),
  );
  if (!whole && parameters.length === 0 && !request && responses.size === 0) return undefined;

  return ({ search, headers, requestBody, status, responseBody }) => {
    const found = new Set<Deprecation>();
    if (whole) found.add(whole);
    const query = new URLSearchParams(search);
    for (const { name, location, dates } of parameters) {
      const isSent = location === 'query' ? query.has(name) : headers[name.toLowerCase()] !== undefined;
      if (isSent) found.add(dates);
    }
    request?.(requestBody, found);
    responses.get(status)?.(responseBody, found);
    return [...found];
  };
}

type FieldSearch = (value: unknown, found: Set<Deprecation>) => void;

function deprecatedFields(document: object, media: { schema?: Schema }[]): FieldSearch | undefined {
  const schemas = media.flatMap(({ schema }) =>
    schema && mentionsDeprecated(document, schema, new Set()) ? [schema] : [],
  );
  if (schemas.length === 0) return undefined;
  return (value, found) => {
    for (const schema of schemas) search(document, schema, value, found);
  };
}

function mentionsDeprecated(document: object, node: unknown, seen: Set<unknown>): boolean {
  const target = resolve(document, node);
  if (typeof target !== 'object' || target === null || seen.has(target)) return false;
  seen.add(target);
  if (deprecationOf(target)) return true;
  return Object.values(target).some((part) => mentionsDeprecated(document, part, seen));
}

function search(document: object, reference: Schema, value: unknown, found: Set<Deprecation>): void {
  const schema = resolve(document, reference);
  const dates = deprecationOf(schema) ?? deprecationOf(reference);
  if (dates) found.add(dates);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const part of (schema[keyword] ?? []) as Schema[]) search(document, part, value, found);
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) search(document, schema.items, item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const inner = (value as Record<string, unknown>)[name];
      if (inner !== undefined) search(document, field, inner, found);
    }
  }
}
