import type { Json } from '../../json/index.ts';
import { type Jobs, openJobs } from '../jobs/jobs.ts';
import { openLogger } from '../observability/logger.ts';
import { changeAsOperator } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { cancelExecution } from '../workflows/ending.ts';
import { describeRefusal, failHint, type RetryOutcome, retryExecution } from '../workflows/retry.ts';
import { CommandError, notFound, parseId, UsageError } from './command-error.ts';
import { operatorOrigin, withPlatform } from './connect.ts';
import { addBulkOptions, type BulkOptions, changeAll, isBulk } from './execution-bulk.ts';
import { readInput } from './input-file.ts';
import { type AddCommand, action, type EnvironmentOptions } from './options.ts';
import { printable, printJson } from './print.ts';

type RetryOptions = BulkOptions & { newestRevision?: true; input?: string };

/** `wrp execution retry` and `wrp execution cancel`. */
export function addExecutionChanges(add: AddCommand): void {
  const retry = add(
    'retry --status FAILED --definition "Claim intake" --since 24h --dry-run',
    'Continues a failed execution, or all that match, from the states that failed. What succeeded is kept.',
  ).argument('[id]', 'the execution; otherwise the options select some');
  addBulkOptions(retry)
    .option('--newest-revision', "continue with the definition's newest revision")
    .option(
      '--input <file|->',
      'a JSON file with the whole input of the failed state, which `execution show` prints, or standard input',
    )
    .action(action(runRetry));
  const cancel = add(
    'cancel --status RUNNING --definition "Claim intake" --until 2026-11-30 --dry-run',
    'Cancels a running execution, or all that match, as POST /workflows/{workflowId}/cancel does.',
  ).argument('[id]', 'the execution; otherwise the options select some');
  addBulkOptions(cancel).action(action(runCancel));
}

async function runRetry(id: string | undefined, options: RetryOptions): Promise<void> {
  const all = isBulk(id, options);
  if (all && options.input !== undefined) throw new UsageError('--input is for one execution.');
  const executionId = id === undefined ? '' : parseId('execution', id, options);
  const input = options.input === undefined ? undefined : await readJson(options.input);
  const how = { newest: options.newestRevision ?? false, input };
  await withJobs(options, async (database, jobs) => {
    const retry = async (each: string) => {
      const now = await databaseTime(database);
      const origin = operatorOrigin(options, now);
      return retryExecution({ database, jobs, now }, { ...how, executionId: each, origin });
    };
    if (!all) return report(await retry(executionId), executionId, options);
    const change = async (each: string) => {
      const { kind } = await retry(each);
      return { kind, refused: kind === 'no_checkpoint' || kind === 'state_missing' };
    };
    await changeAll(database, options, { status: 'FAILED', done: 'retried', change });
  });
}

function report(outcome: RetryOutcome, id: string, options: EnvironmentOptions): void {
  if (outcome.kind === 'unknown') throw notFound('execution', id, options);
  if (outcome.kind !== 'retried' && outcome.kind !== 'running')
    throw new CommandError(describeRefusal(outcome));
  if (options.json) printJson({ id, ...outcome, status: 'RUNNING' });
  else if (outcome.kind === 'running') console.error('The execution is already running.');
  else
    console.error(
      `The execution runs again, with revision ${outcome.revision}.${printable(failHint(outcome))}`,
    );
}

async function readJson(file: string): Promise<Json> {
  const text = await readInput(file);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new CommandError(`The input is not JSON: ${(error as Error).message}.`);
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

async function runCancel(id: string | undefined, options: BulkOptions): Promise<void> {
  const all = isBulk(id, options);
  const executionId = id === undefined ? '' : parseId('execution', id, options);
  await withPlatform(options, {}, async (open) => {
    const database = await open(options.environment);
    const cancel = async (each: string) => {
      const now = await databaseTime(database);
      return changeAsOperator(database, operatorOrigin(options, now), (transaction) =>
        cancelExecution(transaction, each, now),
      );
    };
    if (!all) return reportCancelled(await cancel(executionId), executionId, options);
    const change = async (each: string) => {
      const status = await cancel(each);
      return { kind: status === 'RUNNING' ? 'cancelled' : 'ended meanwhile' };
    };
    await changeAll(database, options, { status: 'RUNNING', done: 'cancelled', change });
  });
}

function reportCancelled(status: ExecutionStatus | undefined, id: string, options: EnvironmentOptions): void {
  if (status === undefined) throw notFound('execution', id, options);
  if (status !== 'RUNNING' && status !== 'CANCELLED') {
    throw new CommandError(`The execution has already ended with status ${status}.`);
  }
  if (options.json) printJson({ id, status: 'CANCELLED' });
  else console.error(`The execution ${status === 'RUNNING' ? 'is' : 'was already'} cancelled.`);
}
