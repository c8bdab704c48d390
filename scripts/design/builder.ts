import { Worker } from 'node:worker_threads';
import type { Redocly } from '../contract/redocly/redocly.ts';
import type { Contract } from '../contract/source.ts';
import type { SiteFile } from '../portal/site-files.ts';
import type { BuildJob, BuildMessage } from './build-worker.ts';

/** Generates code and builds the portal in one thread, so that mock and page keep responding. One job at a time. */
export type Builder = {
  /** Writes generated/. @returns the files that changed. @throws if it cannot be written */
  generate(contract: Contract, digest: string): Promise<string[]>;
  /** Builds the portal from generated/. @throws if it cannot be built */
  buildPortal(): Promise<SiteFile[]>;
  close(): Promise<unknown>;
};

// Short-lived objects are collected early instead of growing the heap. Above the limit the thread ends, and the next
// job starts another one.
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 600 };

/** @param redocly runs the thread's commands too: a second process would need as much memory again */
export function openBuilder(redocly: Redocly): Builder {
  let worker: Worker | undefined;
  let pending: PromiseWithResolvers<BuildMessage> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const started = new Worker(new URL('build-worker.ts', import.meta.url), { resourceLimits });
    started.on('message', async (message: BuildMessage) => {
      if (!('command' in message)) return pending?.resolve(message);
      const reply = await redocly.run(message.command).catch(({ message: error }: Error) => ({ error }));
      started.postMessage({ reply });
    });
    started.on('error', (error) => pending?.reject(error));
    return started;
  }

  async function run(job: BuildJob): Promise<BuildMessage> {
    worker ??= start();
    pending = Promise.withResolvers();
    worker.postMessage({ job });
    try {
      const message = await pending.promise;
      if ('error' in message) throw new Error(message.error);
      return message;
    } catch (error) {
      // A thread that failed half-way may keep half a state.
      void worker.terminate();
      worker = undefined;
      throw error;
    }
  }

  function enqueue(job: BuildJob): Promise<BuildMessage> {
    const result = queue.then(() => run(job));
    queue = result.catch(() => {});
    return result;
  }

  return {
    async generate(contract, digest) {
      const message = await enqueue({ contract, digest });
      return 'written' in message ? message.written : [];
    },
    async buildPortal() {
      const message = await enqueue('portal');
      return 'files' in message ? message.files : [];
    },
    close: async () => worker?.terminate(),
  };
}
