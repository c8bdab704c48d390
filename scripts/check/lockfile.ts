/** Whether package-lock.json lets `npm ci` install on every supported system, checked without a network. */
import { readFile } from 'node:fs/promises';
import { command, run } from '../command-line/command.ts';

/** Where the project runs. Neither Node nor PostgreSQL is published on npm for Windows on arm64. */
export const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** The parts of package-lock.json, version 3, that are checked. */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

export interface LockedPackage {
  name?: string;
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  bin?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const advice = `
How to fix package-lock.json:
  - npm silently omits an optional package if the registry does not have that version. Pin a version of the package
    that depends on it that is published for every system ("npm view <package> versions" lists them).
  - Then run "npm install --package-lock-only". Do not delete the file first: npm would list this system's packages only.
  - "resolved" names the registry that a package came from. .npmrc omits it; remove the lines.
`;

/** @returns one line for each error: none where the lock file is complete. */
export function lockfileErrors({ packages }: Lockfile): string[] {
  return [...missingPackages(packages), ...unverifiedPackages(packages), ...systemsWithoutNode(packages)];
}

function missingPackages(packages: Lockfile['packages']): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isForOtherSystems(name) && !isLocked(packages, path, name))
      .map(([name, range]) => `${name}@${range} is missing, which ${path || 'package.json'} names.`),
  );
}

/** Resolves as Node does: in the package's own node_modules, then in those of its parent directories. */
function isLocked(packages: Lockfile['packages'], path: string, name: string): boolean {
  if (packages[path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`]) return true;
  if (path === '') return false;
  return isLocked(packages, path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0)), name);
}

const otherSystems =
  /(^|[-/])(aix|android|freebsd|netbsd|openbsd|openharmony|sunos|wasi|arm|armv\d\w*|ia32|x86|loong64|mips64el|ppc64(le)?|riscv64|s390x|wasm32|musl|gnueabihf|(win|win32|windows)-arm64)($|-)/;

/**
 * Only the name of a missing package is known, so it counts as needed unless its name contains an unsupported system.
 * Node and PostgreSQL are built for glibc, so packages for musl are not needed.
 */
function isForOtherSystems(name: string): boolean {
  return otherSystems.test(name);
}

function unverifiedPackages(packages: Lockfile['packages']): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .flatMap(([path, { integrity, resolved }]) => [
      ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no sha512 integrity.`]),
      ...(resolved === undefined ? [] : [`${path} has "resolved".`]),
    ]);
}

/** No other package depends on the runtime, so nothing else notices that one of its packages is missing. */
function systemsWithoutNode(packages: Lockfile['packages']): string[] {
  const named = Object.keys(packages['']?.optionalDependencies ?? {});
  const runtimes = named
    .map((name) => packages[`node_modules/${name}`])
    .filter((entry) => entry?.bin?.['node'] !== undefined);
  const versions = new Set(runtimes.map((entry) => entry?.version));
  return [
    ...systems
      .filter((system) => !runtimes.some((entry) => `${entry?.os}-${entry?.cpu}` === system))
      .map((system) => `There is no Node for ${system} among the optionalDependencies of package.json.`),
    ...(versions.size > 1 ? [`Node has several versions: ${[...versions].join(', ')}.`] : []),
  ];
}

const cli = command('lockfile', 'node scripts/check/lockfile.ts')
  .description('Checks, offline, that `npm ci` can install package-lock.json on every supported system.')
  .action(async () => {
    const lockfile = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'));
    const errors = lockfileErrors(lockfile);
    if (errors.length === 0) return;
    for (const error of errors) console.log(`package-lock.json: ${error}`);
    console.log(advice);
    process.exitCode = 1;
  });

if (import.meta.main) await run(cli);
