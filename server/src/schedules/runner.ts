import type { Logger } from 'pino';
import { transact } from '../../postgres-client/index.ts';
import type { Database } from '../store/database.ts';
import {
  dueSchedules,
  type LockedSchedule,
  lockSchedule,
  type Schedule,
  type ScheduleOutcome,
  type ScheduleResult,
  storeSchedule,
} from '../store/schedules.ts';
import type { StartExecution, StartOutcome } from '../workflows/start.ts';
import { decide } from './decision.ts';

interface ScheduleOptions {
  database: Database;
  startExecution: StartExecution;
  /** Called for each result. */
  onResult(outcome: ScheduleOutcome): void;
  logger: Logger;
  now(): Date;
}

/** Schedules that a process starts at the same time. Most are due at a full hour. */
const concurrency = 4;

/** Starts what schedules have due. Any number of processes may do this at once: the lock of a schedule's row decides. */
export function scheduleRunner(options: ScheduleOptions) {
  const { database, logger, now } = options;
  let isStopped = false;
  let running: Promise<void> | undefined;
  const startAll = async () => {
    try {
      // Each takes the next one that is left.
      const due = (await dueSchedules(database, now())).values();
      const startNext = async () => {
        for (const schedule of due) await startOne(schedule);
      };
      await Promise.all(Array.from({ length: concurrency }, startNext));
    } catch (error) {
      if (!isStopped) logger.warn({ err: error }, 'looking for due schedules failed');
    }
  };
  /** A failure leaves the schedule as it was: the next round tries again. */
  const startOne = async (schedule: Schedule) => {
    try {
      let current: Schedule | undefined = schedule;
      while (!isStopped && current && decide(current, now())) current = await advance(options, current.id);
    } catch (error) {
      if (!isStopped)
        logger.error({ err: error, scheduleId: schedule.id }, 'a schedule could not be started');
    }
  };
  return {
    /** Starts what is due, unless this process is doing so already. */
    startDue(): Promise<void> {
      running ??= startAll().finally(() => {
        running = undefined;
      });
      return running;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

/** Does one thing about a schedule, in a transaction. @returns it afterwards; undefined if there was nothing to do */
async function advance(
  { database, startExecution, onResult, logger, now }: ScheduleOptions,
  id: string,
): Promise<Schedule | undefined> {
  const at = now();
  const done = await transact(database, async (transaction) => {
    const schedule = await lockSchedule(transaction, id);
    const decision = schedule && decide(schedule, at);
    if (!decision) return undefined;
    const { start, report, state } = decision;
    const result: ScheduleResult = start
      ? await startAt(transaction, startExecution, schedule, start, at)
      : { at, reason: null, outcome: 'missed', ...report };
    await storeSchedule(transaction, id, state, result);
    return { schedule: { ...schedule, ...state }, result };
  });
  if (!done) return undefined;
  const { schedule, result } = done;
  const { outcome, reason, executionId } = result;
  onResult(outcome);
  const fields = {
    scheduleId: id,
    schedule: schedule.name,
    outcome,
    ...(reason && { reason }),
    ...(executionId && { executionId }),
  };
  logger[outcome === 'refused' || outcome === 'missed' ? 'warn' : 'info'](fields, `schedule ${outcome}`);
  return { ...schedule, isRunning: schedule.isRunning || outcome === 'started' };
}

/** Why a start is refused, for the operator. */
const refusals: Record<Exclude<StartOutcome['kind'], 'started' | 'parameters_mismatch'>, string> = {
  unknown_definition: 'the definition has no document',
  archived_definition: 'the definition is archived',
  record_mismatch: 'the record is of another workspace',
  expiry_out_of_range: 'expiresAfterSeconds is out of range',
};

async function startAt(
  transaction: Database,
  startExecution: StartExecution,
  schedule: LockedSchedule,
  scheduledTime: Date,
  at: Date,
): Promise<ScheduleResult> {
  const refused = (reason: string): ScheduleResult => ({ outcome: 'refused', at, reason });
  const { user, userStatus, expiresAfterSeconds, workspaceId } = schedule;
  if (userStatus !== 'ACTIVE') return refused(`the user ${user.email} is ${userStatus}`);
  const outcome = await startExecution(transaction, {
    workflowDefinitionId: schedule.workflowDefinitionId,
    parameters: schedule.parameters,
    expiresAt: expiresAfterSeconds === null ? undefined : new Date(at.getTime() + expiresAfterSeconds * 1000),
    executionType: 'BACKGROUND',
    origin: { workspaceId, type: 'API' },
    resultOrigin: {
      ...user,
      type: 'USER',
      schedule: schedule.name,
      scheduledTime: scheduledTime.toISOString(),
    },
    startedBy: user.userId,
  });
  switch (outcome.kind) {
    case 'started':
      return { outcome: 'started', at, reason: null, executionId: outcome.execution.id };
    case 'parameters_mismatch':
      return refused(
        outcome.problems
          .map(({ pointer, message }) => `parameters${pointer} ${message}`)
          .join('; ')
          .slice(0, 1000),
      );
    default:
      return refused(refusals[outcome.kind]);
  }
}
