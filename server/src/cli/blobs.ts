import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { adoptBlobs } from '../blobs/binding.ts';
import { openLocalBlobs } from '../blobs/local.ts';
import { type SweepMode, type SweepReport, sweepBlobs } from '../blobs/sweep.ts';
import { blobDirectory, blobQuarantineDays, type EnvironmentName, environmentNames } from '../config.ts';
import { openLogger } from '../observability/logger.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { environmentOption, type GlobalOptions } from './options.ts';
import { printJson, printTable } from './print.ts';

type Options = GlobalOptions & { environment?: EnvironmentName };

const sweepNotes = `
The platform sweeps every hour. It removes the files that its database deleted, quarantines those that its database
does not know, and brings back those that its database names again. Files stay in quarantine for BLOB_QUARANTINE_DAYS
(default: 14), then they are removed.
A sweep stops before it quarantines more than 1,000 files, or more than 20 if they are over 5 % of all. Usually an
older database was restored then. Restore the newer one, or quarantine the files with --confirm.
Each change is logged as a line of JSON on standard error. Exit status: 1 if a sweep was stopped; 0 after --dry-run.

Examples:
  $ wrp blobs sweep --dry-run
  $ wrp blobs sweep --confirm --environment production`;

const adoptNotes = `
The platform refuses to start on files that belong to another database, and on an empty directory if its database
has stored files before. Check DATA_DIR and DATABASE_URL first. Adopt the files if they are right: after an old backup
was restored that has no marker, say, or when the files are lost.
Nothing is removed. The database that had the files before can no longer be started on them.

Example:
  $ wrp blobs adopt && wrp blobs sweep --dry-run`;

/** `wrp blobs`: the files behind resources, attachments and results. */
export function blobsCommand(): Command {
  const environment = () => environmentOption('only this environment (default: both)');
  const sweep = new Command('sweep')
    .description('Removes deleted files and quarantines unknown ones, as the platform does every hour.')
    .addOption(new Option('--dry-run', 'show what would change, and change nothing').conflicts('confirm'))
    .option('--confirm', 'quarantine unknown files, however many there are')
    .addOption(environment())
    .addHelpText('after', sweepNotes)
    .action((_options: unknown, command: Command) => runSweep(command.optsWithGlobals()));
  const adopt = new Command('adopt')
    .description('Binds the files in the data directory to the database.')
    .addOption(environment())
    .addHelpText('after', adoptNotes)
    .action((_options: unknown, command: Command) => runAdopt(command.optsWithGlobals()));
  return new Command('blobs')
    .description('Stored files: what becomes of deleted and unknown ones, and whose they are.')
    .addCommand(sweep)
    .addCommand(adopt)
    .addHelpText('after', '\nExamples:\n  $ wrp blobs sweep --dry-run\n  $ wrp blobs adopt');
}

async function runSweep(options: Options & { dryRun?: true; confirm?: true }): Promise<void> {
  const { json, dryRun, confirm } = options;
  const mode: SweepMode = dryRun ? 'dry-run' : confirm ? 'confirmed' : 'limited';
  const quarantineDays = blobQuarantineDays(process.env);
  const log = openLogger('info', { write: (line) => process.stderr.write(line) });
  const reports = await inEach(
    options,
    { readOnly: mode === 'dry-run' },
    async ({ environment, ...opened }) => {
      const logger = log.child({ environment });
      return sweepBlobs({ ...opened, quarantineDays, logger, mode, now: new Date() });
    },
  );
  if (json) printJson({ dryRun: mode === 'dry-run', environments: Object.fromEntries(reports) });
  else for (const [environment, report] of reports) printReport(environment, report);
  if (!reports.some(([, { stopped }]) => stopped)) return;
  const message =
    'Too many files are unknown to the database: a sweep quarantines none of them without --confirm.';
  if (mode === 'limited') throw new CommandError(message);
  console.error(message);
}

async function runAdopt(options: Options): Promise<void> {
  const outcomes = await inEach(options, {}, adoptBlobs);
  if (options.json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) {
    const texts = {
      adopted: 'are bound to its database now',
      was_bound: 'were bound to its database before',
    };
    console.error(`The files of ${environment} ${texts[outcome]}.`);
  }
}

type Opened = Parameters<typeof adoptBlobs>[0] & Pick<Parameters<typeof sweepBlobs>[0], 'blobs'>;

/** Runs `work` on the database and the blob store of each environment that is asked for. */
async function inEach<Result>(
  options: Options,
  expectation: { readOnly?: boolean },
  work: (opened: Opened & { environment: EnvironmentName }) => Promise<Result>,
): Promise<[EnvironmentName, Result][]> {
  const { dataDir, environment: only } = options;
  return withPlatform(options, expectation, async (open) => {
    const results: [EnvironmentName, Result][] = [];
    for (const environment of only ? [only] : environmentNames) {
      const directory = blobDirectory(dataDir, environment);
      if (!existsSync(directory)) {
        throw new CommandError(
          `There is no blob store ${directory}: name the platform's data with --data-dir.`,
        );
      }
      const database = await open(environment);
      const blobs = await openLocalBlobs(directory);
      results.push([environment, await work({ environment, database, blobs })]);
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
