import { isDateTime } from '../../generated/date-times.ts';

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
