import { alternatives } from '../json/index.ts';
import type { Problem } from './declared.ts';
import { resolve } from './document.ts';
import { parameterProblem, problemLimit } from './problems.ts';
import type { Parameter } from './routes.ts';

/** `list` may be repeated; EOV handles `complex` (objects, alternatives, other styles). */
export type QueryKind = 'integer' | 'number' | 'text' | 'list' | 'complex';
export type QueryParameters = ReadonlyMap<string, QueryKind>;

/** How to read each query parameter of an operation. */
export function queryParametersOf(document: object, parameters: readonly Parameter[]): QueryParameters {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return new Map(inQuery.map((parameter) => [parameter.name, kindOf(document, parameter)]));
}

function kindOf(document: object, parameter: Parameter): QueryKind {
  const { style = 'form', explode = true, allowEmptyValue = false, schema } = parameter;
  const type = resolve(document, schema)?.type;
  if (style !== 'form' || !explode || allowEmptyValue) return 'complex';
  if (type === 'integer' || type === 'number') return type;
  if (type === 'string' || type === 'boolean') return 'text';
  return type === 'array' ? 'list' : 'complex';
}

/** Numbers as in JSON, without an exponent: EOV's coercion would accept 0x10, 1e3 and ' 1'. */
const decimal = { integer: /^(?:0|-?[1-9][0-9]*)$/, number: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/ };
/** Needs no decoding and contains no character that EOV requires to be encoded. */
const plainQuery = /^[A-Za-z0-9_=&.~-]*$/;

export interface ReadQuery {
  /** The values of the well-formed parameters. */
  query: Record<string, unknown>;
  /** False if EOV's closure must check the query as well as its validator. */
  plain: boolean;
  problems: readonly Problem[];
}

/**
 * Reads a query strictly: only declared parameters, each once, numbers in decimal. The values stay strings; the
 * validator coerces them and adds defaults.
 */
export function readQuery(search: string, parameters: QueryParameters): ReadQuery {
  const query: Record<string, unknown> = {};
  if (search === '') return { query, plain: true, problems: none };
  let plain = plainQuery.test(search);
  let problems: Problem[] | undefined;
  let unknown: Set<string> | undefined;
  for (const [name, value] of plain ? splitPlain(search) : new URLSearchParams(search)) {
    const kind = parameters.get(name);
    if (kind === undefined) {
      unknown ??= new Set();
      // Further ones are never shown.
      if (unknown.size < problemLimit) unknown.add(name);
      continue;
    }
    const message = messageFor(kind, value, query[name]);
    if (message) {
      problems ??= [];
      problems.push(parameterProblem(name, message));
      continue;
    }
    if (kind === 'list') query[name] = [...((query[name] as string[] | undefined) ?? []), value];
    else query[name] = value;
    if (kind === 'list' || kind === 'complex') plain = false;
  }
  for (const name of unknown ?? none) {
    problems ??= [];
    problems.push(parameterProblem(name, unknownMessage(name, parameters)));
  }
  return { query, plain, problems: problems ?? none };
}

const none: readonly never[] = [];

function unknownMessage(name: string, parameters: QueryParameters): string {
  const others = alternatives(name, [...parameters.keys()]) || ', which has no query parameters';
  return `is not a parameter of this operation${others}`;
}

function messageFor(kind: QueryKind, value: string, earlier: unknown): string | undefined {
  if (kind === 'list') return undefined;
  if (kind !== 'complex' && value === '') return 'must have a value';
  if (earlier !== undefined) return 'must be given once';
  if (kind === 'integer' || kind === 'number') {
    if (!decimal[kind].test(value))
      return `must be ${kind === 'integer' ? 'an integer' : 'a number'} in decimal digits`;
    // Ajv checks no bounds of what it coerces to Infinity.
    if (!Number.isFinite(Number(value))) return 'must be smaller';
  }
  return undefined;
}

function splitPlain(search: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    if (equals >= 0) pairs.push([pair.slice(0, equals), pair.slice(equals + 1)]);
    else if (pair !== '') pairs.push([pair, '']);
  }
  return pairs;
}
