import { isDeepStrictEqual } from 'node:util';
import type { DescribedExecution } from '../store/execution-list.ts';
import type { LiveThread, ToldEntry } from '../store/history.ts';
import { printable, printTable } from './print.ts';

interface Shown {
  execution: DescribedExecution;
  history: ToldEntry[];
  threads: LiveThread[];
}

/** Characters of a value that are shown. */
const shortLength = 72;

/** Prints what an execution has done, a line for each step, and what it does now. */
export function printTimeline({ execution, history, threads }: Shown, { full }: { full: boolean }): void {
  const short = (value: unknown) => shortened(value, full);
  for (const line of headOf(execution, short)) console.log(printable(line));
  console.log();
  const begun = execution.createdAt.getTime();
  const since = (moment: Date) => `+${((moment.getTime() - begun) / 1000).toFixed(3)} s`;
  const done = history.map((entry) => [since(entry.at), stateOf(entry), ...eventOf(entry, short)]);
  const now = threads.map((thread) => ['now', placeOf(thread.label, thread.state), waitOf(thread), '', '']);
  if (done.length + now.length === 0)
    return void console.log('Nothing has been done yet, or its history is over.');
  printTable(['AT', 'STATE', 'EVENT', 'TOOK', 'VALUES'], [...done, ...now]);
}

function headOf(execution: DescribedExecution, short: (value: unknown) => string): string[] {
  const { createdAt, endedAt, status, error, cause, resultSize } = execution;
  const took = endedAt ? `, after ${seconds(endedAt.getTime() - createdAt.getTime())}` : '';
  return [
    `${execution.name}, revision ${execution.revision}: ${status}${took}`,
    `id          ${execution.id}, version ${execution.version}`,
    `workspace   ${execution.workspace.name}`,
    `started     ${createdAt.toISOString()} on behalf of ${execution.startedBy ?? 'nobody'} (${execution.executionType})`,
    endedAt ? `ended       ${endedAt.toISOString()}` : `expires     ${execution.expiresAt.toISOString()}`,
    `parameters  ${short(execution.parameters)}`,
    ...(execution.recordId ? [`record      ${execution.recordId}`] : []),
    ...(error === null ? [] : [`error       ${error}: ${short(cause ?? '')}`]),
    ...(resultSize === null ? [] : [`result      ${resultSize} bytes`]),
  ];
}

type Detail = Record<string, unknown>;

function stateOf({ state, detail }: ToldEntry): string {
  return placeOf((detail as Detail)['branch'] as string | undefined, state);
}

function placeOf(label: string | undefined, state: string | null): string {
  return [label, state ?? '(not begun)'].filter(Boolean).join('/');
}

/** What happened, how long it took, and with what. */
function eventOf({ kind, at, detail: given }: ToldEntry, short: (value: unknown) => string): string[] {
  const detail = given as Detail;
  switch (kind) {
    case 'state': {
      const took = at.getTime() - Date.parse(String(detail['enteredAt']));
      const failure = detail['failure'] as { error: string } | undefined;
      const what = `${detail['type']}${failure ? `, caught ${failure.error}` : ''}`;
      const input = toldValue(detail, 'input', short);
      const same = 'input' in detail && isDeepStrictEqual(detail['input'], detail['output']);
      return [what, seconds(took), same ? input : `${input} → ${toldValue(detail, 'output', short)}`];
    }
    case 'waiting':
      return [`waits until ${detail['until']}`, '', ''];
    case 'task':
      return [`asks ${detail['resource']}`, '', toldValue(detail, 'arguments', short)];
    case 'forked': {
      const most = Number(detail['maxConcurrency']);
      return [`begins ${detail['threads']} threads${most > 0 ? `, ${most} at once` : ''}`, '', ''];
    }
    case 'retry':
      return [`failed with ${detail['error']}, again at ${detail['at']}`, '', short(detail['cause'])];
    case 'failed':
      return [`failed with ${detail['error']}`, '', short(detail['cause'])];
  }
}

function waitOf({ status, awaiting, timeoutAt }: LiveThread): string {
  if (status === 'queued') return 'queued';
  if (status === 'ready') return 'runs';
  const until = timeoutAt ? ` until ${timeoutAt.toISOString()}` : '';
  return awaiting === 'fork' ? 'waits for its threads' : `waits (${awaiting})${until}`;
}

/** History keeps only the size of what is large. */
function toldValue(detail: Detail, name: string, short: (value: unknown) => string): string {
  if (name in detail) return short(detail[name]);
  return `${detail[`${name}Size`]} bytes`;
}

function shortened(value: unknown, full: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return full || text.length <= shortLength ? text : `${text.slice(0, shortLength - 1)}…`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
