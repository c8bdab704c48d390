import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

/** Where PostgreSQL quotes values of rows, e-mail addresses among them. */
const quoting: ReadonlySet<string> = new Set(['detail', 'where', 'internalQuery']);

/**
 * The platform's log: one JSON object a line.
 *
 * @param destination standard output unless told otherwise
 */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['headers.authorization', 'connectionString'],
    serializers: { err: (error: Error) => withoutRows(stdSerializers.err(error)) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error as it is logged, with those in it: of what failed nothing but the rows' values is kept back. */
function withoutRows(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(withoutRows);
  if (typeof error !== 'object' || error === null || !('stack' in error)) return error;
  const kept = Object.entries(error).filter(([name]) => !quoting.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutRows(value)]));
}
