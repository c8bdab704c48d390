import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type BlobStore, openLocalBlobs } from '../../blobs/index.ts';
import { reasonOf } from '../../durable-files/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type EnvironmentName, environmentNames } from '../config.ts';
import { adoptBlobs } from '../files/binding.ts';
import { copyBlobs } from '../files/copy.ts';
import { bindServerKey, serverKeyOf } from '../security/server-key.ts';
import type { Database, Transaction } from '../store/database.ts';
import {
  type DumpedTable,
  dumpedTables,
  insertRows,
  prepareDump,
  schemaVersion,
  setSequence,
  suspendConstraints,
} from '../store/dump.ts';
import { type DumpLine, databaseName, filesDirectory, keyName, type Manifest } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { checkSums, manifestName, sumsName } from './checksums.ts';
import { linesOf } from './lines.ts';

/** Bytes of rows that are inserted together. */
const batchLength = 4 << 20;

interface Backup {
  directory: string;
  manifest: Manifest;
  serverKey: Buffer;
}

/**
 * Opens a backup and checks all of its bytes.
 *
 * @throws BackupError if it is incomplete, damaged or of another release
 */
export async function openBackup(directory: string, progress: (text: () => string) => void): Promise<Backup> {
  const read = (name: string) =>
    readFile(join(directory, name), 'utf8').catch((error: unknown) => {
      throw new BackupError(`${directory} is not a complete backup: ${name}: ${reasonOf(error)}.`);
    });
  await read(sumsName);
  await checkSums(directory, (files) => progress(() => `${files} files of the backup checked`));
  const found = JSON.parse(await read(manifestName)) as Manifest;
  if (found.format !== 1 || found.release !== manifest.version) {
    throw new BackupError(
      `The backup is of release ${found.release}, and this is ${manifest.version}: restore it with release ${found.release}, then upgrade.`,
    );
  }
  const serverKey = Buffer.from((await read(keyName)).trim(), 'base64url');
  return { directory, manifest: found, serverKey };
}

interface RestoreOptions {
  backup: Backup;
  /** Of both environments, whose tables are empty or hold nothing that matters. */
  database: Database;
  environments: Record<EnvironmentName, { database: Database; blobs: BlobStore }>;
  progress(text: () => string): void;
}

/** Restores the rows in one transaction, then the files, and binds them to each other under a new id. */
export async function restoreBackup({
  backup,
  database,
  environments,
  progress,
}: RestoreOptions): Promise<void> {
  const { directory, manifest: described } = backup;
  await database.transaction().execute(async (transaction) => {
    await prepareDump(transaction);
    await restoreRows(transaction, backup, progress);
  });
  for (const environment of environmentNames) {
    const own = environments[environment];
    await bindServerKey(own.database, environment, serverKeyOf(backup.serverKey));
    const from = await openLocalBlobs(filesDirectory(directory, environment));
    const { files } = described.environments[environment];
    await copyBlobs({
      from,
      to: own.blobs,
      database: own.database,
      progress: ({ copied }) => progress(() => `${environment}: ${copied.count} of ${files} files restored`),
    });
    await adoptBlobs(own, true);
  }
}

async function restoreRows(
  transaction: Transaction,
  { directory, manifest: described }: Backup,
  progress: RestoreOptions['progress'],
): Promise<void> {
  const tables = new Map<string, DumpedTable>();
  const resumes: (() => Promise<void>)[] = [];
  for (const environment of environmentNames) {
    const { version } = described.environments[environment];
    if (!isDeepStrictEqual(version, await schemaVersion(transaction, environment)))
      throw new BackupError(`The tables of the backup are not those of this build of ${manifest.version}.`);
    const own = await dumpedTables(transaction, environment);
    for (const table of own) tables.set(keyOf(table), table);
    resumes.push(await suspendConstraints(transaction, environment, own));
  }
  const { production, sandbox } = described.environments;
  let rows = 0;
  for await (const { table, lines } of batchesIn(join(directory, databaseName))) {
    if (!isDeepStrictEqual(table, tables.get(keyOf(table))))
      throw new BackupError(`The columns of ${keyOf(table)} are not those of this release.`);
    await insertRows(transaction, table, lines);
    rows += lines.length;
    progress(() => `${rows} of ${production.rows + sandbox.rows} rows restored`);
  }
  for (const sequence of [...production.sequences, ...sandbox.sequences])
    await setSequence(transaction, sequence);
  for (const resume of resumes) await resume();
}

const keyOf = ({ schema, table }: DumpedTable) => `${schema}.${table}`;

async function* batchesIn(path: string): AsyncIterable<{ table: DumpedTable; lines: string[] }> {
  let table: DumpedTable | undefined;
  let lines: string[] = [];
  let length = 0;
  for await (const text of linesOf(path)) {
    const line = JSON.parse(text) as DumpLine;
    const isRow = typeof line === 'string';
    if (table && lines.length > 0 && (!isRow || length > batchLength || lines.length === 2_000)) {
      yield { table, lines };
      lines = [];
      length = 0;
    }
    if (isRow) {
      lines.push(line);
      length += line.length;
    } else table = line;
  }
  if (table && lines.length > 0) yield { table, lines };
}
