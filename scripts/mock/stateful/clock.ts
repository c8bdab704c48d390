/** The mock's clock, which runs ahead of the machine's. */
export interface MovableClock {
  now(): Date;
  /** @param milliseconds 0 or more */
  forward(milliseconds: number): void;
  /** How far ahead it is, in milliseconds. */
  ahead(): number;
  /** Returns to the machine's time. */
  restart(): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    forward(milliseconds) {
      ahead += milliseconds;
    },
    ahead: () => ahead,
    restart() {
      ahead = 0;
    },
  };
}

const unit = (letter: string) => `(?:(\\d{1,6}(?:\\.\\d{1,3})?)${letter})?`;
const form = new RegExp(`^P(?=.)${unit('W')}${unit('D')}(?:T(?=.)${unit('H')}${unit('M')}${unit('S')})?$`);
const milliseconds = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/**
 * Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as `P1DT2H30M`. Months and years are
 * not accepted: their length varies.
 *
 * @returns milliseconds, or undefined for any other text
 */
export function durationOf(text: string): number | undefined {
  const parts = form.exec(text)?.slice(1);
  if (!parts) return undefined;
  const lengths = parts.map((part, index) => Number(part ?? 0) * (milliseconds[index] as number));
  return Math.round(lengths.reduce((sum, length) => sum + length, 0));
}
