import { type Command, Option } from 'commander';
import type { Database } from '../store/database.ts';
import { listDefinitions } from '../store/definitions.ts';
import {
  describeExecution,
  historyOf,
  listExecutions,
  liveThreads,
  type ThreadHistoryEntry,
} from '../store/execution-list.ts';
import { statusOfExecution } from '../store/executions.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { endWithEvent } from '../workflows/ending.ts';
import { CommandError, notFound, parseId } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { printTimeline } from './execution-timeline.ts';
import { action, commandGroup, type EnvironmentOptions, parseLimit } from './options.ts';
import { printJson, printList } from './print.ts';

const statuses: ExecutionStatus[] = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'];

/** `wrp execution`. */
export function addExecutionCommands(program: Command): void {
  const add = commandGroup(program, 'execution', 'Executions of workflow definitions.');
  add('list --status FAILED', 'Lists executions, newest first.')
    .addOption(new Option('--status <status>', 'only those with this status').choices(statuses))
    .option('--definition <name|id>', 'only of this definition')
    .option('--limit <n>', 'the maximum number of executions', parseLimit, 50)
    .action(action(runList));
  add(
    'show 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01 --json',
    'Shows the states of an execution in order, with times, inputs and outputs.',
  )
    .argument('<id>')
    .option('--full', 'do not shorten inputs and outputs')
    .action(action(runShow));
  add(
    'cancel 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01',
    'Cancels a running execution, as POST /workflows/{workflowId}/cancel does.',
  )
    .argument('<id>')
    .action(action(runCancel));
}

async function runList(
  options: EnvironmentOptions & { status?: ExecutionStatus; definition?: string; limit: number },
): Promise<void> {
  const { definition, environment, json } = options;
  const entries = await inEnvironment(options, async (database) => {
    const listed = await listExecutions(database, options);
    if (listed.length === 0 && definition !== undefined && !(await isDefinition(database, definition))) {
      throw notFound('definition', definition, environment);
    }
    return listed;
  });
  printList(entries, {
    json,
    empty: `There are no matching executions in ${environment}.`,
    columns: {
      ID: ({ id }) => id,
      DEFINITION: ({ name }) => name,
      REVISION: ({ revision }) => revision,
      STATUS: ({ status }) => status,
      STARTED: ({ createdAt }) => formatSecond(createdAt),
      ENDED: ({ endedAt }) => (endedAt ? formatSecond(endedAt) : '-'),
      ERROR: ({ error }) => error ?? '-',
    },
  });
}

async function isDefinition(database: Database, reference: string): Promise<boolean> {
  const definitions = await listDefinitions(database);
  return definitions.some(({ id, name }) => id === reference || name === reference);
}

async function runShow(id: string, options: EnvironmentOptions & { full?: true }): Promise<void> {
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

async function runCancel(id: string, options: EnvironmentOptions): Promise<void> {
  const executionId = parseId('execution', id, options);
  const previousStatus = await inEnvironment(options, async (database) => {
    const end = { executionId, status: 'CANCELLED', now: new Date() } as const;
    const cancelled = await database.transaction().execute((transaction) => endWithEvent(transaction, end));
    return cancelled ? 'RUNNING' : statusOfExecution(database, id);
  });
  if (previousStatus === undefined) throw notFound('execution', id, options.environment);
  if (previousStatus !== 'RUNNING' && previousStatus !== 'CANCELLED') {
    throw new CommandError(`The execution has already ended with status ${previousStatus}.`);
  }
  if (options.json) printJson({ id, status: 'CANCELLED' });
  else console.error(`The execution ${previousStatus === 'RUNNING' ? 'is' : 'was already'} cancelled.`);
}

const formatSecond = (timestamp: Date) => timestamp.toISOString().slice(0, 19).replace('T', ' ');
