import { Option } from 'commander';
import { type Json, shortened } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import { formatSecond } from '../console/formats.ts';
import { failureGroups, maxGrouped } from '../store/execution-groups.ts';
import { type ListedExecution, listExecutions } from '../store/execution-list.ts';
import { type ExecutionWait, parametersOf, waitsOf } from '../store/execution-waits.ts';
import { UsageError } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import {
  addExecutionOptions,
  type ExecutionOptions,
  executionCursor,
  executionFilterOf,
} from './execution-filter.ts';
import { type AddCommand, action, type EnvironmentOptions, exclusiveOption, parseLimit } from './options.ts';
import { printJson, printList } from './print.ts';

type ListOptions = EnvironmentOptions &
  ExecutionOptions & { limit?: number; inputs?: true; groupBy?: 'error' };

const defaultLimit = 50;

/** `wrp execution list`. */
export function addListCommand(add: AddCommand): void {
  addExecutionOptions(
    add(
      'list --status FAILED --definition "Claim intake" --since 24h',
      'Lists executions, newest first, with the cause of a failure, or what a running one waits for.',
    ),
  )
    .addOption(
      exclusiveOption(
        '--limit <n>',
        `the maximum number of executions (default: ${defaultLimit})`,
        'groupBy',
      ).argParser(parseLimit),
    )
    .addOption(exclusiveOption('--inputs', 'also show the parameters that they were started with', 'groupBy'))
    .addOption(
      new Option(
        '--group-by <what>',
        `count failed executions by definition, state and error: of the newest ${maxGrouped.toLocaleString('en')}`,
      ).choices(['error']),
    )
    .action(action((options: ListOptions) => (options.groupBy ? runGroups(options) : runList(options))));
}

type ShownExecution = ListedExecution & { waitingFor: ExecutionWait | null; parameters?: Json | undefined };

async function runList(options: ListOptions): Promise<void> {
  const { environment, json, limit = defaultLimit, inputs = false } = options;
  const { content, next } = await inEnvironment(options, async (database) => {
    const { filter, after } = await executionFilterOf(database, options);
    const page = await listExecutions(database, filter, { after, size: limit });
    const idsOf = (executions: ListedExecution[]) => executions.map(({ id }) => id);
    const waits = await waitsOf(database, idsOf(page.content.filter(({ status }) => status === 'RUNNING')));
    const parameters = inputs ? await parametersOf(database, idsOf(page.content)) : undefined;
    const shown = page.content.map((execution): ShownExecution => {
      const { id } = execution;
      const waitingFor = waits.get(id) ?? null;
      return { ...execution, waitingFor, ...(parameters && { parameters: parameters.get(id) ?? null }) };
    });
    return { ...page, content: shown };
  });
  const nextCursor = next && executionCursor(options, next);
  if (json) return printJson({ content, nextCursor });
  printList(content, {
    json: undefined,
    empty: noneIn(environment, next),
    columns: {
      ID: ({ id }) => id,
      DEFINITION: ({ name }) => name,
      REVISION: ({ revision }) => revision,
      STATUS: ({ status }) => status,
      STARTED: ({ createdAt }) => formatSecond(createdAt),
      ENDED: ({ endedAt }) => (endedAt ? formatSecond(endedAt) : '-'),
      ERROR: ({ error }) => error ?? '-',
      CAUSE: ({ cause, waitingFor }) =>
        shortened((waitingFor ? describeWait(waitingFor) : cause) || '-', listedLength),
      ...(inputs && {
        PARAMETERS: ({ parameters }: ShownExecution) => shortened(JSON.stringify(parameters), listedLength),
      }),
    },
  });
  if (!next) return;
  const searched =
    content.length < limit ? `Searched as far as ${next.createdAt.toISOString()} and stopped. ` : '';
  console.error(`${searched}For the next page, add --after ${nextCursor}`);
}

const noneIn = (environment: EnvironmentName, next: object | undefined) =>
  `There are no matching executions in ${environment}${next ? ' among those searched' : ''}.`;

/** Characters of a cause, a wait or parameters in the list. */
const listedLength = 60;

function describeWait({ kind, resource, host, until }: ExecutionWait): string {
  const by = until ? ` until ${formatSecond(until)}` : '';
  switch (kind) {
    case 'call':
      return `waits for a call to ${host ?? resource}`;
    case 'callback':
      return `waits for a callback${host ? ` of ${host}` : ''}${by}`;
    case 'timer':
      return `waits${by}`;
    case 'retry':
      return `waits to retry${by}`;
    case 'threads':
      return 'waits for its threads';
    case 'resumption':
      return 'suspended: the definition is paused';
  }
}

async function runGroups(options: ListOptions): Promise<void> {
  const { environment, json, status } = options;
  if (status !== undefined && status !== 'FAILED')
    throw new UsageError('--group-by counts executions with status FAILED.');
  const { groups, grouped, next } = await inEnvironment(options, async (database) => {
    const { filter, after } = await executionFilterOf(database, options);
    return failureGroups(database, filter, { after });
  });
  const nextCursor = next && executionCursor(options, next);
  if (json) return printJson({ groups, grouped, nextCursor });
  printList(groups, {
    json: undefined,
    empty: noneIn(environment, next),
    columns: {
      COUNT: ({ count }) => count,
      DEFINITION: ({ name }) => name,
      STATE: ({ state }) => state ?? '-',
      ERROR: ({ error }) => error,
      'FIRST ENDED': ({ firstEndedAt }) => formatSecond(firstEndedAt),
      'LAST ENDED': ({ lastEndedAt }) => formatSecond(lastEndedAt),
      EXAMPLE: ({ exampleId }) => exampleId,
      WORKSPACE: ({ workspace }) => workspace.name,
    },
  });
  if (!next) return;
  const limited =
    grouped < maxGrouped
      ? `Searched as far as ${next.createdAt.toISOString()} and stopped.`
      : `These are the first ${grouped.toLocaleString('en')} that match.`;
  console.error(`${limited} For the next ones, add --after ${nextCursor}`);
}
