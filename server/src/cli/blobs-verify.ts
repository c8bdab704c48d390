import type { Command } from 'commander';
import type { EnvironmentName } from '../config.ts';
import { formatBytes } from '../domain/bytes.ts';
import { maxListed, type VerifyReport, verifyBlobs } from '../files/verify.ts';
import { CommandError } from './command-error.ts';
import { forEachEnvironment, type StoreOptions } from './file-stores.ts';
import { action, environmentOption } from './options.ts';
import { printJson, printTable, progressPrinter } from './print.ts';

const notes = `
Compares the file store with the database and changes nothing. Lists the rows whose files are missing or have another size,
for instance because an older database was restored and the files were deleted since, and the files over an hour old that
no row names: the sweep quarantines those. With --checksums it also reads all files and lists the rows whose files have
other bytes. Requests for a missing file return 503: restore it from a backup of the files, or delete its row. The platform may run.
Exit status: 1 if files are missing or damaged. Each list has at most ${maxListed} entries.

Examples:
  $ wrp blobs verify
  $ wrp blobs verify --checksums --json`;

/** `wrp blobs verify` */
export function addVerifyCommand(group: Command): void {
  group
    .command('verify')
    .description('Lists rows whose files are missing, and files that no row names.')
    .option('--checksums', 'also read all files and compare their SHA-256')
    .addOption(environmentOption('only this environment (default: both)'))
    .addHelpText('after', notes)
    .action(action(verify));
}

async function verify(options: StoreOptions & { checksums?: true }): Promise<void> {
  const { json, checksums = false } = options;
  const print = progressPrinter(json);
  const reports = await forEachEnvironment(options, { readOnly: true }, ({ environment, ...stores }) => {
    const progress = (verb: string, count: number) => print(() => `${environment}: ${count} files ${verb}`);
    return verifyBlobs({ ...stores, checksums, now: new Date(), progress });
  });
  if (json) printJson({ checksums, environments: Object.fromEntries(reports) });
  else for (const [environment, report] of reports) printReport(environment, report);
  const lost = reports.map(([, { missing, damaged }]) => missing.count + (damaged?.count ?? 0));
  const sum = lost.reduce((all, one) => all + one, 0);
  if (sum > 0) throw new CommandError(`${sum} ${sum === 1 ? 'file is' : 'files are'} missing or damaged.`);
}

function printReport(environment: EnvironmentName, report: VerifyReport): void {
  const { stored, missing, damaged, unknown } = report;
  const findings = [
    ...missing.list.map((row) => ({ problem: 'missing', ...row })),
    ...(damaged?.list ?? []).map((row) => ({ problem: 'damaged', ...row })),
    ...unknown.list.map((blob) => ({ problem: 'unknown', kind: '-', id: '-', ...blob })),
  ];
  const rows = findings.map(({ problem, kind, id, blobKey, size }) => [problem, kind, id, blobKey, size]);
  if (rows.length > 0) printTable(['PROBLEM', 'ROW', 'ID', 'FILE', 'BYTES'], rows);
  const counts = [`${missing.count} missing`, ...(damaged ? [`${damaged.count} damaged`] : [])];
  const found = [...counts, `${unknown.count} unknown`].join(', ');
  console.log(`${environment}: ${stored.count} files (${formatBytes(stored.bytes)}): ${found}`);
}
