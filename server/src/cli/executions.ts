import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { startOf } from '../../json/index.ts';
import {
  type DescribedExecution,
  describeExecution,
  historyOf,
  type LiveThread,
  listExecutions,
  liveThreads,
  type ThreadHistoryEntry,
} from '../store/execution-list.ts';
import { notFound, parseId } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { addExecutionChanges } from './execution-changes.ts';
import {
  addExecutionOptions,
  type ExecutionOptions,
  executionCursor,
  executionFilterOf,
} from './execution-filter.ts';
import { type PageOptions, showPage } from './execution-page.ts';
import { action, commandGroup, type EnvironmentOptions, parseLimit } from './options.ts';
import { printable, printJson, printList, printTable } from './print.ts';

/** `wrp execution`. */
export function addExecutionCommands(program: Command): void {
  const add = commandGroup(program, 'execution', 'Executions of workflow definitions.');
  addExecutionOptions(
    add('list --status FAILED --definition "Claim intake" --since 24h', 'Lists executions, newest first.'),
  )
    .option('--limit <n>', 'the maximum number of executions', parseLimit, 50)
    .action(action(runList));
  add(
    'show 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01 --json',
    'Shows the states of an execution in order, with times, inputs and outputs.',
  )
    .argument('<id>')
    .option('--full', 'do not shorten inputs and outputs')
    .option('--open', 'open a page with its graph and timeline, live while it runs')
    .option('--output <file>', 'write this page to a file')
    .action(action(runShow));
  addExecutionChanges(add);
}

async function runList(options: EnvironmentOptions & ExecutionOptions & { limit: number }): Promise<void> {
  const { environment, json, limit } = options;
  const { content, next } = await inEnvironment(options, async (database) => {
    const { filter, after } = await executionFilterOf(database, options);
    return listExecutions(database, filter, { after, size: limit });
  });
  const nextCursor = next && executionCursor(options, next);
  if (json) return printJson({ content, nextCursor });
  printList(content, {
    json,
    empty: `There are no matching executions in ${environment}${next ? ' among those searched' : ''}.`,
    columns: {
      ID: ({ id }) => id,
      DEFINITION: ({ name }) => name,
      REVISION: ({ revision }) => revision,
      STATUS: ({ status }) => status,
      STARTED: ({ createdAt }) => formatSecond(createdAt),
      ENDED: ({ endedAt }) => (endedAt ? formatSecond(endedAt) : '-'),
      ERROR: ({ error }) => error ?? '-',
      CAUSE: ({ cause }) => shortened(cause || '-', listedCauseLength),
    },
  });
  if (!next) return;
  const searched =
    content.length < limit ? `Searched as far as ${next.createdAt.toISOString()} and stopped. ` : '';
  console.error(`${searched}For the next page, add --after ${nextCursor}`);
}

/** Characters of a cause in the list. */
const listedCauseLength = 60;

function shortened(text: string, length: number): string {
  // A copy: a slice would keep the whole text in memory.
  return text.length <= length ? text : Buffer.from(`${startOf(text, length - 1)}…`).toString();
}

async function runShow(id: string, options: PageOptions & { full?: true }): Promise<void> {
  if (options.open || options.output !== undefined) return showPage(id, options);
  const { environment, json = false, full = false } = options;
  await inEnvironment(options, async (database) => {
    const execution = await describeExecution(database, parseId('execution', id, options));
    if (!execution) throw notFound('execution', id, environment);
    const history = historyOf(database, id);
    if (json) {
      const entries: ThreadHistoryEntry[] = [];
      for await (const entry of history) entries.push(entry);
      printJson({ execution, history: entries, threads: await liveThreads(database, id) });
    } else await printTimeline({ execution, history, threads: () => liveThreads(database, id) }, { full });
  });
}

const formatSecond = (timestamp: Date) => timestamp.toISOString().slice(0, 19).replace('T', ' ');

/** Values are shortened to this number of characters unless `full` is set. */
const shortLength = 72;
/** The same for the cause of an error: the history may have 25,000. That of the execution is never shortened. */
const causeLength = 1_000;

interface Shown {
  execution: DescribedExecution;
  history: AsyncIterable<ThreadHistoryEntry>;
  threads(): Promise<LiveThread[]>;
}

/**
 * Prints a line for each history entry of an execution, then one for each running or waiting thread. Keeps the lines in
 * memory, not the entries.
 */
async function printTimeline(
  { execution, history, threads }: Shown,
  { full }: { full: boolean },
): Promise<void> {
  const short: Shorten = (value, length = shortLength) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return full ? text : shortened(text, length);
  };
  for (const line of summaryOf(execution, short)) console.log(printable(line));
  console.log();
  const startedAt = execution.createdAt.getTime();
  const rows: string[][] = [];
  // When each thread entered its state: AT in all rows of a state. Only the entry that ends the state stores it.
  const entered = new Map<string, number>();
  for await (const entry of history) {
    const detail = entry.detail as Detail;
    const { threadId, at } = entry;
    const own = Date.parse(String(detail['enteredAt']));
    const since = Number.isNaN(own) ? (entered.get(threadId) ?? at.getTime()) : own;
    if (entry.kind === 'state' || entry.kind === 'failed') entered.delete(threadId);
    else entered.set(threadId, since);
    const elapsed = ((since - startedAt) / 1000).toFixed(3);
    const path = statePath(detail['branch'] as string | undefined, entry.state);
    const cells = eventCells(entry, detail, { took: seconds(at.getTime() - since), short });
    rows.push([`+${elapsed} s`, path, ...cells]);
  }
  for (const thread of await threads())
    rows.push(['now', statePath(thread.label, thread.state), threadActivity(thread), '', '']);
  if (rows.length === 0) console.log('The execution has no history: it has not started, or it was deleted.');
  else printTable(['AT', 'STATE', 'EVENT', 'DURATION', 'VALUES'], rows);
}

type Shorten = (value: unknown, length?: number) => string;

function summaryOf(execution: DescribedExecution, short: Shorten): string[] {
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
      const event = `${detail['type']}${failure ? `, caught ${failure.error}` : ''}`;
      const input = storedValue(detail, 'input', short);
      const same = 'input' in detail && isDeepStrictEqual(detail['input'], detail['output']);
      return [event, took, same ? input : `${input} → ${storedValue(detail, 'output', short)}`];
    }
    case 'waiting':
      return [`waits until ${detail['until']}`, '', ''];
    case 'task':
      return [`calls ${detail['resource']}`, '', storedValue(detail, 'arguments', short)];
    case 'forked': {
      const limit = Number(detail['maxConcurrency']);
      return [`starts ${detail['threads']} threads${limit > 0 ? `, ${limit} at a time` : ''}`, '', ''];
    }
    case 'retry':
      return [
        `failed with ${detail['error']}, retries at ${detail['at']}`,
        took,
        short(detail['cause'], causeLength),
      ];
    case 'retried':
      return [
        `retried by ${detail['by']}${detail['revision'] ? `, revision ${detail['revision']}` : ''}`,
        '',
        '',
      ];
    case 'failed':
      return [
        detail['error'] ? `failed with ${detail['error']}` : 'failed',
        took,
        short(detail['cause'], causeLength),
      ];
  }
}

function threadActivity({ status, awaiting, timeoutAt }: LiveThread): string {
  if (status === 'queued') return 'queued';
  if (status === 'ready') return 'runs';
  const until = timeoutAt ? ` until ${timeoutAt.toISOString()}` : '';
  return awaiting === 'fork' ? 'waits for its threads' : `waits (${awaiting})${until}`;
}

/** The history stores only the size of a large value. */
function storedValue(detail: Detail, name: string, short: Shorten): string {
  if (name in detail) return short(detail[name]);
  return `${detail[`${name}Size`]} bytes`;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
