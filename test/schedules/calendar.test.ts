import { describe, expect, test } from 'vitest';
import { calendarOf, isTimeZone, problemOfCron } from '../../server/src/schedules/calendar.ts';

const minute = 60_000;

/** The next due times, in UTC to the minute. */
function dueTimes(cron: string, timeZone: string, after: string, count: number): string[] {
  const calendar = calendarOf(cron, timeZone);
  const times: Date[] = [];
  while (times.length < count) times.push(calendar.next(times.at(-1) ?? new Date(after)));
  return times.map((time) => time.toISOString().slice(0, 16));
}

describe('a calendar, where clocks move', () => {
  const cases: [name: string, cron: string, timeZone: string, after: string, due: string[]][] = [
    [
      'is due later by the hour that Berlin skips in spring',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:30', '2026-03-30T00:30'],
    ],
    [
      'is due once, at the first of two equal times, in autumn in Berlin',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'is due once for two of its times that become one in spring in Berlin',
      '0,30 2,3 * * *',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      ['2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:00'],
    ],
    [
      'is due every hour of the longer day in Berlin',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
    [
      'is due every hour of the shorter day in Berlin',
      '0 * * * *',
      'Europe/Berlin',
      '2026-03-28T23:30Z',
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    ],
    [
      'is due later by the hour that New York skips in spring',
      '15 2 * * *',
      'America/New_York',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:15', '2026-03-09T06:15'],
    ],
    [
      'is due once in autumn in New York',
      '15 1 * * *',
      'America/New_York',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:15', '2026-11-02T06:15'],
    ],
    [
      'is due later by the half hour that Lord Howe skips in spring, and not again',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:45', '2026-10-04T15:15'],
    ],
    [
      'keeps the order of times where a half hour is skipped',
      '20,40 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:40', '2026-10-03T15:50', '2026-10-04T15:20'],
    ],
    [
      'is due once in autumn on Lord Howe',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T00:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'is due in both of the equal half hours on Lord Howe if it has every hour',
      '45 * * * *',
      'Australia/Lord_Howe',
      '2026-04-04T14:00Z',
      ['2026-04-04T14:45', '2026-04-04T15:15', '2026-04-04T16:15'],
    ],
    [
      'is due an hour later on a day that has no midnight',
      '0 0 * * *',
      'America/Sao_Paulo',
      '2018-11-03T12:00Z',
      ['2018-11-04T03:00', '2018-11-05T02:00'],
    ],
    [
      'is due at the same time all year in a zone whose clock does not move',
      '0 9 1 3,10 *',
      'Asia/Kolkata',
      '2026-01-01T00:00Z',
      ['2026-03-01T03:30', '2026-10-01T03:30', '2027-03-01T03:30'],
    ],
  ];
  test.each(cases)('%s', (_name, cron, timeZone, after, due) => {
    expect(dueTimes(cron, timeZone, after, due.length)).toEqual(due);
  });
});

describe('a calendar', () => {
  test('is due on February 29 of leap years only', () => {
    expect(dueTimes('0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', 3)).toEqual([
      '2028-02-29T00:00',
      '2032-02-29T00:00',
      '2036-02-29T00:00',
    ]);
    // 2100 is none.
    expect(dueTimes('0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', 1)).toEqual(['2104-02-29T00:00']);
  });

  test('is due on either of a day of the month and a day of the week', () => {
    expect(dueTimes('0 0 13 * 5', 'UTC', '2026-11-06T00:00Z', 3)).toEqual([
      '2026-11-13T00:00',
      '2026-11-20T00:00',
      '2026-11-27T00:00',
    ]);
    expect(dueTimes('0 0 14 * FRI', 'UTC', '2026-11-13T00:00Z', 2)).toEqual([
      '2026-11-14T00:00',
      '2026-11-20T00:00',
    ]);
  });

  test('is due after a time, not at it', () => {
    expect(dueTimes('0 9 * * *', 'UTC', '2026-01-01T08:59:59.999Z', 1)).toEqual(['2026-01-01T09:00']);
    expect(dueTimes('0 9 * * *', 'UTC', '2026-01-01T09:00Z', 1)).toEqual(['2026-01-02T09:00']);
  });

  test('has the last due times of a year of minutes, and of all years of leap days, within a moment', () => {
    const minutely = calendarOf('* * * * *', 'Europe/Berlin');
    const last = minutely.last(new Date('2025-01-01T00:00Z'), new Date('2026-01-01T00:00:30Z'), 3);
    expect(last.map((time) => time.toISOString())).toEqual([
      '2025-12-31T23:58:00.000Z',
      '2025-12-31T23:59:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
    const leap = calendarOf('0 0 29 2 *', 'UTC');
    const from = new Date('2024-02-29T00:00Z');
    expect(leap.last(from, new Date('2033-01-01T00:00Z'), 100).map((time) => time.getUTCFullYear())).toEqual([
      2024, 2028, 2032,
    ]);
    expect(leap.last(from, from, 1)).toEqual([from]);
  });
});

/** What a zone's clock shows at a time: minute, hour, day, month, weekday. */
function shownAt(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ minute: 'numeric', hour: 'numeric', day: 'numeric', month: 'numeric', year: 'numeric' },
  });
  return (time: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    return parts as Record<'minute' | 'hour' | 'day' | 'month' | 'year', number>;
  };
}

/** Three days around each move of the clock, and around a usual day. */
const spans: [timeZone: string, day: string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Asia/Kolkata', '2026-03-29'],
  ['UTC', '2026-03-29'],
];

describe('of all minutes around a move of the clock', () => {
  test.each(spans)(
    'in %s about %s, a calendar of every hour has those that show its time',
    (timeZone, day) => {
      const shown = shownAt(timeZone);
      const start = Date.parse(`${day}T00:00Z`) - 86_400_000;
      const expected: number[] = [];
      for (let time = start + minute; time <= start + 3 * 86_400_000; time += minute)
        if (shown(time).minute % 7 === 0) expected.push(time);
      const due = dueTimes('*/7 * * * *', timeZone, new Date(start).toISOString(), expected.length);
      expect(due).toEqual(expected.map((time) => new Date(time).toISOString().slice(0, 16)));
    },
  );

  test.each(spans)(
    'in %s about %s, a calendar of certain hours has each named time once',
    (timeZone, day) => {
      const shown = shownAt(timeZone);
      const start = Date.parse(`${day}T12:00Z`) - 2 * 86_400_000;
      const names = (time: number) => {
        const { year, month, day, hour, minute } = shown(time);
        return `${year}-${month}-${day} ${hour}:${minute}`;
      };
      // Every minute of the clock of hours 0 to 3 that exists, the first time.
      const expected = new Map<string, number>();
      const end = start + 4 * 86_400_000;
      for (let time = start + minute; time <= end; time += minute) {
        const { hour, minute: shownMinute } = shown(time);
        if (hour <= 3 && shownMinute % 10 === 5 && !expected.has(names(time)))
          expected.set(names(time), time);
      }
      const calendar = calendarOf('5-55/10 0-3 * * *', timeZone);
      const due = calendar
        .last(calendar.next(new Date(start)), new Date(end), 1_000)
        .map((time) => time.getTime());
      expect(due).toEqual(due.toSorted((one, other) => one - other));
      expect(new Set(due).size).toBe(due.length);
      expect(due).toEqual(expect.arrayContaining([...expected.values()]));
      // The others stand for times that the clock skipped.
      const skipped = due.filter((time) => ![...expected.values()].includes(time));
      for (const time of skipped) expect(shown(time).hour).toBeGreaterThan(3);
    },
  );
});

describe('problemOfCron', () => {
  const valid = ['* * * * *', '*/5 0-6,22,23 1,15 JAN-mar sun', '0  9 * * 1-5', '0 0 29 2 *', '5/15 * * * 7'];
  test.each(valid)('accepts %s', (cron) => {
    expect(problemOfCron(cron)).toBeUndefined();
  });

  const invalid = [
    ...['', '* * * *', '* * * * * *', '@daily', ' * * * * *', '* * * * *\n'],
    ...['H * * * *', '0 0 ? * *', '0 0 L * *', '0 0 * * 1#2', '0 0 * * 5L', '0 0 LW * *', '% * * * *'],
    ...['60 * * * *', '0 24 * * *', '0 0 0 * *', '0 0 32 * *', '0 0 * 13 *', '0 0 * * 8', '*/0 * * * *'],
    ...['5-1 * * * *', '1,,2 * * * *', '/5 * * * *', '1-2-3 * * * *', '0 0 * FOO *', '-1 * * * *'],
    // Never due.
    ...['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *'],
  ];
  test.each(invalid)('refuses "%s"', (cron) => {
    expect(problemOfCron(cron)).toMatch(/cron expression/);
  });

  test('refuses a long text in linear time', () => {
    const startedAt = performance.now();
    expect(problemOfCron(`0 0 * * ${'1,'.repeat(20_000)}x y`)).toMatch(/cron expression/);
    expect(problemOfCron(`0 0 * * ${'mon'.repeat(20_000)}`)).toMatch(/cron expression/);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

test('a time zone is a name of the IANA database', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Argentina/Ushuaia'])
    expect([zone, isTimeZone(zone)]).toEqual([zone, true]);
  for (const zone of ['', 'Europe/Berln', '+01:00', 'Mars/Olympus', 'Europe/Berlin '])
    expect([zone, isTimeZone(zone)]).toEqual([zone, false]);
});
