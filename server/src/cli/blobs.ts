import { type Command, Option } from 'commander';
import { type BlobStore, openBlobs } from '../../blobs/index.ts';
import {
  blobDirectory,
  blobQuarantineDays,
  type EnvironmentName,
  environmentNames,
  s3Settings,
} from '../config.ts';
import { formatBytes } from '../domain/bytes.ts';
import { adoptBlobs, assertBound } from '../files/binding.ts';
import { type CopyReport, copyBlobs } from '../files/copy.ts';
import { type SweepMode, type SweepReport, sweepBlobs } from '../files/sweep.ts';
import { openLogger } from '../observability/logger.ts';
import { findBlobStoreId } from '../store/blobs.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { addVerifyCommand } from './blobs-verify.ts';
import { CommandError } from './command-error.ts';
import { isInUse, withPlatform } from './connect.ts';
import { forEachEnvironment, type StoreOptions } from './file-stores.ts';
import { action, environmentOption, type GlobalOptions } from './options.ts';
import { printJson, printTable, progressPrinter } from './print.ts';

type SweepOptions = StoreOptions & { dryRun?: true; confirm?: true };

const sweepNotes = `
The platform sweeps every hour. It removes the files that its database deleted, quarantines those that its database
does not know, and restores those that its database refers to again. Files stay in quarantine for BLOB_QUARANTINE_DAYS
(default: 14), then they are removed.
Files under an hour old are skipped, because their rows may still be written: after a restore, wait for an hour.
A sweep stops before it quarantines more than 1,000 files, or more than 20 if they are over 5 % of all. The usual cause
is that an older database was restored. Restore the newer one, or quarantine the files with --confirm.
Each change is logged as a line of JSON on standard error. Exit status: 1 if a sweep was stopped; 0 after --dry-run.

Examples:
  $ wrp blobs sweep --dry-run
  $ wrp blobs sweep --confirm --environment production`;

const adoptNotes = `
The platform refuses to start on files that belong to another database, and on an empty directory if its database
has stored files before. Check DATA_DIR, S3_BUCKET and DATABASE_URL first. Adopt the files if the settings are correct: for
example, after you restored an old backup that has no marker, or if the files are lost.
Nothing is removed. The database that the files belonged to can no longer be started on them.
A copy of database and files has the id of the originals, so nothing would stop it from starting on the files of the
original. Give it an id of its own with --new-id before its first start.

Example:
  $ wrp blobs adopt && wrp blobs sweep --dry-run`;

/** `wrp blobs`: the files of resources, attachments and results. */
export function addBlobsCommands(program: Command): void {
  const description = 'Stored files: checks and sweeps them, binds them to a database, moves them.';
  const group = program
    .command('blobs')
    .description(description)
    .addHelpText(
      'after',
      '\nExamples:\n  $ wrp blobs verify\n  $ wrp blobs sweep --dry-run\n  $ wrp blobs move --to s3',
    );
  const environment = () => environmentOption('only this environment (default: both)');
  group
    .command('sweep')
    .description('Removes deleted files and quarantines unknown ones, as the platform does every hour.')
    .addOption(new Option('--dry-run', 'show the changes without making them').conflicts('confirm'))
    .option('--confirm', 'quarantine unknown files without a limit')
    .addOption(environment())
    .addHelpText('after', sweepNotes)
    .action(action(sweep));
  group
    .command('adopt')
    .description('Binds the files to the database.')
    .option('--new-id', 'assign a new id even if they are already bound: for a copy of an installation')
    .addOption(environment())
    .addHelpText('after', adoptNotes)
    .action(action(adopt));
  addVerifyCommand(group);
  addMoveCommand(group);
}

async function sweep(options: SweepOptions): Promise<void> {
  const { json, dryRun = false, confirm } = options;
  const mode: SweepMode = dryRun ? 'dry-run' : confirm ? 'confirmed' : 'limited';
  const quarantineDays = blobQuarantineDays(process.env);
  const log = openLogger('info', { write: (line) => process.stderr.write(line) });
  const reports = await forEachEnvironment(
    options,
    { readOnly: dryRun },
    async ({ environment, ...stores }) => {
      const now = await databaseTime(stores.database);
      const logger = log.child({ environment });
      return sweepBlobs({ ...stores, quarantineDays, logger, mode, now });
    },
  );
  if (json) printJson({ dryRun, environments: Object.fromEntries(reports) });
  else for (const [environment, report] of reports) printReport(environment, report);
  if (!reports.some(([, { stopped }]) => stopped)) return;
  const message = 'Too many files are unknown to the database: none is quarantined without --confirm.';
  if (mode === 'limited') throw new CommandError(message);
  console.error(message);
}

async function adopt(options: StoreOptions & { newId?: true }): Promise<void> {
  const outcomes = await forEachEnvironment(options, {}, (stores) => adoptBlobs(stores, options.newId));
  if (options.json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) {
    const verb = outcome === 'adopted' ? 'are now' : 'were already';
    console.error(`The files of ${environment} ${verb} bound to its database.`);
  }
}

function printReport(environment: EnvironmentName, report: SweepReport): void {
  const { stored, deleted, restored, young, unknown, quarantined, expired } = report;
  printTable(
    [environment.toUpperCase(), 'FILES', 'BYTES'],
    [
      ['stored', stored.count, stored.bytes],
      ['deleted: removed', deleted.count, '-'],
      ['unknown', unknown.count, unknown.bytes],
      ['unknown: skipped, under an hour old', young.count, young.bytes],
      ['unknown: quarantined', quarantined.count, quarantined.bytes],
      ['restored from quarantine', restored.count, restored.bytes],
      ['removed from quarantine', expired.count, expired.bytes],
    ],
  );
  console.log();
}

type MoveOptions = GlobalOptions & { to: 's3' | 'local' };

const moveNotes = `
Copies the files of both environments between DATA_DIR/blobs and the bucket of S3_BUCKET, quarantine included, and reads
each copy back. Then it binds the copies to the database: the platform refuses the former store from then on. Start it
with S3_BUCKET after a move to S3, and without it after a move to DATA_DIR. The former store is left as it is.
A move can be interrupted and repeated; it copies only what is missing. While the platform runs, the move copies but does
not bind. For a short interruption: move, stop all processes of the platform, move again.

Example:
  $ wrp blobs move --to s3`;

function addMoveCommand(group: Command): void {
  group
    .command('move')
    .description('Copies all files to another store and binds them to the database.')
    .addOption(new Option('--to <store>', 'the new store').choices(['s3', 'local']).makeOptionMandatory())
    .addHelpText('after', moveNotes)
    .action(action(move));
}

interface Move {
  environment: EnvironmentName;
  database: Database;
  from: BlobStore;
  to: BlobStore;
}

async function move(options: MoveOptions): Promise<void> {
  const { dataDir: dataDirectory, to, json } = options;
  const s3 = s3Settings(process.env);
  if (!s3) throw new CommandError('S3_BUCKET must be set: it is one of the two stores.');
  await withPlatform(options, {}, async (open) => {
    const moves: Move[] = [];
    const databases: Database[] = [];
    for (const environment of environmentNames) {
      const directory = blobDirectory(dataDirectory, environment);
      const inS3 = await openBlobs({ directory, s3 }, environment);
      const local = await openBlobs({ directory, s3: undefined }, environment);
      const stores = to === 's3' ? { from: local, to: inS3 } : { from: inS3, to: local };
      const next = { environment, database: await open(environment), ...stores };
      databases.push(next.database);
      if (!(await isMoved(next))) moves.push(next);
    }
    const ranBefore = await isInUse(databases);
    const reports: [EnvironmentName, CopyReport][] = [];
    for (const next of moves) {
      const report = await copyBlobs({ ...next, progress: copyProgress(next.environment, json) });
      reports.push([next.environment, report]);
    }
    const bound = !ranBefore && !(await isInUse(databases));
    if (bound) for (const next of moves) await adoptBlobs({ blobs: next.to, database: next.database });
    if (json) printJson({ bound, environments: Object.fromEntries(reports) });
    else for (const [environment, report] of reports) printCopy(environment, report);
    if (moves.length === 0)
      return console.error(`The files are in ${to === 's3' ? 'the bucket' : 'DATA_DIR'} already.`);
    if (!bound) {
      throw new CommandError(
        'The files are copied but not bound, because the platform or another client uses the database: stop all processes and repeat the command.',
      );
    }
  });
}

/** @throws CommandError or BlobBindingError if a store has files of another database */
async function isMoved({ database, from, to }: Move): Promise<boolean> {
  const marker = await to.marker.read();
  const stored = await findBlobStoreId(database);
  if (marker !== undefined && stored?.bound && stored.id === marker) return true;
  await assertBound({ blobs: from, database });
  if (marker === undefined) return false;
  throw new CommandError(
    `The blob store ${to.marker.location} has files already, of another database or from before an earlier move: choose another one, or remove it.`,
  );
}

function copyProgress(environment: EnvironmentName, json: true | undefined) {
  const print = progressPrinter(json);
  return ({ copied, present }: CopyReport) =>
    print(
      () =>
        `${environment}: ${copied.count} files copied (${formatBytes(copied.bytes)}), ${present} there already`,
    );
}

function printCopy(environment: EnvironmentName, report: CopyReport): void {
  const { copied, present, quarantined, unknown, damaged } = report;
  printTable(
    [environment.toUpperCase(), 'FILES'],
    [
      [`copied (${formatBytes(copied.bytes)})`, copied.count],
      ['copied before', present],
      ['in quarantine', quarantined],
      ['unknown: quarantined', unknown],
      ['damaged', damaged.length],
    ],
  );
  for (const blobKey of damaged)
    console.error(`${blobKey} does not match its size or digest in the database.`);
  console.log();
}
