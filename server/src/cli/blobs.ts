import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type BlobStore, openBlobs } from '../../blobs/index.ts';
import {
  blobDirectory,
  blobQuarantineDays,
  type EnvironmentName,
  environmentNames,
  s3Settings,
} from '../config.ts';
import { adoptBlobs } from '../files/binding.ts';
import { type SweepMode, type SweepReport, sweepBlobs } from '../files/sweep.ts';
import { openLogger } from '../observability/logger.ts';
import type { Database } from '../store/database.ts';
import { addMoveCommand } from './blobs-move.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { action, environmentOption, type GlobalOptions } from './options.ts';
import { printJson, printTable } from './print.ts';

type Options = GlobalOptions & { environment?: EnvironmentName };
type SweepOptions = Options & { dryRun?: true; confirm?: true };

const sweepNotes = `
The platform sweeps every hour. It removes the files that its database deleted, quarantines those that its database
does not know, and restores those that its database refers to again. Files stay in quarantine for BLOB_QUARANTINE_DAYS
(default: 14), then they are removed.
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
  const description =
    'Stored files: removes deleted files, quarantines unknown ones, binds files to a database, moves them.';
  const group = program
    .command('blobs')
    .description(description)
    .addHelpText(
      'after',
      '\nExamples:\n  $ wrp blobs sweep --dry-run\n  $ wrp blobs adopt\n  $ wrp blobs move --to s3',
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
  addMoveCommand(group);
}

async function sweep(options: SweepOptions): Promise<void> {
  const { json, dryRun = false, confirm } = options;
  const mode: SweepMode = dryRun ? 'dry-run' : confirm ? 'confirmed' : 'limited';
  const quarantineDays = blobQuarantineDays(process.env);
  const log = openLogger('info', { write: (line) => process.stderr.write(line) });
  const reports = await forEachEnvironment(options, { readOnly: dryRun }, ({ environment, ...stores }) => {
    const logger = log.child({ environment });
    return sweepBlobs({ ...stores, quarantineDays, logger, mode, now: new Date() });
  });
  if (json) printJson({ dryRun, environments: Object.fromEntries(reports) });
  else for (const [environment, report] of reports) printReport(environment, report);
  if (!reports.some(([, { stopped }]) => stopped)) return;
  const message = 'Too many files are unknown to the database: none is quarantined without --confirm.';
  if (mode === 'limited') throw new CommandError(message);
  console.error(message);
}

async function adopt(options: Options & { newId?: true }): Promise<void> {
  const outcomes = await forEachEnvironment(options, {}, (stores) => adoptBlobs(stores, options.newId));
  if (options.json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) {
    const verb = outcome === 'adopted' ? 'are now' : 'were already';
    console.error(`The files of ${environment} ${verb} bound to its database.`);
  }
}

interface Stores {
  environment: EnvironmentName;
  database: Database;
  blobs: BlobStore;
}

async function forEachEnvironment<Result>(
  options: Options,
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

function printReport(environment: EnvironmentName, report: SweepReport): void {
  const { stored, deleted, restored, unknown, quarantined, expired } = report;
  printTable(
    [environment.toUpperCase(), 'FILES', 'BYTES'],
    [
      ['stored', stored.count, stored.bytes],
      ['deleted: removed', deleted.count, '-'],
      ['unknown', unknown.count, unknown.bytes],
      ['unknown: quarantined', quarantined.count, quarantined.bytes],
      ['restored from quarantine', restored.count, restored.bytes],
      ['removed from quarantine', expired.count, expired.bytes],
    ],
  );
  console.log();
}
