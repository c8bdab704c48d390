import { isDateTime } from '../../generated/date-times.ts';

export * from './pointers.ts';
export {
  alternatives,
  messageAtPlace,
  messageOf,
  placeOf,
  propertiesInstead,
  type SchemaError,
} from './schema-messages.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether arrays and objects are nested deeper than `max` levels. It does not recurse. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.filter((each) => typeof each === 'object' && each !== null);
    if (depth === max && level.length > 0) return true;
    level = level.flatMap((each) => Object.values(each as object));
  }
  return false;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text contains that PostgreSQL cannot store, in words: it has no NUL, and a lone surrogate is no character. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'a lone surrogate (U+D800 to U+DFFF)';
}

/** The text with U+FFFD for what cannot be stored. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** The start of a text, of at most `max` UTF-16 units, that does not end within a surrogate pair. */
export function startOf(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

const leapSecond = /:60(?=[.Zz+-])/;

/** Parses an RFC 3339 timestamp. `Date` has no leap seconds, so one becomes the following second. */
export function parseTimestamp(text: string): Date {
  const isLeap = leapSecond.test(text);
  return new Date(Date.parse(text.replace(leapSecond, ':59')) + (isLeap ? 1000 : 0));
}

/** The time that a text of any content names; undefined if it is not an RFC 3339 timestamp (decision 43). */
export function timestampOf(text: string): Date | undefined {
  return isDateTime(text) ? parseTimestamp(text) : undefined;
}
