import type jsonata from 'jsonata';
import { timestampOf } from '../json/index.ts';
import { refusal } from './failure.ts';

/** JSONata's functions of these names. They read the clock as `environment.timestamp`. */
export interface DateFunctions {
  fromMillis(this: Clock, millis: number, picture: string, zone?: string): string;
  toMillis(this: Clock, text: string, picture: string): number | undefined;
}

interface Clock {
  environment: { timestamp: Date };
}

type Format = (millis: number, picture: string, zone?: string) => string;
type Parse = (text: string, picture: string) => number | undefined;

const minute = 60_000;
/** The years 0000 to 9999, which RFC 3339 can write. */
const bounds = { min: Date.parse('0000-01-01T00:00:00.000Z'), max: Date.parse('9999-12-31T23:59:59.999Z') };
const isoPicture = '[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]';

/**
 * Registers `$fromMillis`, `$toMillis` and `$now`, which has the time of the machine. They are JSONata's except where
 * those return a wrong time: offsets such as `-0330`, fractions of a second, a text without a time zone, which is UTC,
 * and what does not exist: a zone, or 31 February.
 *
 * @param own JSONata's functions
 */
export function registerDateFunctions(
  expression: jsonata.Expression,
  own: DateFunctions,
  now: () => Date,
): void {
  const clock = () => ({ environment: { timestamp: now() } });
  const format: Format = (...values) => own.fromMillis.apply(clock(), values);
  const parse: Parse = (...values) => own.toMillis.apply(clock(), values);
  const fromMillis = (millis?: number, picture?: string, zone?: string) =>
    millis === undefined ? undefined : formatted(format, millis, picture, zone);
  const toMillis = (text?: string, picture?: string) => {
    if (text === undefined) return undefined;
    return picture === undefined ? parsedIso(text) : parsed(parse, format, text, picture);
  };
  expression.registerFunction('fromMillis', fromMillis, '<n-s?s?:s>');
  expression.registerFunction('toMillis', toMillis, '<s-s?:n>');
  expression.registerFunction(
    'now',
    (picture, zone) => fromMillis(now().getTime(), picture, zone),
    '<s?s?:s>',
  );
}

/** Formats the local time as if it were UTC, after writing the zone and the fraction of a second into the picture. */
function formatted(format: Format, millis: number, picture = isoPicture, zone = '+0000'): string {
  const offset = offsetOf(zone);
  if (offset === undefined) throw noZone(zone);
  const local = millis + offset * minute;
  if (!(local >= bounds.min && local <= bounds.max)) {
    throw refusal(`${millis} milliseconds are outside of the years 0000 to 9999.`);
  }
  const written = picture.replace(marker, (text, content: string | undefined) => {
    const component = componentOf(content);
    if (component === 'f') return fractionOf(new Date(local), content as string) ?? text;
    return component === 'Z' || component === 'z' ? zoneOf(format, offset, text) : text;
  });
  return format(local, written);
}

/** A marker of a picture, or a doubled bracket, which is none. */
const marker = /\[\[|\[([^[\]]*)\]/g;

function componentOf(content: string | undefined): string | undefined {
  return content?.trimStart()[0];
}

/** JSONata writes offsets correctly from 00:00 on. */
function zoneOf(format: Format, offset: number, text: string): string {
  const size = Math.abs(offset);
  const zone = String(Math.floor(size / 60) * 100 + (size % 60)).padStart(4, '0');
  const written = format(0, text, zone);
  return offset < 0 ? written.replace('+', '-') : written;
}

/**
 * The digits of a fraction of a second (XPath Functions and Operators 3.1, 9.8.4.5): `[f]` has as many as necessary,
 * `[f001]` three, `[f,1-2]` one or two.
 *
 * @returns undefined for a presentation other than by digits
 */
function fractionOf(local: Date, content: string): string | undefined {
  const parts = /^f(\d{0,99})(?:,(\d{1,2}|\*)(?:-(\d{1,2}|\*))?)?$/.exec(content.replace(/\s+/g, ''));
  if (!parts) return undefined;
  const [, digits = '', min, max] = parts;
  const atLeast = Number(min) || digits.length || 1;
  const atMost = Math.max(atLeast, Number(max) || (digits.length > 1 ? digits.length : 3));
  const all = String(local.getUTCMilliseconds()).padStart(3, '0').padEnd(atLeast, '0').slice(0, atMost);
  let end = all.length;
  while (end > atLeast && all[end - 1] === '0') end -= 1;
  return all.slice(0, end);
}

/** Minutes of an offset from UTC: `+0530`, `-03:30`. At most 14 hours. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([-+]?)(\d\d):?([0-5]\d)$/.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (!(offset <= 14 * 60)) return undefined;
  return sign === '-' ? -offset : offset;
}

function noZone(zone: string) {
  return refusal(`‘${zone}’ is not a time zone; write an offset from UTC such as +0100, -0330 or +01:00.`);
}

/** ISO 8601 as JSONata accepts it: the month, the day, the time and the zone may be missing. */
const isoTime =
  /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d:\d\d:\d\d(?:\.\d+)?))?(?:(Z)|([-+]\d\d):?(\d\d))?$/;

function parsedIso(text: string): number {
  const [, year, month = '01', day = '01', time = '00:00:00', utc, hours = '+00', minutes = '00'] =
    isoTime.exec(text) ?? [];
  const zone = utc ?? `${hours}:${minutes}`;
  // ISO 8601 has two names for midnight.
  const isEnd = /^24:00:00(\.0+)?$/.test(time);
  const start = timestampOf(`${year}-${month}-${day}T${isEnd ? '00:00:00' : time}${zone}`);
  if (!start) throw noTime(text);
  return start.getTime() + (isEnd ? 24 * 60 * minute : 0);
}

function noTime(text: string) {
  return refusal(`‘${text}’ is not a time.`);
}

/** Parses a text with a picture. @returns undefined if it does not match the picture */
function parsed(parse: Parse, format: Format, text: string, picture: string): number | undefined {
  const millis = parse(text, picture);
  if (millis === undefined) return undefined;
  const contents = [...picture.matchAll(marker)].flatMap(([, content]) => content ?? []);
  const hasZone = contents.some((content) => 'Zz'.includes(componentOf(content) ?? ' '));
  const { utc, offset } = (hasZone && zonedTime(parse, text, picture, millis)) || { utc: millis, offset: 0 };
  for (const content of contents) {
    if (!isUnchecked(content)) continue;
    if (!mentions(text, format(utc + offset * minute, `[${content}]`))) throw noTime(text);
  }
  return utc;
}

/**
 * JSONata reads the minutes of an offset as if they were always east of Greenwich. The offset in the text is the one
 * without which the time differs by what JSONata reads.
 */
function zonedTime(parse: Parse, text: string, picture: string, millis: number) {
  for (const { 0: zone, index } of text.matchAll(/[-+]\d+(?:[^\d\s]\d+)?/g)) {
    const rest = text.slice(index + zone.length);
    const utc = attempt(() => parse(text.slice(0, index) + zone.replace(/\d/g, '0') + rest, picture));
    const [, hours = '', minutes = ''] = /^(.\d+)\D(\d+)$/.exec(zone) ?? /^(.\d\d?)(\d*)$/.exec(zone) ?? [];
    const read = Number(hours) * 60 + Number(minutes);
    if (utc === undefined || read === 0 || utc - millis !== read * minute) continue;
    const offset = offsetOf(hours[0] + hours.slice(1).padStart(2, '0') + minutes.padStart(2, '0'));
    if (offset === undefined) throw noZone(zone);
    return { utc: utc - offset * minute, offset };
  }
  return undefined;
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Components that JSONata accepts out of range or misspelled: hour of 12, day of the year, names. */
function isUnchecked(content: string): boolean {
  return /^\s*([hdP]|M[Nn])/.test(content);
}

function mentions(text: string, part: string): boolean {
  if (!/^\d+$/.test(part)) return text.toLowerCase().includes(part.toLowerCase());
  return (text.match(/\d+/g) ?? []).map(Number).includes(Number(part));
}

/** `Date.UTC` for JSONata's parser, which checks no range. @throws for a date or time that does not exist */
export function strictUtc(...parts: [year: number, month: number, ...number[]]): number {
  const millis = Date.UTC(...parts);
  const [year, month, day = 1, hours = 0, minutes = 0, seconds = 0] = parts;
  const written = [year, month + 1, day].join('-');
  const date = new Date(millis);
  const is =
    date.getUTCMonth() === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hours &&
    date.getUTCMinutes() === minutes &&
    date.getUTCSeconds() === seconds;
  if (!is) throw refusal(`There is no ${written} ${[hours, minutes, seconds].join(':')}.`);
  return millis;
}
