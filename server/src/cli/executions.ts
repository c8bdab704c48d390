import { Command, InvalidArgumentError, Option } from 'commander';
import type { EnvironmentName } from '../config.ts';
import type { Database } from '../store/database.ts';
import { describeExecution, listExecutions } from '../store/execution-list.ts';
import { statusOfExecution } from '../store/executions.ts';
import { historyOf, liveThreads } from '../store/history.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { endAndTell } from '../workflows/ending.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { printTimeline } from './execution-timeline.ts';
import { environmentOption, type GlobalOptions } from './options.ts';
import { printJson, printTable } from './print.ts';

type Options = GlobalOptions & { environment: EnvironmentName };

const statuses: ExecutionStatus[] = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  options: Options & { status?: ExecutionStatus; definition?: string; limit: number },
): Promise<void> {
  const entries = await inDatabase(options, (database) => listExecutions(database, options));
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

async function runShow(id: string, options: Options & { full?: true }): Promise<void> {
  const shown = await inDatabase(options, async (database) => {
    const execution = await describeExecution(database, idOf(id, options));
    if (!execution) throw unknown(id, options);
    return { execution, history: await historyOf(database, id), threads: await liveThreads(database, id) };
  });
  if (options.json) printJson(shown);
  else printTimeline(shown, { full: options.full === true });
}

async function runCancel(id: string, options: Options): Promise<void> {
  const status = await inDatabase(options, async (database) => {
    const ending = { executionId: idOf(id, options), status: 'CANCELLED' as const, now: new Date() };
    const ended = await database.transaction().execute((transaction) => endAndTell(transaction, ending));
    return ended ? undefined : ((await statusOfExecution(database, id)) ?? 'unknown');
  });
  if (status === 'unknown') throw unknown(id, options);
  if (status !== undefined && status !== 'CANCELLED') {
    throw new CommandError(`The execution has already ended as ${status}.`);
  }
  if (options.json) printJson({ id, status: 'CANCELLED' });
  else console.error(status ? 'The execution was cancelled before.' : 'The execution is cancelled.');
}

function inDatabase<T>(options: Options, work: (database: Database) => Promise<T>): Promise<T> {
  return withPlatform(options, {}, async (open) => work(await open(options.environment)));
}

function unknown(id: string, { environment }: Options): CommandError {
  return new CommandError(`There is no execution ${id} in ${environment}.`);
}

function idOf(id: string, options: Options): string {
  if (!uuid.test(id)) throw unknown(id, options);
  return id.toLowerCase();
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 99999.');
}

const secondOf = (moment: Date) => moment.toISOString().slice(0, 19).replace('T', ' ');
