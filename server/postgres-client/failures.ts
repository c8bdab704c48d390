// https://nodejs.org/api/errors.html#common-system-errors
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

// https://www.postgresql.org/docs/18/errcodes-appendix.html: read-only, as a standby is until it is promoted.
const readOnly = '25006';

// Terminated by an administrator, by a crash of the server, starting up, idle too long, too many connections. Class 08
// (connection exceptions) is tested separately.
const unavailableStates = new Set([readOnly, '57P01', '57P02', '57P03', '57P05', '53300']);

// Errors to which the driver assigns no code.
const driverMessages = [
  /^timeout exceeded when trying to connect/,
  /^Connection terminated/,
  /^timeout expired$/,
  /^Client has encountered a connection error/,
  /^Client was closed and is not queryable/,
  /^Cannot use a pool after calling end/,
  /^driver has already been destroyed/,
];

// No login, no such database or one that accepts nobody, no rights, no schema or table to see for lack of rights, no
// memory or disk, an error of the system.
const refusedStates = /^(?:28|53|58)\w{3}$|^3D000$|^3F000$|^42501$|^42P01$|^55000$/;

/** The database of DATABASE_URL cannot be used. The message is one line, without the password. */
export class DatabaseConnectionError extends Error {}

/** The database is read-only. It has the code of PostgreSQL's own error. */
export class ReadOnlyDatabaseError extends Error {
  override name = 'ReadOnlyDatabaseError';
  code = readOnly;

  constructor() {
    super('it is read-only');
  }
}

/** No connection of the pool became free in time. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';

  constructor() {
    super('No connection to the database became free in time.');
  }
}

/**
 * Whether an error means that the database is unavailable: down, starting, shutting down, read-only, or without a free
 * connection. The client can retry the request. It is unknown whether a COMMIT that failed this way took effect.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseBusyError) return true;
  const { code, syscall } = error as { code?: string; syscall?: string };
  // A missing file has the same code as a missing socket, so only `connect` counts.
  if (syscall === 'connect' || (code !== undefined && networkCodes.has(code))) return true;
  if (code !== undefined && (unavailableStates.has(code) || /^08\w{3}$/.test(code))) return true;
  if (driverMessages.some((message) => message.test(error.message))) return true;
  return isUnavailable(error.cause);
}

/**
 * Whether the database refuses its role, its rights or its resources. An operator has to act; until then, the client can
 * retry the request.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && refusedStates.test(String(error.code))) || isRefused(error.cause);
}

/**
 * Whether a transaction failed and was rolled back because the disk of the database is full. The client can retry the
 * request.
 */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53100';
}

/** Whether PostgreSQL refused a value (class 22, data exception), as it would at every retry. */
export function isDataException(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^22\w{3}$/.test(String(error.code));
}

/**
 * Whether a transaction failed for a reason that is likely gone when it is repeated: a deadlock or serialization failure,
 * or a migration that changed the result columns of a prepared statement.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === '40001' || error.code === '40P01' || isOutdatedStatement(error);
}

/** A migration changed the result columns of a prepared statement: it must be prepared again under another name. */
export function isOutdatedStatement(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}
