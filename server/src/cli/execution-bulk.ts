import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { formatSecond } from '../console/formats.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { executionPages, type ListedExecution } from '../store/execution-list.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { CommandError, UsageError } from './command-error.ts';
import { addExecutionOptions, type ExecutionOptions, executionFilterOf } from './execution-filter.ts';
import type { EnvironmentOptions } from './options.ts';
import { jsonOf, printTable, progressPrinter } from './print.ts';

export type BulkOptions = EnvironmentOptions & ExecutionOptions & { dryRun?: true; rate?: number };

/** A change of each execution that matches. */
export interface BulkChange {
  /** Of the executions that it changes. */
  status: ExecutionStatus;
  /** What it did, such as `cancelled`. */
  done: string;
  change(id: string): Promise<BulkOutcome>;
}

/** `refused`: nobody else changed it meanwhile, so that running the command again does not help. */
export interface BulkOutcome {
  kind: string;
  refused?: boolean;
}

const shownAtMost = 20;
const defaultRate = 20;

/** Adds the options with which a command changes all executions that match. */
export function addBulkOptions(command: Command): Command {
  return addExecutionOptions(command)
    .option('--dry-run', 'change nothing: print how many executions match, and the first ones')
    .option('--rate <n>', `how many executions a second, at most (default: ${defaultRate})`, parseRate);
}

function parseRate(text: string): number {
  if (/^(\d{1,4}(\.\d+)?)$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a number above 0 and below 10000.');
}

/**
 * Whether the options select executions, rather than an identifier.
 *
 * @throws UsageError unless it is exactly one of both
 */
export function isBulk(id: string | undefined, options: Partial<BulkOptions>): boolean {
  const isSet = (name: string) => options[name as keyof typeof options] !== undefined;
  const selects = selecting.some(isSet);
  if (id === undefined && !selects)
    throw new UsageError('Name an execution, or select some: --status, --definition, --since, …');
  if (id !== undefined && selects) throw new UsageError('Name an execution or select some, not both.');
  const unused = options.dryRun ? '--dry-run' : options.rate !== undefined && '--rate';
  if (id !== undefined && unused)
    throw new UsageError(`${unused} is for executions that options select: leave it out for one.`);
  return selects;
}

const selecting = addExecutionOptions(new Command()).options.map((option) => option.attributeName());

/**
 * Changes the executions that match, one after another. An interrupted command is continued by running it again: what was
 * changed no longer matches. Executions that end after it began are left out, so that none is changed twice.
 *
 * @throws CommandError if some were refused
 */
export async function changeAll(
  database: Database,
  options: BulkOptions,
  { status, done, change }: BulkChange,
): Promise<void> {
  const { json, dryRun, rate = defaultRate } = options;
  if (options.status !== undefined && options.status !== status)
    throw new UsageError(`Only executions with status ${status} can be ${done}.`);
  const { filter, after } = await executionFilterOf(database, { ...options, status });
  const begun = await databaseTime(database);
  const counts = new Map<string, number>();
  const first: ListedExecution[] = [];
  const progress = progressPrinter(json);
  const started = performance.now();
  let number = 0;
  let refused = 0;
  for await (const { content } of executionPages(database, filter, after)) {
    for (const execution of content) {
      if (execution.endedAt && execution.endedAt >= begun) continue;
      const early = started + (number * 1000) / rate - performance.now();
      if (!dryRun && early > 0) await sleep(early);
      number += 1;
      const outcome = dryRun ? { kind: 'match' } : await change(execution.id);
      counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
      if (outcome.refused) refused += 1;
      if (json) console.log(jsonOf({ id: execution.id, outcome: outcome.kind }));
      else if (first.length < shownAtMost) first.push(execution);
      progress(() => `${describe(counts)} so far …`);
    }
  }
  if (dryRun && !json && number > 0) printExecutions(first, number);
  const message = number === 0 ? 'No execution matches.' : `${describe(counts)}.`;
  if (refused > 0) throw new CommandError(message);
  if (!json) console.error(message);
}

function describe(counts: Map<string, number>): string {
  return [...counts].map(([outcome, count]) => `${count} ${outcome.replaceAll('_', ' ')}`).join(', ');
}

function printExecutions(first: ListedExecution[], number: number): void {
  printTable(
    ['ID', 'DEFINITION', 'REVISION', 'STARTED', 'ERROR'],
    first.map(({ id, name, revision, createdAt, error }) => [
      id,
      name,
      revision,
      formatSecond(createdAt),
      error ?? '-',
    ]),
  );
  if (number > first.length) console.log(`… ${number - first.length} more`);
}
