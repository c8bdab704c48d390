/**
 * Why the embedded server could not start:
 *
 * - `in_use`: another process has the data directory open
 * - `directory`: this user cannot create, write or use the data directory
 * - `version`: the data belongs to another major version of PostgreSQL
 * - `account`: PostgreSQL cannot run as the account in RUN_AS
 * - `binaries`: there is no PostgreSQL for this platform, or it does not run here
 * - `server`: PostgreSQL failed; the message contains its error
 */
type StartFailure = 'in_use' | 'directory' | 'version' | 'account' | 'binaries' | 'server';

/** The embedded server is unavailable. The message is one line that says what the operator can do. */
export class PostgresStartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresStartError';
    this.failure = failure;
  }
}

/** Shortens a system error: "EACCES: permission denied, mkdir …" becomes "permission denied". */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
}
