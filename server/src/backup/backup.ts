import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, openLocalBlobs } from '../../blobs/index.ts';
import { ifExists, reasonOf, replaceDurably } from '../../durable-files/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type EnvironmentName, environmentNames } from '../config.ts';
import { copyBlobs } from '../files/copy.ts';
import { demoFilePath } from '../manifest/demo-file.ts';
import { keepDeletedBlobs } from '../store/blobs.ts';
import type { Database, Transaction } from '../store/database.ts';
import {
  type DumpedSequence,
  type DumpedTable,
  dumpedSequences,
  dumpedTables,
  dumpRows,
  prepareDump,
  type SchemaVersion,
  schemaVersion,
} from '../store/dump.ts';
import { BackupError } from './backup-error.ts';
import { manifestName, writeSums } from './checksums.ts';

export const keyName = 'server.key';
export const databaseName = 'database.jsonl';
export const filesDirectory = (directory: string, environment: EnvironmentName) =>
  join(directory, 'files', environment);

/** The description of a backup. */
export interface Manifest {
  format: 1;
  /** The version of the platform that wrote it. */
  release: string;
  /** When the rows were read, ISO 8601. */
  createdAt: string;
  environments: Record<
    EnvironmentName,
    { version: SchemaVersion; sequences: DumpedSequence[]; rows: number; files: number; bytes: number }
  >;
}

/** A line of `database.jsonl`: the table of the lines below, or a row in PostgreSQL's text format. */
export type DumpLine = DumpedTable | string;

export interface BackupOptions {
  /** Must be empty, or not exist. */
  directory: string;
  serverKey: Buffer;
  /** DATA_DIR, of which the tokens of the demo are kept. */
  dataDirectory: string;
  /** A database of both environments, of which one connection is used. */
  database: Database;
  environments: Record<EnvironmentName, { database: Database; blobs: BlobStore }>;
  progress(text: () => string): void;
}

/**
 * Writes a backup: the rows of one moment, then their files, then the key. The platform may run. The directory is readable
 * by its owner only.
 *
 * @throws BackupError
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { directory, serverKey, dataDirectory, database, environments, progress } = options;
  await makeEmptyDirectory(directory);
  return keepDeletedBlobs(database, async (connection) => {
    const result = await connection
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => dump(transaction, options));
    for (const environment of environmentNames) {
      const stores = environments[environment];
      const to = await openLocalBlobs(filesDirectory(directory, environment));
      const copied = await copyBlobs({
        from: stores.blobs,
        to,
        database: stores.database,
        progress: (report) => progress(() => `${environment}: ${report.copied.count} files copied`),
      });
      Object.assign(result.environments[environment], {
        files: copied.copied.count,
        bytes: copied.copied.bytes,
      });
    }
    await replaceDurably(join(directory, keyName), `${serverKey.toString('base64url')}\n`);
    const demo = await ifExists(readFile(demoFilePath(dataDirectory)));
    if (demo) await replaceDurably(demoFilePath(directory), demo);
    await replaceDurably(join(directory, manifestName), `${JSON.stringify(result, null, 2)}\n`);
    await writeSums(directory, (files) => progress(() => `${files} files of the backup hashed`));
    return result;
  });
}

async function makeEmptyDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await mkdir(join(directory, 'files'), { mode: 0o700 });
  } catch (error) {
    throw new BackupError(`The backup cannot be written to ${directory}: ${reasonOf(error)}.`);
  }
  const entries = (await ifExists(readdir(directory))) ?? [];
  if (entries.length > 1) throw new BackupError(`${directory} is not empty: name another directory.`);
}

async function dump(transaction: Transaction, { directory, progress }: BackupOptions): Promise<Manifest> {
  await prepareDump(transaction);
  const described = async (environment: EnvironmentName) => ({
    version: await schemaVersion(transaction, environment),
    sequences: await dumpedSequences(transaction, environment),
    rows: 0,
    files: 0,
    bytes: 0,
  });
  const result: Manifest = {
    format: 1,
    release: manifest.version,
    createdAt: new Date().toISOString(),
    environments: { production: await described('production'), sandbox: await described('sandbox') },
  };
  async function* lines() {
    for (const environment of environmentNames) {
      const own = result.environments[environment];
      for (const table of await dumpedTables(transaction, environment)) {
        yield `${JSON.stringify(table satisfies DumpLine)}\n`;
        for await (const rows of dumpRows(transaction, table)) {
          own.rows += rows.length;
          yield rows.map((row) => `${JSON.stringify(row satisfies DumpLine)}\n`).join('');
          progress(() => `${environment}: ${own.rows} rows written`);
        }
      }
    }
  }
  const file = createWriteStream(join(directory, databaseName), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), file);
  return result;
}
