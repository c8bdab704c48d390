const leapSecond = /:60(?=[.Zz+-])/;

/** A moment as RFC 3339 writes it. `Date` knows no leap second: one is the second after it. */
export function momentOf(text: string): Date {
  const isLeap = leapSecond.test(text);
  return new Date(Date.parse(text.replace(leapSecond, ':59')) + (isLeap ? 1000 : 0));
}
