import { Command, Option } from 'commander';
import type { Database } from '../store/database.ts';
import { listDefinitions } from '../store/definitions.ts';
import { describeExecution, listExecutions } from '../store/execution-list.ts';
import { statusOfExecution } from '../store/executions.ts';
import { historyOf, liveThreads } from '../store/history.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { endAndTell } from '../workflows/ending.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { printTimeline } from './execution-timeline.ts';
import { countOf, environmentOption } from './options.ts';
import { printJson, printTable } from './print.ts';

const statuses: ExecutionStatus[] = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'];

/** `wrp execution`: what runs, what it has done, and its end. */
export function executionCommand(): Command {
  const environment = () => environmentOption('where').default('production');
  const example = (text: string) => `\nExample:\n  $ wrp execution ${text}`;
  const list = new Command('list')
    .description('Lists executions, the newest first.')
    .addOption(new Option('--status <status>', 'only those that are so').choices(statuses))
    .option('--definition <name|id>', 'only of this definition')
    .option('--limit <n>', 'this many at most', countOf, 50)
    .addOption(environment())
    .addHelpText('after', example('list --status RUNNING'))
    .action((_options: unknown, command: Command) => runList(command.optsWithGlobals()));
  const show = new Command('show')
    .description('Shows an execution: its states in their order, with times, inputs and outputs.')
    .argument('<id>')
    .option('--full', 'inputs and outputs as long as they are')
    .addOption(environment())
    .addHelpText('after', example('show 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01 --json'))
    .action((id: string, _options: unknown, command: Command) => runShow(id, command.optsWithGlobals()));
  const cancel = new Command('cancel')
    .description('Cancels a running execution, as POST /workflows/{workflowId}/cancel does.')
    .argument('<id>')
    .addOption(environment())
    .addHelpText('after', example('cancel 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01'))
    .action((id: string, _options: unknown, command: Command) => runCancel(id, command.optsWithGlobals()));
  return new Command('execution')
    .description('Executions of workflow definitions: what runs, and what it has done.')
    .addCommand(list)
    .addCommand(show)
    .addCommand(cancel)
    .addHelpText('after', example('list --status FAILED').replace('Example:', 'Examples:'));
}

async function runList(
  options: EnvironmentOptions & { status?: ExecutionStatus; definition?: string; limit: number },
): Promise<void> {
  const entries = await inEnvironment(options, async (database) => {
    const listed = await listExecutions(database, options);
    if (listed.length === 0 && options.definition !== undefined) {
      await expectDefinition(database, options.definition, options);
    }
    return listed;
  });
  if (options.json) return printJson(entries);
  if (entries.length === 0)
    return void console.error(`There are no such executions in ${options.environment}.`);
  printTable(
    ['ID', 'DEFINITION', 'REVISION', 'STATUS', 'STARTED', 'ENDED', 'ERROR'],
    entries.map(({ id, name, revision, status, createdAt, endedAt, error }) => [
      ...[id, name, revision, status, secondOf(createdAt), endedAt ? secondOf(endedAt) : '-', error ?? '-'],
    ]),
  );
}

/** An execution keeps the name that its definition had: the definition may be called otherwise by now. */
async function expectDefinition(
  database: Database,
  reference: string,
  { environment }: EnvironmentOptions,
): Promise<void> {
  const definitions = await listDefinitions(database);
  if (definitions.some(({ id, name }) => id === reference || name === reference)) return;
  const [former] = await listExecutions(database, { definition: reference, limit: 1 });
  if (!former) throw noSuch('definition', reference, environment);
}

async function runShow(id: string, options: EnvironmentOptions & { full?: true }): Promise<void> {
  const shown = await inEnvironment(options, async (database) => {
    const execution = await describeExecution(database, idOf(id, 'execution', options));
    if (!execution) throw noSuch('execution', id, options.environment);
    return { execution, history: await historyOf(database, id), threads: await liveThreads(database, id) };
  });
  if (options.json) printJson(shown);
  else printTimeline(shown, { full: options.full === true });
}

async function runCancel(id: string, options: EnvironmentOptions): Promise<void> {
  const status = await inEnvironment(options, async (database) => {
    const ending = {
      executionId: idOf(id, 'execution', options),
      status: 'CANCELLED' as const,
      now: new Date(),
    };
    const ended = await database.transaction().execute((transaction) => endAndTell(transaction, ending));
    return ended ? undefined : ((await statusOfExecution(database, id)) ?? 'unknown');
  });
  if (status === 'unknown') throw noSuch('execution', id, options.environment);
  if (status !== undefined && status !== 'CANCELLED') {
    throw new CommandError(`The execution has already ended as ${status}.`);
  }
  if (options.json) printJson({ id, status: 'CANCELLED' });
  else console.error(status ? 'The execution was cancelled before.' : 'The execution is cancelled.');
}

const secondOf = (moment: Date) => moment.toISOString().slice(0, 19).replace('T', ' ');
