import { createHash } from 'node:crypto';
import type { Schedule, ScheduleState } from '../store/schedules.ts';
import { type Calendar, calendarOf } from './calendar.ts';

/** A due time that starts later than this, in milliseconds, was missed: no process was there to start it. */
const lateMilliseconds = 60_000;
/** The maximum number of due times that wait for a running execution, and of missed ones that are made up. */
export const maxWaiting = 100;

/** What is done about a schedule, and its state afterwards. */
export interface Decision {
  state: ScheduleState;
  /** The scheduled time of the execution to start. */
  start?: Date;
  /** Due times that are not started now, if that is to be reported. */
  report?: { outcome: 'queued' | 'skipped' | 'missed'; reason: string };
}

/**
 * Decides what is to be done about a schedule now: at most one start. It is asked again until there is nothing to do.
 *
 * @returns undefined if there is nothing to do
 */
export function decide(schedule: Schedule, now: Date): Decision | undefined {
  const { pausedAt, runRequestedAt, nextDueAt, lastDueAt, waiting, overlap, isRunning } = schedule;
  const state: ScheduleState = { runRequestedAt, nextDueAt, lastDueAt, waiting };
  const isFree = overlap === 'allow' || !isRunning;
  if (runRequestedAt) return startOrNot(schedule, isFree, runRequestedAt, { ...state, runRequestedAt: null });
  if (pausedAt) return undefined;
  const [first, ...others] = waiting;
  if (first && isFree) return { start: first, state: { ...state, waiting: others } };
  const calendar = calendarOf(schedule.cron, schedule.timeZone);
  const startAt = startOf(schedule, calendar, nextDueAt);
  if (startAt > now.getTime()) return undefined;
  if (startAt < now.getTime() - lateMilliseconds) {
    const missed = decideOnMissed(schedule, calendar, state, now);
    if (missed) return missed;
  }
  const after = { ...state, lastDueAt: nextDueAt, nextDueAt: calendar.next(nextDueAt) };
  return startOrNot(schedule, isFree && waiting.length === 0, nextDueAt, after);
}

/** @returns undefined if the next due time is to be started, however late it is */
function decideOnMissed(
  schedule: Schedule,
  calendar: Calendar,
  state: ScheduleState,
  now: Date,
): Decision | undefined {
  const { catchUp, nextDueAt } = schedule;
  const [first = nextDueAt] = calendar.last(nextDueAt, now, catchUp === 'all' ? maxWaiting : 1);
  const skipTo = (next: Date, reason: string): Decision => ({
    state: { ...state, lastDueAt: nextDueAt, nextDueAt: next },
    report: { outcome: 'missed', reason: `missed since ${nextDueAt.toISOString()}: ${reason}` },
  });
  if (catchUp === 'none') {
    const isOnTime = startOf(schedule, calendar, first) >= now.getTime() - lateMilliseconds;
    return skipTo(isOnTime ? first : calendar.next(first), 'catchUp is none');
  }
  if (first <= nextDueAt) return undefined;
  return skipTo(first, catchUp === 'all' ? `the last ${maxWaiting} are made up` : 'only the last is made up');
}

function startOrNot({ overlap }: Schedule, isFree: boolean, time: Date, state: ScheduleState): Decision {
  if (isFree) return { start: time, state };
  const { waiting } = state;
  if (overlap === 'skip')
    return { state, report: { outcome: 'skipped', reason: 'the last execution is running' } };
  if (waiting.length >= maxWaiting)
    return { state, report: { outcome: 'skipped', reason: `${maxWaiting} due times are waiting already` } };
  return {
    state: { ...state, waiting: [...waiting, time] },
    report: { outcome: 'queued', reason: 'waits for the end of the last execution' },
  };
}

/**
 * When the execution of a due time starts, in milliseconds: later by the jitter, which is the same for the same schedule
 * and time, and ends before the next due time.
 */
function startOf({ id, jitterSeconds }: Schedule, calendar: Calendar, due: Date): number {
  if (jitterSeconds === 0) return due.getTime();
  const span = Math.min(jitterSeconds * 1000, calendar.next(due).getTime() - due.getTime() - 1000);
  const hash = createHash('sha256').update(`${id} ${due.toISOString()}`).digest().readUInt32BE();
  return due.getTime() + Math.floor((hash / 2 ** 32) * span);
}

/** The first due time from now on of a calendar that begins. @param lastDueAt is not decided on again */
export function firstDue(
  { cron, timeZone }: Pick<Schedule, 'cron' | 'timeZone'>,
  now: Date,
  lastDueAt: Date | null,
): Date {
  return calendarOf(cron, timeZone).next(lastDueAt && lastDueAt > now ? lastDueAt : now);
}
