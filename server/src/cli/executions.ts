import type { Command } from 'commander';
import type { BlobStore } from '../../blobs/index.ts';
import { shortened } from '../../json/index.ts';
import { formatSecond } from '../console/formats.ts';
import type { Database } from '../store/database.ts';
import { historyOf, type ThreadHistoryEntry } from '../store/execution-history.ts';
import { describeExecution, listExecutions, liveThreads } from '../store/execution-list.ts';
import { hasLargeValues, withLargeValues } from '../workflows/large-values.ts';

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
import { printTimeline } from './execution-timeline.ts';
import { openStore } from './file-stores.ts';

import { action, commandGroup, type EnvironmentOptions, parseLimit } from './options.ts';
import { printJson, printList } from './print.ts';

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
    'Shows the states of an execution in order: times, attempts, errors, inputs, results, assigned variables and outputs.',
  )
    .argument('<id>')
    .option('--full', 'do not shorten values, and read those over 64 KiB from the file store')
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

async function runShow(id: string, options: PageOptions & { full?: true }): Promise<void> {
  if (options.open || options.output !== undefined) return showPage(id, options);
  const { environment, json = false, full = false } = options;
  await inEnvironment(options, async (database) => {
    const execution = await describeExecution(database, parseId('execution', id, options));
    if (!execution) throw notFound('execution', id, environment);
    const history = full ? fullHistoryOf(database, id, options) : historyOf(database, id);
    const threads = () => liveThreads(database, id);
    if (json) {
      const entries: ThreadHistoryEntry[] = [];
      for await (const entry of history) entries.push(entry);
      printJson({ execution, history: entries, threads: await threads() });
    } else await printTimeline({ execution, history, threads }, { full });
  });
}

/** The history with its large values, which are in the file store. */
async function* fullHistoryOf(
  database: Database,
  id: string,
  { dataDir, environment }: EnvironmentOptions,
): AsyncGenerator<ThreadHistoryEntry, void> {
  let blobs: BlobStore | undefined;
  for await (const entry of historyOf(database, id)) {
    if (!hasLargeValues(entry)) yield entry;
    else {
      blobs ??= await openStore(dataDir, environment);
      yield await withLargeValues({ database, blobs }, id, entry);
    }
  }
}
