import { isDate } from '../../../generated/date-times.ts';
import { timestampOf } from '../../json/index.ts';

/** A time, or how many milliseconds ago. */
export type TimeOption = { at: Date } | { ago: number };

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time, a date (UTC), or a duration such as `90s`, `15m`, `24h` and `7d`; undefined for any other text. */
export function timeOptionIn(text: string): TimeOption | undefined {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number !== undefined) return { ago: Number(number) * units[unit as keyof typeof units] };
  const at = isDate(text) ? new Date(`${text}T00:00:00Z`) : timestampOf(text);
  return at && { at };
}

/** @param now from which a duration is counted back */
export function timeOfOption(option: TimeOption | undefined, now: Date): Date | undefined {
  return option && ('at' in option ? option.at : new Date(now.getTime() - option.ago));
}
