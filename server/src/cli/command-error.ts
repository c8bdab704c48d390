import pg from 'pg';
import { isUnavailable } from '../../postgres-client/index.ts';
import { isUuid } from '../domain/identifiers.ts';
import { PlatformFileError } from '../manifest/platform-file.ts';
import { isOperatorError } from '../operator-errors.ts';
import type { NamedTable } from '../store/environments.ts';
import type { EnvironmentOptions } from './options.ts';

/** A command failed. The message is one line for the user. */
export class CommandError extends Error {}

/** The command is not written correctly: exit status 2. */
export class UsageError extends CommandError {}

/** What commands name by an identifier, or by a name, with its table. */
export const objectNouns = {
  'API key': { table: 'api_keys', name: 'key' },
  case: { table: 'cases' },
  definition: { table: 'workflow_definitions', name: 'name' },
  delivery: { table: 'webhook_deliveries' },
  endpoint: { table: 'webhook_endpoints' },
  execution: { table: 'executions' },
  link: { table: 'links' },
  'organization token': { table: 'organization_tokens' },
  resource: { table: 'resources' },
  schedule: { table: 'schedules', name: 'name' },
  user: { table: 'users', name: 'email' },
  workspace: { table: 'workspaces', name: 'name' },
} satisfies Record<string, NamedTable>;
type ObjectNoun = keyof typeof objectNouns;

/** The environment has no such object. Another one may: `describeNotFound` says so. */
export class NotFoundError extends CommandError {
  readonly object: { noun: ObjectNoun; reference: string; options: EnvironmentOptions };

  constructor(message: string, object: NotFoundError['object']) {
    super(message);
    this.object = object;
  }
}

export function notFound(noun: ObjectNoun, reference: string, options: EnvironmentOptions): NotFoundError {
  const message = `There is no ${noun} ${reference} in ${options.environment}.`;
  return new NotFoundError(message, { noun, reference, options });
}

/** Without the reference, which may be a secret. */
export function noSuch(noun: ObjectNoun, reference: string, options: EnvironmentOptions): NotFoundError {
  const message = `There is no such ${noun} in ${options.environment}.`;
  return new NotFoundError(message, { noun, reference, options });
}

/** @throws NotFoundError if `text` is not a UUID, so that nothing has this identifier */
export function parseId(noun: ObjectNoun, text: string, options: EnvironmentOptions): string {
  if (isUuid(text)) return text.toLowerCase();
  throw notFound(noun, text, options);
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
