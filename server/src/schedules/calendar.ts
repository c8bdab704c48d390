import { createRequire } from 'node:module';
import type { CronExpression } from 'cron-parser';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The due times of a schedule. */
export interface Calendar {
  /** The first due time after `after`. */
  next(after: Date): Date;
  /** The last due times from `from`, which is one, to `until`, in order: at most `limit`, at least one. */
  last(from: Date, until: Date, limit: number): Date[];
}

// Loaded on first use: most commands need no calendar.
const load = createRequire(import.meta.url);
const parse = (cron: string, currentDate = new Date(0)): CronExpression =>
  (load('cron-parser') as typeof import('cron-parser')).CronExpressionParser.parse(cron, {
    tz: 'UTC',
    currentDate,
  });

/** What standard cron has; the parser would also accept seconds, random values and names such as @daily. */
const grammar = /^[\d*,/-]+(?: +[\d*,/-]+){2}(?: +(?:[\d*,/-]|[a-z]{3})+){2}$/i;
const fieldNames = 'minute, hour, day of month, month, day of week';

/** @returns why this is not a cron expression that comes due; undefined if it is one */
export function problemOfCron(text: string): string | undefined {
  if (!grammar.test(text))
    return `must be a cron expression of 5 fields: ${fieldNames}, for example 0 9 * * 1-5`;
  try {
    parse(text).next();
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return `is not a cron expression (${fieldNames}): ${message.replace(/\.$/, '')}`;
  }
}

/** Whether this is a name of the IANA time zone database that this runtime knows. */
export function isTimeZone(text: string): boolean {
  // Offsets, which Intl accepts too, are no zones.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * The calendar of a cron expression in a time zone. The parser computes in UTC, on the time that a clock in the zone
 * shows: its own time zones are wrong where clocks move by half an hour. When they move, the rules of Vixie cron hold:
 *
 * - An expression with certain hours comes due once for each time that it names: at the first one if there are two, and
 *   as much later as the clock moved if there is none.
 * - An expression with every hour comes due whenever the clock shows such a time: twice, or not at all.
 *
 * @param cron a valid expression, see `problemOfCron`
 */
export function calendarOf(cron: string, timeZone: string): Calendar {
  const offsetAt = offsetsOf(timeZone);
  const everyHour = parse(cron).fields.hour.values.length === 24;

  /** How far the offsets around a time differ: 0 if the clock does not move about then. */
  const shiftAt = (time: number) => Math.abs(offsetAt(time + day) - offsetAt(time - day));

  /** When the clock shows a time. */
  const instantsOf = (shown: number): number[] => {
    const offsets = new Set([offsetAt(shown - day), offsetAt(shown + day)]);
    const candidates = [...offsets].map((offset) => ({ at: shown - offset, offset }));
    const instants = candidates.filter(({ at, offset }) => offsetAt(at) === offset).map(({ at }) => at);
    if (everyHour) return instants;
    // The first offset is the one before the clock moves.
    return instants.length > 0 ? [Math.min(...instants)] : [(candidates[0] as { at: number }).at];
  };

  const next = (after: Date): Date => {
    const since = after.getTime();
    const shown = parse(cron, new Date(since + offsetAt(since) - shiftAt(since)));
    let first = Number.POSITIVE_INFINITY;
    // Near a move of the clock, a later time that it shows may be an earlier instant.
    for (let end = Number.POSITIVE_INFINITY; ; ) {
      const time = shown.next().getTime();
      if (time > end) return new Date(first);
      const instants = instantsOf(time).filter((instant) => instant > since);
      first = Math.min(first, ...instants);
      if (first < Number.POSITIVE_INFINITY) end = Math.min(end, time + shiftAt(time));
      if (time >= end) return new Date(first);
    }
  };

  return {
    next,
    last(from, until, limit) {
      const [start, end] = [from.getTime(), until.getTime()];
      // Going back further until there are enough: a calendar of each minute has half a million due times a year.
      for (let back = limit * minute; ; back *= 4) {
        const isWhole = end - back <= start;
        const times: Date[] = isWhole ? [from] : [];
        for (let time = next(isWhole ? from : new Date(end - back)); time.getTime() <= end; time = next(time))
          times.push(time);
        if (isWhole || times.length >= limit) return times.slice(-limit);
      }
    },
  };
}

/** The offset of a zone's clock from UTC at a time, in milliseconds. */
function offsetsOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  });
  return (time) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
  };
}
