import type { Command } from 'commander';
import type { BlobStore } from '../../blobs/index.ts';
import type { Database } from '../store/database.ts';
import { historyOf, type ThreadHistoryEntry } from '../store/execution-history.ts';
import { describeExecution, liveThreads } from '../store/execution-list.ts';
import { pausesDuring } from '../store/pauses.ts';
import { hasLargeValues, withLargeValues } from '../workflows/large-values.ts';
import { notFound, parseId } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { addExecutionChanges } from './execution-changes.ts';
import { addListCommand } from './execution-list.ts';
import { type PageOptions, showPage } from './execution-page.ts';
import { printTimeline } from './execution-timeline.ts';
import { openStore } from './file-stores.ts';
import { action, commandGroup, type EnvironmentOptions, exclusiveOption, refuseJson } from './options.ts';
import { printJson } from './print.ts';

/** `wrp execution`. */
export function addExecutionCommands(program: Command): void {
  const add = commandGroup(program, 'execution', 'Executions of workflow definitions.');
  addListCommand(add);
  const show = add(
    'show 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01 --json',
    'Shows the states of an execution in order: times, attempts, errors, inputs, results, assigned variables and outputs.',
  )
    .argument('<id>')
    .addOption(
      exclusiveOption(
        '--full',
        'do not shorten values, and read those over 64 KiB from the file store',
        'open',
        'output',
      ),
    )
    .option('--open', 'open a page with its graph and timeline, live while it runs')
    .option('--output <file>', 'write this page to a file')
    .action(action(runShow));
  refuseJson(show, '--open', '--output');
  addExecutionChanges(add);
}

async function runShow(id: string, options: PageOptions & { full?: true }): Promise<void> {
  if (options.open || options.output !== undefined) return showPage(id, options);
  const { json = false, full = false } = options;
  await inEnvironment(options, async (database) => {
    const execution = await describeExecution(database, parseId('execution', id, options));
    if (!execution) throw notFound('execution', id, options);
    const history = full ? fullHistoryOf(database, id, options) : historyOf(database, id);
    const threads = () => liveThreads(database, id);
    const pauses = await pausesDuring(database, id);
    if (json) {
      const entries: ThreadHistoryEntry[] = [];
      for await (const entry of history) entries.push(entry);
      printJson({ execution, history: entries, threads: await threads(), pauses });
    } else await printTimeline({ execution, history, threads, pauses }, { full });
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
