import pg from 'pg';
import { BlobBindingError } from '../blobs/binding.ts';
import { ConfigError } from '../config.ts';
import { PlatformFileError } from '../manifest/problems.ts';
import { PostgresStartError } from '../postgres/start-error.ts';
import { isUnavailable } from '../store/failures.ts';
import { MigrationError } from '../store/migrate.ts';

/** A command that cannot do what it was asked to, in one line for the person who asked. */
export class CommandError extends Error {}

const forPeople = [
  CommandError,
  BlobBindingError,
  ConfigError,
  PlatformFileError,
  PostgresStartError,
  MigrationError,
];

/** What to tell of a failure: never a stack, and never a connection string, which may hold a password. */
export function explanationOf(error: unknown): string {
  if (forPeople.some((kind) => error instanceof kind)) return (error as Error).message;
  if (isUnavailable(error)) return `The database cannot be reached: ${reason(error)}.`;
  if (error instanceof pg.DatabaseError && error.code === '42P01') {
    return 'The database has no tables yet: start the platform once, or apply without --dry-run.';
  }
  if (error instanceof pg.DatabaseError) return `The database refused: ${reason(error)}.`;
  return reason(error);
}

function reason(error: unknown): string {
  // Of several addresses that all failed, Node tells in a list.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const message = (error as Error).message || (first as Error | undefined)?.message || String(error);
  return message.split('\n', 1).join().replace(/\.$/, '');
}
