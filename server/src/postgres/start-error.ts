/**
 * Why the embedded server could not be started:
 *
 * - `in_use`: another process has the data directory open
 * - `directory`: the data directory cannot be made, written or used by this user
 * - `version`: the data belongs to another major version of PostgreSQL
 * - `account`: RUN_AS names no account that PostgreSQL can run as
 * - `binaries`: there is no PostgreSQL for this platform, or it does not run here
 * - `server`: PostgreSQL itself gave up; the message carries its own words
 */
export type StartFailure = 'in_use' | 'directory' | 'version' | 'account' | 'binaries' | 'server';

/** The embedded server cannot be had. The message is one line that the person who starts it can act on. */
export class PostgresStartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresStartError';
    this.failure = failure;
  }
}

/** The operating system's reason in a few words: "permission denied" out of "EACCES: permission denied, mkdir …". */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
}
