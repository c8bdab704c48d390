import { type Command, Option } from 'commander';
import { type BlobStore, openBlobs } from '../../blobs/index.ts';
import { blobDirectory, type EnvironmentName, environmentNames, s3Settings } from '../config.ts';
import { adoptBlobs, assertBound } from '../files/binding.ts';
import { type CopyReport, copyBlobs } from '../files/copy.ts';
import { findBlobStoreId } from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { isInUse, withPlatform } from './connect.ts';
import { action, type GlobalOptions } from './options.ts';
import { formatBytes, printJson, printTable } from './print.ts';

type Options = GlobalOptions & { to: 's3' | 'local' };

const progressMilliseconds = 2_000;

const notes = `
Copies the files of both environments between DATA_DIR/blobs and the bucket of S3_BUCKET, quarantine included, and reads
each copy back. Then it binds the copies to the database: the platform refuses the former store from then on. Start it
with S3_BUCKET after a move to S3, and without it after a move to DATA_DIR. The former store is left as it is.
A move can be interrupted and repeated; it copies only what is missing. While the platform runs, the move copies but does
not bind. For a short interruption: move, stop all processes of the platform, move again.

Example:
  $ wrp blobs move --to s3`;

/** `wrp blobs move`. */
export function addMoveCommand(group: Command): void {
  group
    .command('move')
    .description('Copies all files to another store and binds them to the database.')
    .addOption(new Option('--to <store>', 'the new store').choices(['s3', 'local']).makeOptionMandatory())
    .addHelpText('after', notes)
    .action(action(move));
}

interface Move {
  environment: EnvironmentName;
  database: Database;
  from: BlobStore;
  to: BlobStore;
}

async function move(options: Options): Promise<void> {
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
      const report = await copyBlobs({ ...next, progress: json ? () => {} : progressOf(next.environment) });
      reports.push([next.environment, report]);
    }
    const bound = !ranBefore && !(await isInUse(databases));
    if (bound) for (const next of moves) await adoptBlobs({ blobs: next.to, database: next.database });
    if (json) printJson({ bound, environments: Object.fromEntries(reports) });
    else for (const [environment, report] of reports) printReport(environment, report);
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

function progressOf(environment: EnvironmentName): (report: CopyReport) => void {
  let printed = performance.now();
  return ({ copied, present }) => {
    if (performance.now() - printed < progressMilliseconds) return;
    printed = performance.now();
    console.error(
      `${environment}: ${copied.count} files copied (${formatBytes(copied.bytes)}), ${present} there already`,
    );
  };
}

function printReport(environment: EnvironmentName, report: CopyReport): void {
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
