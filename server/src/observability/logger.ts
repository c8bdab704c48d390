import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { lineFields } from '../tracing/trace.ts';

/** Fields in which PostgreSQL quotes row values, such as e-mail addresses. */
const quoting: ReadonlySet<string> = new Set(['detail', 'where', 'internalQuery']);

/**
 * The log of the platform: one JSON object per line.
 *
 * @param destination default: standard output
 */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { host: hostname(), pid: process.pid },
    // Every line of a request or job has its trace and identifiers.
    mixin: lineFields,
    redact: ['headers.authorization', 'connectionString'],
    serializers: { err: (error: Error) => withoutRows(stdSerializers.err(error)) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Serializes an error and its causes, without row values and without objects of libraries, such as connections. */
function withoutRows(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(withoutRows);
  if (typeof error !== 'object' || error === null) return error;
  if (!('stack' in error)) return undefined;
  const kept = Object.entries(error).filter(([name]) => !quoting.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutRows(value)]));
}
