import { type Html, html } from '../../domain/html.ts';
import { firstDue } from '../../schedules/decision.ts';
import {
  type ListedSchedule,
  listSchedules,
  pauseSchedule,
  requestRun,
  resumeSchedule,
} from '../../store/schedules.ts';
import { pill, timeOf } from '../formats.ts';
import type { Change, ChangeForm, ConsolePage, PageRequest } from '../page.ts';
import { table } from '../table.ts';

/** The schedules, as `wrp schedule list` lists them; `pause`, `resume` and `run`. */
export const schedules: ConsolePage = {
  path: '/schedules',
  command: 'schedule',
  name: 'Schedules',
  async show({ database, form }) {
    const main = html`<h1>Schedules</h1>
${table(await listSchedules(database), {
  caption: 'Schedules, by workspace and name',
  empty: 'There are no schedules. Platform files declare them.',
  columns: [
    { name: 'Schedule', heads: true, cell: ({ name }) => name },
    { name: 'Workspace', cell: ({ workspace }) => workspace.name },
    { name: 'Definition', cell: ({ definition }) => definition.name },
    { name: 'Cron', kind: 'keep', cell: ({ cron, timeZone }) => html`<code>${cron}</code> ${timeZone}` },
    {
      ...{ name: 'Next due (UTC)', kind: 'time' },
      cell: ({ pausedAt, nextDueAt }) => (pausedAt ? 'paused' : timeOf(nextDueAt)),
    },
    {
      ...{ name: 'Last due (UTC)', kind: 'time' },
      cell: ({ lastDueAt }) => (lastDueAt ? timeOf(lastDueAt) : '–'),
    },
    { name: 'Outcome', kind: 'break', cell: outcomeOf },
    { name: 'Execution', cell: executionOf },
    ...(form ? [{ name: 'Actions', cell: (schedule: ListedSchedule) => formsOf(schedule, form) }] : []),
  ],
})}`;
    return { title: 'Schedules', main };
  },
  actions: {
    async pause({ database, change, id, now }) {
      if (!(await find({ database, id }))) return undefined;
      const isChanged = await change((transaction) => pauseSchedule(transaction, id, now));
      return { done: `The schedule ${isChanged ? 'is' : 'was already'} paused.` };
    },
    async resume({ database, change, id, now }) {
      const schedule = await find({ database, id });
      if (!schedule) return undefined;
      const isChanged = await change((transaction) =>
        resumeSchedule(transaction, id, firstDue(schedule, now, schedule.lastDueAt)),
      );
      return { done: isChanged ? 'The schedule is resumed.' : 'The schedule was not paused.' };
    },
    async run({ database, change, id, now }) {
      if (!(await find({ database, id }))) return undefined;
      await change((transaction) => requestRun(transaction, id, now));
      return { done: 'Requested. It is started while the platform is running.' };
    },
  },
};

const find = async ({ database, id }: Pick<Change, 'database' | 'id'>) =>
  (await listSchedules(database)).find((schedule) => schedule.id === id);

function outcomeOf({ lastOutcome, lastReason, waiting }: ListedSchedule): Html {
  const more = waiting.length > 0 && ` (${waiting.length} waiting)`;
  return html`${lastOutcome ?? '–'}${more}${lastReason && html`: <span class="muted">${lastReason}</span>`}`;
}

function executionOf({ lastExecutionId, lastExecutionStatus }: ListedSchedule): Html | string {
  if (!lastExecutionId || !lastExecutionStatus) return '–';
  return html`<a href="/executions/${lastExecutionId}">${pill(lastExecutionStatus)}</a>`;
}

function formsOf({ id, name, pausedAt }: ListedSchedule, form: NonNullable<PageRequest['form']>): Html {
  const part = (action: string, of: Pick<ChangeForm, 'name' | 'effect' | 'button'>) =>
    form(action, { ...of, of: name, back: '/schedules', id });
  const pauseOrResume = pausedAt
    ? part('resume', {
        ...{ name: 'Resume', button: 'Resume the schedule' },
        effect: 'It continues with its next due time.',
      })
    : part('pause', {
        ...{ name: 'Pause', button: 'Pause the schedule' },
        effect: 'Its due times pass. Running executions continue.',
      });
  const run = part('run', {
    ...{ name: 'Run now', button: 'Start an execution' },
    effect: 'Its due times stay as they are.',
  });
  return html`<div class="row">${pauseOrResume}${run}</div>`;
}
