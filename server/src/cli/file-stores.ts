import { existsSync } from 'node:fs';
import { type BlobStore, openBlobs } from '../../blobs/index.ts';
import { blobDirectory, type EnvironmentName, environmentNames, s3Settings } from '../config.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import type { GlobalOptions } from './options.ts';

/** The options of a command on the files of one environment, or both. */
export type StoreOptions = GlobalOptions & { environment?: EnvironmentName };

export interface Stores {
  environment: EnvironmentName;
  database: Database;
  blobs: BlobStore;
}

/** @throws CommandError if there is no blob store in the data directory, nor one of S3 in the settings */
export function openStore(dataDir: string, environment: EnvironmentName): Promise<BlobStore> {
  const s3 = s3Settings(process.env);
  const directory = blobDirectory(dataDir, environment);
  if (!s3 && !existsSync(directory)) {
    throw new CommandError(
      `There is no blob store ${directory}: set --data-dir to the platform's data directory.`,
    );
  }
  return openBlobs({ directory, s3 }, environment);
}

/** Runs a function on the files and the database of each environment, which must exist. */
export async function forEachEnvironment<Result>(
  options: StoreOptions,
  { readOnly = false }: { readOnly?: boolean },
  run: (stores: Stores) => Promise<Result>,
): Promise<[EnvironmentName, Result][]> {
  const { dataDir, environment: only } = options;
  return withPlatform(options, { readOnly }, async (open) => {
    const results: [EnvironmentName, Result][] = [];
    for (const environment of only ? [only] : environmentNames) {
      const blobs = await openStore(dataDir, environment);
      const database = await open(environment);
      results.push([environment, await run({ environment, database, blobs })]);
    }
    return results;
  });
}
