import pg from 'pg';
import { isUnavailable } from '../../postgres-client/index.ts';
import type { EnvironmentName } from '../config.ts';
import { isUuid } from '../domain/identifiers.ts';
import { PlatformFileError } from '../manifest/platform-file.ts';
import { isOperatorError } from '../operator-errors.ts';
import type { EnvironmentOptions } from './options.ts';

/** A command failed. The message is one line for the user. */
export class CommandError extends Error {}

/** The command is not written correctly: exit status 2. */
export class UsageError extends CommandError {}

export function notFound(noun: string, id: string, environment: EnvironmentName): CommandError {
  return new CommandError(`There is no ${noun} ${id} in ${environment}.`);
}

/** @throws CommandError if `text` is not a UUID, so that nothing has this identifier */
export function parseId(noun: string, text: string, { environment }: EnvironmentOptions): string {
  if (isUuid(text)) return text.toLowerCase();
  throw notFound(noun, text, environment);
}

/** Nothing can be sent to a disabled endpoint. */
export const endpointDisabled = () => new CommandError('The endpoint is disabled: enable it first.');

/** Describes an error without its stack or a connection string, which may contain a password. */
export function describeError(error: unknown): string {
  if (error instanceof CommandError || error instanceof PlatformFileError) return error.message;
  if (isOperatorError(error)) return error.message;
  if (isUnavailable(error)) return `The database cannot be reached: ${reason(error)}.`;
  if (error instanceof pg.DatabaseError && error.code === '42P01') {
    return 'The database has no tables yet: start the platform once, or apply without --dry-run.';
  }
  if (error instanceof pg.DatabaseError) return `The database reported an error: ${reason(error)}.`;
  return reason(error);
}

function reason(error: unknown): string {
  // If a host has several addresses, Node reports an error for each.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const message = (error as Error).message || (first as Error | undefined)?.message || String(error);
  return message.split('\n', 1).join().replace(/\.$/, '');
}
