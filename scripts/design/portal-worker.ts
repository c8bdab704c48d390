/** Builds the portal in a thread of its own: the mock and the page answer meanwhile. */
import { parentPort } from 'node:worker_threads';
import { generatedSources, siteFiles } from '../portal/site.ts';
import type { SiteFile } from '../portal/site-files.ts';
import { openRedocly } from '../redocly/redocly.ts';

export type PortalReport = { files: SiteFile[] } | { fault: string };

// One of its own: the linter of the next save does not wait for this build.
const redocly = openRedocly(new URL('../../', import.meta.url));

parentPort?.on('message', async () => {
  try {
    parentPort?.postMessage({
      files: await siteFiles({ ...(await generatedSources()), redocly }),
    } satisfies PortalReport);
  } catch (error) {
    parentPort?.postMessage({
      fault: error instanceof Error ? error.message : String(error),
    } satisfies PortalReport);
  }
});
