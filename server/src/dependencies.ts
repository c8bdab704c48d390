import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import { openLocalBlobs } from './blobs/local.ts';
import { type Config, type EnvironmentName, environmentNames } from './config.ts';
import { type JobQueue, openJobs } from './jobs/jobs.ts';
import { workers } from './jobs/workers.ts';
import { type PostgresServer, startPostgres } from './postgres/server.ts';
import { openServerKey } from './server-key.ts';
import { type Database, openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';

/** What one environment works with; nothing of it is shared with the other. */
export interface EnvironmentDependencies {
  name: EnvironmentName;
  database: Database;
  blobs: BlobStore;
  jobs: JobQueue;
}

export interface Dependencies {
  environments: EnvironmentDependencies[];
  serverKey: Buffer;
  /** Ends everything that was opened, in the reverse order. */
  close(): Promise<void>;
}

/**
 * Opens everything that the platform needs from outside its process: database, files, jobs, keys.
 *
 * @param progress is told what takes long
 * @throws an error with one line for the operator; nothing is left open
 */
export async function openDependencies(
  config: Config,
  logger: Logger,
  progress: (line: string) => void,
  now: () => Date,
): Promise<Dependencies> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    const connection = await openServer(config, logger, progress, opened);
    const serverKey = await openServerKey(config.dataDirectory, config.serverKey);
    const environments = await Promise.all(
      environmentNames.map((name) => openEnvironment({ name, connection, config, logger, opened, now })),
    );
    return { environments, serverKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServer(
  { dataDirectory, databaseUrl }: Config,
  logger: Logger,
  progress: (line: string) => void,
  opened: (() => Promise<unknown>)[],
): Promise<string> {
  if (databaseUrl) return databaseUrl;
  const log = (line: string) => logger.debug({ line }, 'postgres');
  const server: PostgresServer = await startPostgres({ dataDirectory, log, progress });
  opened.push(() => server.stop());
  return server.connectionString;
}

async function openEnvironment({
  name,
  connection,
  config,
  logger,
  opened,
  now,
}: {
  name: EnvironmentName;
  connection: string;
  config: Config;
  logger: Logger;
  opened: (() => Promise<unknown>)[];
  now(): Date;
}): Promise<EnvironmentDependencies> {
  await migrate({ connection, schema: name });
  const onConnectionLost = (error: Error) =>
    logger.warn({ err: error, environment: name }, 'connection lost');
  const database = openDatabase({ connection, schema: name, onConnectionLost });
  opened.push(() => database.destroy());
  const blobs = await openLocalBlobs(join(config.dataDirectory, 'blobs', name));
  const jobs = await openJobs({ connection, schema: `${name}_jobs`, logger });
  opened.push(() => jobs.stop());
  const { identityProviderUrl } = config;
  await jobs.work(workers({ database, blobs, identityProviderUrl, now }));
  return { name, database, blobs, jobs };
}
