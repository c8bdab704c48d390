import { type Command, InvalidArgumentError, Option } from 'commander';
import { cursorOf, type Position, positionOf } from '../domain/cursors.ts';
import { isUuid } from '../domain/identifiers.ts';
import { type TimeOption, timeOfOption, timeOptionIn } from '../domain/time-options.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { type ExecutionFilter, existsNamed } from '../store/execution-filter.ts';
import { type ExecutionStatus, executionStatuses } from '../store/schema.ts';
import { CommandError, notFound, UsageError } from './command-error.ts';
import type { EnvironmentOptions } from './options.ts';

/** The options that select executions, in the order of the help. */
export interface ExecutionOptions {
  status?: ExecutionStatus;
  definition?: string;
  revision?: string;
  workspace?: string;
  record?: string;
  since?: TimeOption;
  until?: TimeOption;
  endedSince?: TimeOption;
  endedUntil?: TimeOption;
  error?: string;
  text?: string;
  after?: string;
}

export const timeOptionNote =
  'a time such as 2026-11-30T08:00:00Z, a date (UTC), or how long ago: 90s, 15m, 24h, 7d';

/** Adds the options that select executions, which are the same for every command. */
export function addExecutionOptions(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'only those with this status').choices(executionStatuses))
    .option('--definition <name|id>', 'only of this definition')
    .option('--revision <revision>', 'only of this revision of --definition')
    .option('--workspace <name|id>', 'only of this workspace')
    .option('--record <id>', 'only about this record', parseUuid)
    .option('--since <time>', `only those that started then or later: ${timeOptionNote}`, parseTimeOption)
    .option('--until <time>', 'only those that started before', parseTimeOption)
    .option(
      '--ended-since <time>',
      'only those that ended then or later; the last to end first',
      parseTimeOption,
    )
    .option('--ended-until <time>', 'only those that ended before; the last to end first', parseTimeOption)
    .option('--error <name>', 'only those that failed with this error')
    .option('--text <text>', 'only those whose parameters contain this text, in upper or lower case')
    .option('--after <cursor>', 'continue after a page, with the same other options');
}

/**
 * The filter of the options, and where to continue.
 *
 * @throws CommandError if they do not fit each other, or if there is no such definition or workspace
 */
export async function executionFilterOf(
  database: Database,
  options: ExecutionOptions & EnvironmentOptions,
): Promise<{ filter: ExecutionFilter; after: Position | undefined }> {
  const { record, since, until, endedSince, endedUntil, after, environment, ...others } = options;
  const { status, definition, revision, workspace, error, text } = others;
  if (revision !== undefined && definition === undefined)
    throw new UsageError('--revision needs --definition.');
  if (workspace !== undefined && !(await existsNamed(database, 'workspaces', workspace)))
    throw notFound('workspace', workspace, options);
  if (definition !== undefined) {
    if (!(await existsNamed(database, 'workflow_definitions', definition)))
      throw notFound('definition', definition, options);
    if (!(await existsNamed(database, 'workflow_definitions', definition, revision)))
      throw new CommandError(`The definition ${definition} has no revision ${revision}.`);
  }
  const position = after === undefined ? undefined : positionOf(scopeOf(options), after);
  if (after !== undefined && !position)
    throw new UsageError('--after is not a cursor of this list: use the options that it was printed for.');
  const now = await databaseTime(database);
  const filter = {
    ...{ status, definition, revision, workspace, recordId: record, error, text },
    ...{ createdSince: timeOfOption(since, now), createdUntil: timeOfOption(until, now) },
    ...{ endedSince: timeOfOption(endedSince, now), endedUntil: timeOfOption(endedUntil, now) },
  };
  return { filter, after: position };
}

/** The value of `--after` with which a command continues. */
export function executionCursor(options: ExecutionOptions, next: Position): string {
  return cursorOf(scopeOf(options), next);
}

/** Tells the cursors of these options from those of others. */
function scopeOf(options: ExecutionOptions): string {
  const { status, definition, revision, workspace, record, since, until, endedSince, endedUntil } = options;
  const { error, text } = options;
  const scope = [
    status,
    definition,
    revision,
    workspace,
    record,
    since,
    until,
    endedSince,
    endedUntil,
    error,
    text,
  ];
  return JSON.stringify(scope);
}

function parseUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

/** Parses a time or a duration of an option. */
export function parseTimeOption(text: string): TimeOption {
  const option = timeOptionIn(text);
  if (option) return option;
  throw new InvalidArgumentError(`It must be ${timeOptionNote}.`);
}
