import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openPortalSite, type PortalSite } from '../../server/src/pages/portal-site.ts';
import { findPortal } from './main.ts';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Requests have priority. */
const niceness = 10;

/** The portal of the current contract, built first if necessary. */
export async function freshPortal(): Promise<PortalSite> {
  return openPortalSite((await findPortal()) ?? (await build()));
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
