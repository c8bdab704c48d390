import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { shortened } from '../../json/index.ts';
import { formatSecond } from '../console/formats.ts';
import { type Calendar, calendarOf, isTimeZone, problemOfCron } from '../schedules/calendar.ts';
import { firstDue } from '../schedules/decision.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import {
  type ListedSchedule,
  listSchedules,
  pauseSchedule,
  requestRun,
  resumeSchedule,
} from '../store/schedules.ts';
import { CommandError, notFound, UsageError } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import { type AddCommand, action, commandGroup, type EnvironmentOptions, optionsOf } from './options.ts';
import { printable, printJson, printList, printTable } from './print.ts';

type ScheduleOptions = EnvironmentOptions & { workspace?: string };

/** `wrp schedule`. */
export function addScheduleCommands(program: Command): void {
  const add = commandGroup(
    program,
    'schedule',
    'Schedules, which start executions at certain times. Platform files declare them.',
  );
  const addForSchedule: AddCommand = (...parameters) =>
    add(...parameters)
      .argument('<name|id>')
      .option('--workspace <name|id>', 'the workspace, if several have a schedule of this name');

  add('list', 'Lists the schedules with their next and last due times, and what came of the last.').action(
    action(runList),
  );
  addForSchedule(
    'pause nightly-report',
    'Pauses a schedule: its due times pass, and what waits is discarded. Running executions go on.',
  ).action(action(runPause));
  addForSchedule(
    'resume nightly-report',
    'Resumes a paused schedule with its next due time. What was due meanwhile is not made up.',
  ).action(action(runResume));
  addForSchedule(
    'run nightly-report',
    'Starts an execution of a schedule now, also of a paused one, and waits until it is started. Its calendar stays as it is.',
  )
    .option('--no-wait', 'do not wait')
    .action(action(runNow));
  add(
    "next --cron '0 2 * * *' --time-zone Europe/Berlin --count 3",
    'Prints the next due times of a schedule, or of a cron expression before it is applied.',
  )
    .argument('[name|id]')
    .option('--workspace <name|id>', 'the workspace, if several have a schedule of this name')
    .option('--cron <expression>', 'five fields: minute, hour, day of month, month, day of week')
    .option('--time-zone <zone>', 'of --cron, a name of the IANA time zone database (default: UTC)')
    .option('--count <n>', 'how many, up to 1000', parseCount, 10)
    .action((reference: string | undefined, _options: unknown, command: Command) => {
      const options = optionsOf<NextOptions>(command);
      if ((reference === undefined) === (options.cron === undefined)) {
        command.error('error: name a schedule, or a cron expression with --cron');
      }
      if (options.timeZone !== undefined && options.cron === undefined) {
        command.error('error: --time-zone belongs to --cron');
      }
      const ofSchedule = ['workspace', 'environment'].find(
        (name) => command.getOptionValueSource(name) === 'cli',
      );
      if (options.cron !== undefined && ofSchedule !== undefined) {
        command.error(`error: option '--${ofSchedule}' cannot be used with option '--cron'`);
      }
      return runNext(reference, options);
    });
}

function parseCount(text: string): number {
  if (/^([1-9]\d{0,2}|1000)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}

async function runList(options: EnvironmentOptions): Promise<void> {
  printList(await inEnvironment(options, listSchedules), {
    json: options.json,
    empty: `There are no schedules in ${options.environment}.`,
    columns: {
      WORKSPACE: ({ workspace }) => workspace.name,
      NAME: ({ name }) => name,
      DEFINITION: ({ definition }) => definition.name,
      CRON: ({ cron, timeZone }) => `${cron} ${timeZone}`,
      NEXT: ({ pausedAt, nextDueAt }) => (pausedAt ? 'paused' : inUtc(nextDueAt)),
      'LAST DUE': ({ lastDueAt }) => (lastDueAt ? inUtc(lastDueAt) : '-'),
      OUTCOME: outcomeOf,
      EXECUTION: ({ lastExecutionId }) => lastExecutionId ?? '-',
      STATUS: ({ lastExecutionStatus }) => lastExecutionStatus ?? '-',
    },
  });
}

/** Beside the times of its time zone. */
const inUtc = (time: Date) => `${formatSecond(time)}Z`;

/** Characters of the reason in the table; `--json` has all. */
const reasonLength = 80;

function outcomeOf({ lastOutcome, lastReason, waiting }: ListedSchedule): string {
  const more = waiting.length > 0 ? ` (${waiting.length} waiting)` : '';
  if (!lastReason) return `${lastOutcome ?? '-'}${more}`;
  return `${lastOutcome}${more}: ${shortened(lastReason, reasonLength)}`;
}

/** @throws CommandError if no schedule, or more than one, has this name or id */
async function findSchedule(
  database: Database,
  reference: string,
  options: ScheduleOptions,
): Promise<ListedSchedule> {
  const { workspace } = options;
  const matching = (await listSchedules(database)).filter(
    ({ id, name, workspace: its }) =>
      (id === reference || name === reference) &&
      (workspace === undefined || its.id === workspace || its.name === workspace),
  );
  const [schedule, second] = matching;
  if (!schedule) throw notFound('schedule', reference, options);
  if (!second) return schedule;
  const names = matching.map(({ workspace: { name } }) => name).join(', ');
  throw new CommandError(`Several workspaces have a schedule ${reference}: add --workspace: ${names}.`);
}

async function runPause(reference: string, options: ScheduleOptions): Promise<void> {
  const { id, isChanged } = await changeEnvironment(options, async (transaction, now) => {
    const { id } = await findSchedule(transaction, reference, options);
    return { id, isChanged: await pauseSchedule(transaction, id, now) };
  });
  if (options.json) return printJson({ id, paused: true });
  console.error(`The schedule ${isChanged ? 'is' : 'was already'} paused.`);
}

async function runResume(reference: string, options: ScheduleOptions): Promise<void> {
  const { id, isChanged, nextDueAt } = await changeEnvironment(options, async (transaction, now) => {
    const schedule = await findSchedule(transaction, reference, options);
    const nextDueAt = firstDue(schedule, now, schedule.lastDueAt);
    const isChanged = await resumeSchedule(transaction, schedule.id, nextDueAt);
    return { id: schedule.id, isChanged, nextDueAt: isChanged ? nextDueAt : schedule.nextDueAt };
  });
  if (options.json) return printJson({ id, paused: false, nextDueAt });
  const done = isChanged ? 'is resumed' : 'was not paused';
  console.error(`The schedule ${done}; next due ${inUtc(nextDueAt)}.`);
}

/** The platform looks for due schedules about every two seconds; without a process for up to eight. */
const waitMilliseconds = 15_000;

async function runNow(reference: string, options: ScheduleOptions & { wait: boolean }): Promise<void> {
  const id = await changeEnvironment(options, async (transaction, now) => {
    const { id } = await findSchedule(transaction, reference, options);
    await requestRun(transaction, id, now);
    return id;
  });
  const done = options.wait ? await inEnvironment(options, (database) => runOf(database, id)) : undefined;
  if (!done) {
    if (options.json) return printJson({ id, outcome: null });
    return console.error('Requested. It is started while the platform is running.');
  }
  const { lastOutcome: outcome, lastReason: reason, lastExecutionId } = done;
  const executionId = outcome === 'started' ? lastExecutionId : null;
  if (options.json) printJson({ id, outcome, reason, executionId });
  else if (executionId) console.log(executionId);
  else if (outcome === 'queued') console.error(`Queued: ${printable(reason ?? '')}.`);
  if (outcome !== 'started' && outcome !== 'queued')
    throw new CommandError(`Not started: ${outcome}, ${reason ?? ''}.`);
}

/** Waits until the request to run is decided on. @returns undefined if the platform does not do so in time */
async function runOf(database: Database, id: string): Promise<ListedSchedule | undefined> {
  const deadline = performance.now() + waitMilliseconds;
  while (performance.now() < deadline) {
    const schedule = (await listSchedules(database)).find((each) => each.id === id);
    if (schedule && !schedule.runRequestedAt) return schedule;
    await delay(250);
  }
  return undefined;
}

type NextOptions = ScheduleOptions & { cron?: string; timeZone?: string; count: number };

async function runNext(reference: string | undefined, options: NextOptions): Promise<void> {
  const { timeZone, calendar, after, isPaused } = await calendarFor(reference, options);
  const times: Date[] = [];
  while (times.length < options.count) times.push(calendar.next(times.at(-1) ?? after));
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const weekday = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' });
  const offsetOf = (time: Date) =>
    offset
      .formatToParts(time)
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', 'UTC') ?? '';
  if (options.json) return printJson({ timeZone, ...(isPaused && { paused: true }), times });
  if (isPaused)
    console.error('The schedule is paused: it starts nothing at these times until it is resumed.');
  printTable(
    ['DAY', timeZone.toUpperCase(), 'OFFSET', 'UTC'],
    times.map((time) => [weekday.format(time), shown.format(time), offsetOf(time), inUtc(time)]),
  );
}

interface NextTimes {
  timeZone: string;
  calendar: Calendar;
  after: Date;
  isPaused: boolean;
}

async function calendarFor(reference: string | undefined, options: NextOptions): Promise<NextTimes> {
  const { cron, timeZone = 'UTC' } = options;
  if (cron !== undefined) {
    const problem = problemOfCron(cron);
    if (problem) throw new UsageError(`--cron ${problem}.`);
    if (!isTimeZone(timeZone))
      throw new UsageError(`--time-zone must be a name of the IANA time zone database: ${timeZone}.`);
    return { timeZone, calendar: calendarOf(cron, timeZone), after: new Date(), isPaused: false };
  }
  return inEnvironment(options, async (database) => {
    const schedule = await findSchedule(database, reference as string, options);
    const { cron, timeZone, lastDueAt } = schedule;
    const isPaused = schedule.pausedAt !== null;
    // A paused schedule keeps the time that was next when it was paused.
    const next = isPaused ? firstDue(schedule, await databaseTime(database), lastDueAt) : schedule.nextDueAt;
    // The next due time itself is the first.
    const after = new Date(next.getTime() - 1);
    return { timeZone, calendar: calendarOf(cron, timeZone), after, isPaused };
  });
}
