import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlaces, type EnvironmentName, isDatabaseUrl } from '../config.ts';
import { usePostgres } from '../postgres/server.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { CommandError } from './command-error.ts';
import type { GlobalOptions } from './options.ts';

/** What a command may presume of the platform it works on. */
export interface Expectation {
  /** Makes the database where there is none yet; without it, a mistyped data directory is told. */
  create?: boolean;
  /** Leaves even the tables as they are. */
  readOnly?: boolean;
}

/**
 * Gives `work` the database of any environment: the one of the platform that runs on the data directory, else its
 * database server is started for as long as the work takes.
 */
export async function withPlatform<T>(
  { dataDir, databaseUrl }: GlobalOptions,
  { create = false, readOnly = false }: Expectation,
  work: (open: (environment: EnvironmentName) => Promise<Database>) => Promise<T>,
): Promise<T> {
  if (databaseUrl) {
    if (!isDatabaseUrl(databaseUrl)) {
      throw new CommandError('The database URL must begin with postgres:// or postgresql://.');
    }
    return withDatabases(databaseUrl, readOnly, work);
  }
  if (!create && !existsSync(join(dataDir, 'postgres'))) {
    throw new CommandError(
      `There is no platform in ${dataDir}: start it once, or name its data with --data-dir.`,
    );
  }
  const { runAs } = dataPlaces(process.env);
  const progress = (line: string) => console.error(line);
  const server = await usePostgres({ dataDirectory: dataDir, runAs, progress });
  try {
    return await withDatabases(server.connectionString, readOnly, work);
  } finally {
    await server.stop();
  }
}

async function withDatabases<T>(
  connection: string,
  readOnly: boolean,
  work: (open: (environment: EnvironmentName) => Promise<Database>) => Promise<T>,
): Promise<T> {
  const opened: Database[] = [];
  try {
    return await work(async (schema) => {
      if (!readOnly) await migrate({ connection, schema });
      const database = openDatabase({ connection, schema, poolSize: 1 });
      opened.push(database);
      return database;
    });
  } finally {
    for (const database of opened) await database.destroy();
  }
}
