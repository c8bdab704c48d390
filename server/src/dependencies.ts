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
import type { OnStatement } from './store/named-client.ts';

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

/** How the dependencies are opened. */
export interface OpeningOptions {
  config: Config;
  logger: Logger;
  /** Is told what takes long. */
  progress(line: string): void;
  now(): Date;
  /** Is told of every statement of either environment. */
  onStatement?: OnStatement | undefined;
}

/** While it goes on: what is open already, to be ended in the reverse order. */
interface Opening extends OpeningOptions {
  opened: (() => Promise<unknown>)[];
}

/**
 * Opens everything that the platform needs from outside its process: database, files, jobs, keys.
 *
 * @throws an error with one line for the operator; nothing is left open
 */
export async function openDependencies(options: OpeningOptions): Promise<Dependencies> {
  const { config } = options;
  const opening: Opening = { ...options, opened: [] };
  const close = async () => {
    for (const end of opening.opened.splice(0).reverse()) await end();
  };
  try {
    const connection = await openServer(opening);
    const serverKey = await openServerKey(config.dataDirectory, config.serverKey);
    const environments = await Promise.all(
      environmentNames.map((name) => openEnvironment(name, connection, opening)),
    );
    return { environments, serverKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServer({ config, logger, progress, opened }: Opening): Promise<string> {
  const { dataDirectory, databaseUrl } = config;
  if (databaseUrl) return databaseUrl;
  const log = (line: string) => logger.debug({ line }, 'postgres');
  const server: PostgresServer = await startPostgres({ dataDirectory, log, progress });
  opened.push(() => server.stop());
  return server.connectionString;
}

async function openEnvironment(
  name: EnvironmentName,
  connection: string,
  { config, logger, opened, now, onStatement }: Opening,
): Promise<EnvironmentDependencies> {
  await migrate({ connection, schema: name });
  const onConnectionLost = (error: Error) =>
    logger.warn({ err: error, environment: name }, 'connection lost');
  const observed = onStatement ? { onStatement } : {};
  const database = openDatabase({ connection, schema: name, onConnectionLost, ...observed });
  opened.push(() => database.destroy());
  const blobs = await openLocalBlobs(join(config.dataDirectory, 'blobs', name));
  const jobs = await openJobs({ connection, schema: `${name}_jobs`, logger });
  opened.push(() => jobs.stop());
  const { identityProviderUrl } = config;
  await jobs.work(workers({ database, blobs, identityProviderUrl, now }));
  return { name, database, blobs, jobs };
}
