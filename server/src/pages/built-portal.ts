import { lstat, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPortalSite, type PortalSite } from './portal-site.ts';

/** `npm run portal` has not run, or has failed. */
export class PortalNotBuiltError extends Error {
  constructor() {
    super('The portal is not built. Run `npm run portal`; until then, its pages return 404.');
  }
}

const inProject = fileURLToPath(new URL('../../../.cache/portal', import.meta.url));

/** Where portals are built: in the project, or in the temporary directory if the project is read-only. */
export function portalFolders(): string[] {
  return [inProject, join(tmpdir(), `wrp-portal-${process.getuid?.() ?? 0}`)];
}

/** The file in each folder with the name of the latest build's directory. */
export const currentFile = 'current';
export const builtName = /^portal-[0-9a-f]{16}$/;

/** Anyone can create a directory in the temporary one: it is trusted only if no other user can write to it. */
export async function isTrusted(folder: string): Promise<boolean> {
  if (folder === inProject) return true;
  const found = await lstat(folder);
  const ours = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
  return found.isDirectory() && ours;
}

/** Opens the latest build. @throws PortalNotBuiltError */
export async function builtPortal(): Promise<PortalSite> {
  for (const folder of portalFolders()) {
    const name = await readFile(join(folder, currentFile), 'utf8').catch(() => '');
    if (builtName.test(name) && (await isTrusted(folder))) return openPortalSite(join(folder, name));
  }
  throw new PortalNotBuiltError();
}
