import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openPortalSite, type PortalSite } from '../../server/src/pages/portal-site.ts';
import { findPortal } from './main.ts';

const script = fileURLToPath(new URL('./main.ts', import.meta.url));
/** What answers requests comes first. */
const niceness = 10;

/** The portal of the present contract; built first if nobody has built it yet. */
export async function freshPortal(): Promise<PortalSite> {
  return openPortalSite((await findPortal()) ?? (await build()));
}

/** Some seconds of work, so done by a process of its own. @returns the directory */
function build(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [script], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim().split('\n').at(-1) || error.message));
      else resolve(stdout.trim());
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, niceness);
    } catch {
      // Then it is as important as everything else.
    }
  });
}
