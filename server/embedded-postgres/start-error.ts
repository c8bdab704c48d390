/** Why the embedded server could not start. */
type StartFailure =
  /** Another process has the data directory open. */
  | 'in_use'
  /** This user cannot create, write or use the data directory. */
  | 'directory'
  /** The data belongs to another major version of PostgreSQL. */
  | 'version'
  /** PostgreSQL cannot run as the account in RUN_AS. */
  | 'account'
  /** There is no PostgreSQL for this platform, or it does not run here. */
  | 'binaries'
  /** PostgreSQL failed. The message contains its error. */
  | 'server';

/** The embedded server is unavailable. The message is one line that says what the operator can do. */
export class PostgresStartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PostgresStartError';
    this.failure = failure;
  }
}
