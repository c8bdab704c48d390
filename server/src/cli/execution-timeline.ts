import { isDeepStrictEqual } from 'node:util';
import { shortened } from '../../json/index.ts';
import type { ThreadHistoryEntry } from '../store/execution-history.ts';
import type { DescribedExecution, LiveThread } from '../store/execution-list.ts';
import type { PauseChange } from '../store/pauses.ts';
import { printable, printTable } from './print.ts';

/** Values are shortened to this number of characters unless `full` is set. */
const shortLength = 72;
/** The same for the cause of an error: the history may have 25,000. That of the execution is never shortened. */
const causeLength = 1_000;

interface Shown {
  execution: DescribedExecution;
  history: AsyncIterable<ThreadHistoryEntry>;
  threads(): Promise<LiveThread[]>;
  /** In order. */
  pauses: PauseChange[];
}

/**
 * Prints a line for each history entry of an execution and each pause of its definition, then one for each running or
 * waiting thread. Keeps the lines in memory, not the entries.
 */
export async function printTimeline(
  { execution, history, threads, pauses }: Shown,
  { full }: { full: boolean },
): Promise<void> {
  const short: Shorten = (value, length = shortLength) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return full ? text : shortened(text, length);
  };
  for (const line of summaryOf(execution, short)) console.log(printable(line));
  console.log();
  const startedAt = execution.createdAt.getTime();
  const elapsedAt = (at: Date) => `+${((at.getTime() - startedAt) / 1000).toFixed(3)} s`;
  const rows: string[][] = [];
  const left = [...pauses];
  const addPausesBefore = (time: number) => {
    while (left[0] && left[0].at.getTime() <= time) {
      const { at, kind, by, reason } = left.shift() as PauseChange;
      rows.push([elapsedAt(at), '', `definition ${kind} by ${by}`, '', reason ?? '']);
    }
  };
  // When the present attempt of each thread's state began.
  const begun = new Map<string, number>();
  for await (const entry of history) {
    const detail = entry.detail as Detail;
    const { threadId, at } = entry;
    const own = Date.parse(String(detail['enteredAt']));
    const since = Number.isNaN(own) ? (begun.get(threadId) ?? at.getTime()) : own;
    if (entry.kind === 'state' || entry.kind === 'failed') begun.delete(threadId);
    else begun.set(threadId, entry.kind === 'retry' ? Date.parse(String(detail['at'])) : at.getTime());
    addPausesBefore(at.getTime());
    const path = statePath(detail['branch'] as string | undefined, entry.state);
    const cells = eventCells(entry, detail, { took: seconds(at.getTime() - since), short });
    rows.push([elapsedAt(at), path, ...cells], ...furtherValues(entry.kind, detail, short));
  }
  addPausesBefore(Number.POSITIVE_INFINITY);
  for (const thread of await threads())
    rows.push(['now', statePath(thread.label, thread.state), threadActivity(thread), '', '']);
  if (rows.length === 0) console.log('The execution has no history: it has not started, or it was deleted.');
  else printTable(['AT', 'STATE', 'EVENT', 'DURATION', 'VALUES'], rows);
}

type Shorten = (value: unknown, length?: number) => string;

function summaryOf(execution: DescribedExecution, short: Shorten): string[] {
  const { createdAt, endedAt, status, error, cause, resultSize, pause } = execution;
  const took = endedAt ? `, after ${seconds(endedAt.getTime() - createdAt.getTime())}` : '';
  return [
    `${execution.name}, revision ${execution.revision}: ${status}${took}`,
    `id          ${execution.id}, version ${execution.version}`,
    `workspace   ${execution.workspace.name}`,
    `started     ${createdAt.toISOString()} on behalf of ${execution.startedBy ?? 'nobody'} (${execution.executionType})`,
    endedAt ? `ended       ${endedAt.toISOString()}` : `expires     ${execution.expiresAt.toISOString()}`,
    ...(pause ? [`paused      ${[pause.since.toISOString(), pause.reason].filter(Boolean).join(': ')}`] : []),
    `parameters  ${short(execution.parameters)}`,
    ...(execution.recordId ? [`record      ${execution.recordId}`] : []),
    ...(error === null ? [] : [`error       ${[error, cause].filter(Boolean).join(': ')}`]),
    ...(resultSize === null ? [] : [`result      ${resultSize} bytes`]),
  ];
}

type Detail = Record<string, unknown>;

function statePath(label: string | undefined, state: string | null): string {
  return [label, state ?? '(not started)'].filter(Boolean).join('/');
}

/** The cells EVENT, DURATION and VALUES. */
function eventCells(
  { kind }: ThreadHistoryEntry,
  detail: Detail,
  { took, short }: { took: string; short: Shorten },
): string[] {
  switch (kind) {
    case 'state': {
      const failure = detail['failure'] as { error: string } | undefined;
      const event = [detail['type'], decision(detail), failure && `caught ${failure.error}`]
        .filter(Boolean)
        .join(', ');
      const input = storedValue(detail, 'input', short);
      const same = 'input' in detail && isDeepStrictEqual(detail['input'], detail['output']);
      const output = same ? undefined : storedValue(detail, 'output', short);
      return [event, took, [input, output].filter((value) => value !== undefined).join(' → ')];
    }
    case 'waiting':
      return [`waits until ${detail['until']}`, '', ''];
    case 'task':
      return [
        `calls ${detail['resource']}${attempt(detail)}`,
        '',
        storedValue(detail, 'arguments', short) ?? '',
      ];
    case 'forked': {
      const limit = Number(detail['maxConcurrency']);
      const started = detail['threads'] === 1 ? '1 thread' : `${detail['threads']} threads`;
      return [`starts ${started}${limit > 0 ? `, ${limit} at a time` : ''}`, '', ''];
    }
    case 'retry':
      return [
        `failed with ${detail['error']}, retries at ${detail['at']}`,
        took,
        short(detail['cause'] ?? '', causeLength),
      ];
    case 'retried': {
      const revision = detail['revision'] ? `, revision ${detail['revision']}` : '';
      const input = storedValue(detail, 'input', short);
      return [`retried by ${detail['by']}${revision}`, '', input === undefined ? '' : `input ${input}`];
    }
    case 'failed':
      return [
        detail['error'] ? `failed with ${detail['error']}` : 'failed',
        took,
        short(detail['cause'] ?? '', causeLength),
      ];
  }
}

/** The attempt of a task that is retried. */
const attempt = ({ attempt: number }: Detail) => (Number(number) > 1 ? `, attempt ${number}` : '');

function threadActivity({ status, awaiting, timeoutAt, heartbeatUntil, suspended }: LiveThread): string {
  if (suspended) return 'stopped: the definition is paused';
  if (status === 'queued') return 'queued';
  if (status === 'ready') return 'runs';
  const heartbeat = heartbeatUntil ? `, for a heartbeat until ${heartbeatUntil.toISOString()}` : '';
  const until = `${timeoutAt ? ` until ${timeoutAt.toISOString()}` : ''}${heartbeat}`;
  return awaiting === 'fork' ? 'waits for its threads' : `waits (${awaiting})${until}`;
}

/** What decided on the next state: `Choices/0`, `Default`, `Catch/0`. */
function decision({ type, via }: Detail): unknown {
  return via ?? (type === 'Choice' ? 'Default' : undefined);
}

/** Rows below an entry: the input of a failed state, which a retry can replace, the cause of a caught error, the result, unless the state passed it on, and assigned variables. */
function* furtherValues(kind: string, detail: Detail, short: Shorten): Generator<string[]> {
  const { cause } = (detail['failure'] ?? {}) as { cause?: string };
  if (cause) yield ['', '', 'cause', '', short(cause, causeLength)];
  for (const name of [...(kind === 'failed' ? ['input'] : []), 'result', 'assigned']) {
    const value = storedValue(detail, name, short);
    if (value !== undefined) yield ['', '', name, '', value];
  }
}

/** A large value is shown by its size, unless it was read. @returns undefined for a value that the entry does not have */
function storedValue(detail: Detail, name: string, short: Shorten): string | undefined {
  if (name in detail) return short(detail[name]);
  const size = detail[`${name}Size`];
  return size === undefined ? undefined : `${size} bytes`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
