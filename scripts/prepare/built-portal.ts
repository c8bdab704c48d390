import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  builtName,
  currentFile,
  inProject,
  isTrusted,
  openPortalSite,
  type PortalSite,
  portalFolders,
} from '../../server/src/pages/portal-site.ts';
import { withLock } from './lock.mjs';
import { sourcesDigest } from './portal-digest.mjs';

/** Milliseconds after which another process's build counts as stuck. */
const longestBuild = 60_000;
/** Older portals are kept for servers that still run, and to return to a change. */
const keptPortals = 4;

const script = fileURLToPath(new URL('../portal/main.ts', import.meta.url));
/** A build gives way to requests. */
const niceness = 10;

/** The portal of the current contract, built first if necessary. */
export async function freshPortal(): Promise<PortalSite> {
  return openPortalSite((await findBuilt(sourcesDigest())) ?? (await build()));
}

/** Builds in a process of its own, because it takes seconds. @returns the directory */
function build(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
      else resolve(stdout.trim());
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, niceness);
    } catch {
      // Not permitted: it runs at the usual priority.
    }
  });
}

/**
 * The directory of the portal of these sources, built if necessary. Of several processes that need it at the same
 * time, one builds and the others wait.
 *
 * @param digest of everything that the result depends on
 * @param build fills a directory, which is used only once it has finished
 */
export async function builtOnce(
  digest: string,
  build: (directory: string) => Promise<void>,
): Promise<string> {
  const name = nameOf(digest);
  const existing = await findBuilt(digest);
  if (existing) {
    await setCurrent(dirname(existing), name);
    return existing;
  }
  const place = await firstWritable();
  const directory = join(place, name);
  return withLock(`${directory}.building`, () => buildInto(directory, build), { longest: longestBuild });
}

async function buildInto(directory: string, build: (directory: string) => Promise<void>): Promise<string> {
  if (await exists(directory)) return directory;
  const [place, name] = [dirname(directory), basename(directory)];
  const temporary = `${directory}.${process.pid}`;
  try {
    await rm(temporary, { recursive: true, force: true });
    // If the build fails, the server must not serve a portal of other sources.
    await rm(join(place, currentFile), { force: true });
    await build(temporary);
    await rename(temporary, directory);
    await setCurrent(place, name);
    await removeOthers(place, name);
    return directory;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The directory of the portal of these sources, if it is built. */
export async function findBuilt(digest: string): Promise<string | undefined> {
  for (const place of portalFolders()) {
    const directory = join(place, nameOf(digest));
    if ((await exists(directory)) && (await isTrusted(place))) return directory;
  }
  return undefined;
}

/** Makes this the portal that the server opens, unless the directory is read-only. */
async function setCurrent(place: string, name: string): Promise<void> {
  const file = join(place, currentFile);
  if ((await readFile(file, 'utf8').catch(() => '')) === name) return;
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, name).then(
    () => rename(temporary, file),
    () => undefined,
  );
}

const nameOf = (digest: string) => `portal-${digest}`;

async function firstWritable(): Promise<string> {
  for (const place of portalFolders()) {
    try {
      // In the temporary directory, which others can write to, it is for this user only.
      await mkdir(place, { recursive: true, ...(place !== inProject && { mode: 0o700 }) });
      await access(place, constants.W_OK);
      if (await isTrusted(place)) return place;
    } catch {
      // Try the next one.
    }
  }
  throw new Error(
    `The portal cannot be written: none of ${portalFolders().join(', ')} is writable by this user only.`,
  );
}

async function removeOthers(place: string, kept: string): Promise<void> {
  const names = (await readdir(place)).filter((name) => builtName.test(name) && name !== kept);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(place, name))).mtimeMs })),
  );
  const old = dated.sort((one, other) => other.at - one.at).slice(keptPortals - 1);
  await Promise.all(old.map(({ name }) => rm(join(place, name), { recursive: true, force: true })));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
