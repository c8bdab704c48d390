import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SiteFile } from '../portal/site-files.ts';
import type { PortalReport } from './portal-worker.ts';

/** The portal as it was last built. */
export type Portal = {
  /** How often it was built; 0 before the first time. */
  readonly version: number;
  find(path: string): SiteFile | undefined;
  /**
   * Builds it out of generated/. One build at a time. @returns the new version
   * @throws where it cannot be built; the last one stays
   */
  build(): Promise<number>;
  close(): Promise<void>;
};

export function openPortal(): Portal {
  let worker: Worker | undefined;
  let version = 0;
  let files = new Map<string, SiteFile>();

  return {
    get version() {
      return version;
    },
    find: (path) => files.get(path),
    async build() {
      worker ??= new Worker(new URL('portal-worker.ts', import.meta.url));
      try {
        worker.postMessage('build');
        const [report] = (await once(worker, 'message')) as [PortalReport];
        if ('fault' in report) throw new Error(report.fault);
        files = new Map(report.files.map((file) => [file.path, file]));
        return ++version;
      } catch (error) {
        // A thread that ended takes no further order; one that only failed is soon started again.
        void worker.terminate();
        worker = undefined;
        throw error;
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
