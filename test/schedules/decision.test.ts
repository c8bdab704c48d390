import { describe, expect, test } from 'vitest';
import { decide, firstDue, maxWaiting } from '../../server/src/schedules/decision.ts';
import type { Schedule } from '../../server/src/store/schedules.ts';

const at = (time: string) => new Date(`2026-05-04T${time}Z`);

/** Due every ten minutes, next at 09:00. */
const schedule = (fields: Partial<Schedule> = {}): Schedule => ({
  id: '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01',
  name: 'nightly',
  cron: '*/10 * * * *',
  timeZone: 'UTC',
  overlap: 'skip',
  catchUp: 'latest',
  jitterSeconds: 0,
  expiresAfterSeconds: null,
  pausedAt: null,
  runRequestedAt: null,
  nextDueAt: at('09:00'),
  lastDueAt: at('08:50'),
  waiting: [],
  isRunning: false,
  ...fields,
});

/** Everything that is done at a time: the starts, none of which ends, and what is reported besides. */
function allAt(now: Date, begun: Schedule, running: boolean) {
  const starts: string[] = [];
  const reports: string[] = [];
  let current = { ...begun, isRunning: running };
  for (;;) {
    const decision = decide(current, now);
    if (!decision) return { starts, reports, schedule: current };
    if (decision.start) {
      starts.push(decision.start.toISOString().slice(11, 16));
      current = { ...current, isRunning: true };
    }
    if (decision.report) reports.push(decision.report.outcome);
    expect(decision.state.nextDueAt > (decision.state.lastDueAt ?? new Date(0))).toBe(true);
    current = { ...current, ...decision.state };
  }
}

describe('decide', () => {
  test('does nothing before the due time, and starts at it, once', () => {
    expect(decide(schedule(), at('08:59:59.999'))).toBeUndefined();
    const { starts, schedule: after } = allAt(at('09:00'), schedule(), false);
    expect(starts).toEqual(['09:00']);
    expect(after).toMatchObject({ nextDueAt: at('09:10'), lastDueAt: at('09:00') });
  });

  test('does nothing while it is paused, whatever is due or waits', () => {
    const paused = schedule({ pausedAt: at('08:00'), waiting: [at('08:40')] });
    expect(decide(paused, at('12:00'))).toBeUndefined();
  });

  const overlaps: [Schedule['overlap'], starts: string[], reports: string[], waiting: Date[]][] = [
    ['skip', [], ['skipped'], []],
    ['queue', [], ['queued'], [at('09:00')]],
    ['allow', ['09:00'], [], []],
  ];
  test.each(overlaps)(
    'with overlap %s, if the last execution is running',
    (overlap, starts, reports, waiting) => {
      const done = allAt(at('09:00'), schedule({ overlap }), true);
      expect(done).toMatchObject({ starts, reports });
      expect(done.schedule).toMatchObject({ waiting, nextDueAt: at('09:10') });
    },
  );

  test('starts what waits in its order, one at each end', () => {
    const waiting = [at('08:30'), at('08:40')];
    const queued = schedule({ overlap: 'queue', waiting });
    expect(decide({ ...queued, isRunning: true }, at('08:55'))).toBeUndefined();
    expect(allAt(at('08:55'), queued, false).starts).toEqual(['08:30']);
    // A due time comes after those that wait, even if nothing is running.
    const due = decide(schedule({ overlap: 'queue', waiting, isRunning: true }), at('09:00'));
    expect(due?.state.waiting).toEqual([...waiting, at('09:00')]);
  });

  test('keeps a bounded number waiting', () => {
    const waiting = Array.from({ length: maxWaiting }, () => at('08:30'));
    const { reports, schedule: after } = allAt(at('09:00'), schedule({ overlap: 'queue', waiting }), true);
    expect(reports).toEqual(['skipped']);
    expect(after.waiting).toEqual(waiting);
  });

  const missed: [Schedule['catchUp'], now: string, starts: string[], reports: string[], next: string][] = [
    // A minute late is not missed.
    ['none', '09:01', ['09:00'], [], '09:10'],
    ['none', '09:01:01', [], ['missed'], '09:10'],
    ['none', '09:35', [], ['missed'], '09:40'],
    // The last one is on time.
    ['none', '09:30:30', ['09:30'], ['missed'], '09:40'],
    ['latest', '09:05', ['09:00'], [], '09:10'],
    ['latest', '09:35', ['09:30'], ['missed'], '09:40'],
    ['latest', '09:30:30', ['09:30'], ['missed'], '09:40'],
    ['all', '09:35', ['09:00', '09:10', '09:20', '09:30'], [], '09:40'],
  ];
  test.each(missed)('with catchUp %s at %s', (catchUp, now, starts, reports, next) => {
    const done = allAt(at(now), schedule({ catchUp, overlap: 'allow' }), false);
    expect(done).toMatchObject({ starts, reports });
    expect(done.schedule.nextDueAt).toEqual(at(next));
  });

  test('makes up the last of very many that were missed, of which all but one overlap', () => {
    const year = new Date('2027-05-04T09:05Z');
    const minutely = schedule({ catchUp: 'all', cron: '* * * * *' });
    const all = allAt(year, { ...minutely, overlap: 'allow' }, false);
    expect(all.starts).toHaveLength(maxWaiting);
    expect(all.reports).toEqual(['missed']);
    const skipping = allAt(year, minutely, false);
    expect(skipping.starts).toHaveLength(1);
    const queueing = allAt(year, { ...minutely, overlap: 'queue' }, false);
    expect(queueing.starts).toHaveLength(1);
    expect(queueing.schedule.waiting).toHaveLength(maxWaiting - 1);
  });

  test('starts a run that the operator wants, without a change of the calendar, also while paused', () => {
    const wanted = schedule({ pausedAt: at('08:00'), runRequestedAt: at('08:55') });
    const { starts, schedule: after } = allAt(at('08:56'), wanted, false);
    expect(starts).toEqual(['08:55']);
    expect(after).toMatchObject({ nextDueAt: at('09:00'), lastDueAt: at('08:50'), runRequestedAt: null });
    expect(allAt(at('08:56'), wanted, true).reports).toEqual(['skipped']);
  });

  test('starts within the jitter, at the same time for the same schedule and due time, and before the next', () => {
    const startOf = (fields: Partial<Schedule>) => {
      const jittered = schedule(fields);
      for (let second = 0; ; second++)
        if (decide(jittered, new Date(jittered.nextDueAt.getTime() + second * 1000))) return second;
    };
    const delays = Array.from({ length: 20 }, (_, index) => {
      const id = `7d1f0a34-9c2b-4f6e-8e15-${String(index).padStart(12, '0')}`;
      const second = startOf({ id, jitterSeconds: 60 });
      expect(startOf({ id, jitterSeconds: 60 })).toBe(second);
      // An hour of jitter would be beyond the next due time.
      expect(startOf({ id, jitterSeconds: 3600 })).toBeLessThan(600);
      return second;
    });
    expect(Math.max(...delays)).toBeLessThanOrEqual(60);
    expect(new Set(delays).size).toBeGreaterThan(10);
    // It is not late because of its jitter.
    const late = schedule({ jitterSeconds: 599, catchUp: 'none' });
    const startAt = startOf({ jitterSeconds: 599 });
    expect(startAt).toBeGreaterThan(60);
    expect(decide(late, new Date(at('09:00').getTime() + startAt * 1000))).toHaveProperty('start');
  });
});

test('a calendar that begins has its first due time after now, and after the last one that was decided on', () => {
  expect(firstDue(schedule(), at('09:00'), null)).toEqual(at('09:10'));
  // The clock of the database was set back.
  expect(firstDue(schedule(), at('09:00'), at('09:30'))).toEqual(at('09:40'));
});
