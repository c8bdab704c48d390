/**
 * The formats `date`, `time` and `date-time`: exactly `full-date`, `full-time` and `date-time` of RFC 3339, section 5.6
 * (decision 43). The lint rules, the platform, its mock and the client's schemas all check them here.
 */

const fullDate = /^(\d{4})-(\d\d)-(\d\d)$/;
const fullTime = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Whether a text is a date of the Gregorian calendar, such as `2026-11-30`. */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = fullDate.exec(text)?.slice(1).map(Number) ?? [];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Whether a text is a time with `Z` or an offset. Leap seconds are at 23:59:60 in UTC (RFC 3339, section 5.7). */
export function isTime(text: string): boolean {
  const found = fullTime.exec(text);
  if (!found) return false;
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = found;
  if (second !== '60') return true;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  const inUtc = Number(hour) * 60 + Number(minute) - (sign === '-' ? -offset : offset);
  return (inUtc + 1440) % 1440 === 1439;
}

/** Whether a text is a date, `T` or `t`, and a time with `Z` or an offset. */
export function isDateTime(text: string): boolean {
  const separator = text[10];
  return (separator === 'T' || separator === 't') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}
