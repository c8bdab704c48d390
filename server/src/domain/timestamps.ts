const leapSecond = /:60(?=[.Zz+-])/;

/** Parses an RFC 3339 timestamp. `Date` has no leap seconds, so one becomes the following second. */
export function parseTimestamp(text: string): Date {
  const isLeap = leapSecond.test(text);
  return new Date(Date.parse(text.replace(leapSecond, ':59')) + (isLeap ? 1000 : 0));
}
