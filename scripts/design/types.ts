import { Worker } from 'node:worker_threads';
import type { TypeFault } from './answer.ts';
import type { TypesOrder, TypesReport } from './types-worker.ts';

/** The generator and the compiler, kept warm. */
export type Types = {
  /**
   * Writes generated/ from a contract, or leaves it where none is given, and checks the types of server and client.
   * One order at a time.
   * @param onWritten called once generated/ is written, seconds before the types are checked
   * @throws where it cannot be done
   */
  check(order: TypesOrder, onWritten?: (written: string[]) => void): Promise<TypeFault[]>;
  close(): Promise<void>;
};

export function openTypes(root: URL): Types {
  let worker: Worker | undefined;

  return {
    async check(order, onWritten) {
      worker ??= new Worker(new URL('types-worker.ts', import.meta.url), {
        workerData: { root: root.href },
        resourceLimits: { maxOldGenerationSizeMb: 1500 },
      });
      const current = worker;
      return await new Promise((resolve, reject) => {
        const onMessage = (report: TypesReport) => {
          if ('written' in report) return onWritten?.(report.written);
          current.off('message', onMessage);
          current.off('error', onError);
          if ('fault' in report) reject(new Error(report.fault));
          else resolve(report.faults);
        };
        const onError = (error: Error) => {
          worker = undefined;
          reject(error);
        };
        current.on('message', onMessage);
        current.once('error', onError);
        current.postMessage(order);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
