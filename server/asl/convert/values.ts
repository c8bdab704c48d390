import { isObject } from '../../json/index.ts';
import { resemblesExpression } from '../expressions.ts';

/** A JSONata expression without delimiters. */
export class Expr {
  readonly source: string;
  /** Whether it can be an operand or the start of a path without parentheses. */
  readonly atomic: boolean;
  /** Whether its value is known not to be an array, which JSONata would flatten inside another. */
  readonly single: boolean;
  /** Whether it may have no value, because it is a path. */
  readonly optional: boolean;

  constructor(source: string, { atomic = true, single = false, optional = false } = {}) {
    this.source = source;
    this.atomic = atomic;
    this.single = single;
    this.optional = optional;
  }
}

/** JSON whose leaves may be expressions: what a payload template, a path or a literal converts to. */
export type Value = Expr | string | number | boolean | null | Value[] | { [key: string]: Value };

/** The members of an object that is not an expression; undefined for other values. */
export function membersOf(value: Value): Record<string, Value> | undefined {
  return isObject(value) && !(value instanceof Expr) ? (value as Record<string, Value>) : undefined;
}

/** Whether a part of the value may be missing, without which JSONata builds the rest. */
export function mayLackValue(value: Value): boolean {
  if (value instanceof Expr) return value.optional;
  return typeof value === 'object' && value !== null && Object.values(value).some(mayLackValue);
}

/** What is noted where a larger expression has such a part. */
export const lacksValue =
  'a path without a match, in a function or in what ResultPath places, fails the state on AWS: here the text or object lacks it';

/** As a field of a definition: expressions become JSONata strings. */
export function asTemplate(value: Value): unknown {
  if (value instanceof Expr) return delimited(value.source);
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) return value.map(asTemplate);
  const members = membersOf(value);
  if (!members) return value;
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, asTemplate(member)]));
}

/** A JSONata string. */
export const delimited = (source: string) => `{% ${source} %}`;

/** Text that looks like a JSONata string must be quoted in one. */
const literal = (text: string) => (resemblesExpression(text) ? delimited(quoted(text)) : text);

/** As the source of an expression. */
export function asSource(value: Value): string {
  if (value instanceof Expr) return value.source;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(asSource).join(', ')}]`;
  const members = membersOf(value);
  if (!members) return String(value);
  const properties = Object.entries(members).map(([key, member]) => `${quoted(key)}: ${asSource(member)}`);
  return `{${properties.join(', ')}}`;
}

/** As an operand, or the start of a path. */
export function asOperand(value: Value): string {
  return value instanceof Expr && !value.atomic ? `(${value.source})` : asSource(value);
}

/** JSONata's string literals have the escapes of JSON. */
export const quoted = (text: string) => JSON.stringify(text);

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reserved = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** A field name as a step of a path; undefined if JSONata cannot write it. */
export function fieldName(name: string): string | undefined {
  if (plainName.test(name) && !reserved.has(name)) return name;
  return name.includes('`') || name === '' ? undefined : `\`${name}\``;
}

/**
 * A character in a regular expression of JSONata, also within a character class. JSONata counts the brackets of a
 * regular expression to find its end, and takes a backslash before one for its escape, so these are written as codes.
 */
export function regexCharacter(character: string): string {
  return /[\p{L}\p{N} _<>=,;:!@#%&'"~`]/u.test(character) || character > '\x7f'
    ? character
    : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
