import type { Logger } from 'pino';
import { type PostgresServer, startPostgres } from '../../embedded-postgres/index.ts';

/**
 * Waits for the database of DATABASE_URL, or starts the embedded PostgreSQL.
 *
 * @throws an operator error, see `isOperatorError`
 */
export async function openServer({
  config: { databaseUrl, dataDirectory, runAs },
  logger,
  progress,
  onLaunch,
}: {
  config: { databaseUrl: string | undefined; dataDirectory: string; runAs: string | undefined };
  logger: Logger;
  progress(line: string): void;
  /** Called when the process of the embedded PostgreSQL has been started, before it accepts connections. */
  onLaunch?(): void;
}): Promise<Pick<PostgresServer, 'connectionString' | 'stop'>> {
  if (databaseUrl) {
    // Not before: the embedded PostgreSQL starts while the other modules load.
    const { awaitDatabase } = await import('../../postgres-client/index.ts');
    await awaitDatabase(databaseUrl, progress);
    return { connectionString: databaseUrl, stop: async () => {} };
  }
  // A panic ends the server, which is then restarted; a warning is about a restart, or why it failed.
  const log = (line: string) => {
    const level = line.startsWith('PANIC') ? 'error' : line.startsWith('WARNING') ? 'warn' : 'debug';
    logger[level]({ line }, 'postgres');
  };
  return startPostgres({ dataDirectory, runAs, log, progress, onLaunch });
}
