import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The platform's log: one JSON object a line.
 *
 * @param destination standard output unless told otherwise
 */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, redact: ['headers.authorization', 'connectionString'] };
  return destination ? pino(options, destination) : pino(options);
}
