import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { Option } from 'commander';
import type { Json } from '../../json/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { openJobs } from '../jobs/jobs.ts';
import { openLogger } from '../observability/logger.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { cancelExecution } from '../workflows/ending.ts';
import { describeRefusal, retryExecution } from '../workflows/retry.ts';
import { CommandError, notFound, parseId } from './command-error.ts';
import { inEnvironment, withPlatform } from './connect.ts';
import { type AddCommand, action, type EnvironmentOptions, fromWorkingDirectory } from './options.ts';
import { printJson } from './print.ts';

type RetryOptions = EnvironmentOptions & { revision?: 'newest'; input?: string };

/** `wrp execution retry` and `wrp execution cancel`. */
export function addExecutionChanges(add: AddCommand): void {
  add(
    'retry 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01 --revision newest',
    'Continues a failed execution from the states that failed. What succeeded is kept.',
  )
    .argument('<id>')
    .addOption(
      new Option('--revision <revision>', "continue with the definition's newest revision").choices([
        'newest',
      ]),
    )
    .option('--input <file|->', 'a JSON file with the input of the failed state, or standard input')
    .action(action(runRetry));
  add(
    'cancel 6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01',
    'Cancels a running execution, as POST /workflows/{workflowId}/cancel does.',
  )
    .argument('<id>')
    .action(action(runCancel));
}

async function runRetry(id: string, options: RetryOptions): Promise<void> {
  const executionId = parseId('execution', id, options);
  const input = options.input === undefined ? undefined : await readInput(options.input);
  const retry = { executionId, by: operatorName(), newest: options.revision === 'newest', input };
  const outcome = await withJobs(options, async (database, jobs) =>
    retryExecution({ database, jobs, now: await databaseTime(database) }, retry),
  );
  if (outcome.kind === 'unknown') throw notFound('execution', id, options.environment);
  if (outcome.kind !== 'retried' && outcome.kind !== 'running')
    throw new CommandError(describeRefusal(outcome));
  if (options.json) return printJson({ id: executionId, ...outcome, status: 'RUNNING' });
  console.error(
    outcome.kind === 'running'
      ? 'The execution is already running.'
      : `The execution runs again, with revision ${outcome.revision}.`,
  );
}

async function readInput(file: string): Promise<Json> {
  const text =
    file === '-' ? await textOf(process.stdin) : await readFile(fromWorkingDirectory(file), 'utf8');
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new CommandError(`The input is not JSON: ${(error as Error).message}.`);
  }
}

/** Who runs the command, for the history. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // The account has no name, as in some containers.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Opens an environment, and its job queue to add jobs. */
export function withJobs<T>(
  options: EnvironmentOptions,
  use: (database: Database, jobs: Jobs) => Promise<T>,
): Promise<T> {
  const { environment } = options;
  return withPlatform(options, {}, async (open, connection) => {
    const database = await open(environment);
    const logger = openLogger('silent');
    const jobs = await openJobs({
      connection,
      schema: `${environment}_jobs`,
      logger,
      works: false,
      connections: 1,
    });
    try {
      return await use(database, jobs);
    } finally {
      await jobs.stop();
    }
  });
}

async function runCancel(id: string, options: EnvironmentOptions): Promise<void> {
  const executionId = parseId('execution', id, options);
  const status = await inEnvironment(options, async (database) => {
    const now = await databaseTime(database);
    return database.transaction().execute((transaction) => cancelExecution(transaction, executionId, now));
  });
  if (status === undefined) throw notFound('execution', id, options.environment);
  if (status !== 'RUNNING' && status !== 'CANCELLED') {
    throw new CommandError(`The execution has already ended with status ${status}.`);
  }
  if (options.json) printJson({ id: executionId, status: 'CANCELLED' });
  else console.error(`The execution ${status === 'RUNNING' ? 'is' : 'was already'} cancelled.`);
}
