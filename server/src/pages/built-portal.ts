import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findPortal } from '../../../scripts/portal/main.ts';
import { openPortalSite, type PortalSite } from './portal-site.ts';

const script = fileURLToPath(new URL('../../../scripts/portal/main.ts', import.meta.url));
/** What answers requests comes first. */
const niceness = 10;

/** The portal of the contract as it stands, built where it was not built before. */
export async function builtPortal(): Promise<PortalSite> {
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
