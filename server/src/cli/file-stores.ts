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

/** Runs a function on the files and the database of each environment, which must exist. */
export async function forEachEnvironment<Result>(
  options: StoreOptions,
  { readOnly = false }: { readOnly?: boolean },
  run: (stores: Stores) => Promise<Result>,
): Promise<[EnvironmentName, Result][]> {
  const { dataDir, environment: only } = options;
  const s3 = s3Settings(process.env);
  return withPlatform(options, { readOnly }, async (open) => {
    const results: [EnvironmentName, Result][] = [];
    for (const environment of only ? [only] : environmentNames) {
      const directory = blobDirectory(dataDir, environment);
      if (!s3 && !existsSync(directory)) {
        throw new CommandError(
          `There is no blob store ${directory}: set --data-dir to the platform's data directory.`,
        );
      }
      const database = await open(environment);
      const blobs = await openBlobs({ directory, s3 }, environment);
      results.push([environment, await run({ environment, database, blobs })]);
    }
    return results;
  });
}
