/**
 * Generates and type-checks in a thread of its own: both keep a core busy for a second or two, in which the mock
 * and the page must answer.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Contract } from '../contract/source.ts';
import { generatedFiles, writeGenerated } from '../generate/files.ts';
import type { TypeFault } from './answer.ts';
import { type TypeChecker, typeChecker } from './type-checker.ts';

/** `contract`: write generated/ from it first. `digest`: of its source. */
export type TypesOrder = { contract?: Contract; digest?: string };
export type TypesReport =
  | { written: string[] }
  | { faults: TypeFault[] }
  /** The order could not be carried out. */
  | { fault: string };

const root = new URL(workerData.root);
const projects = ['server', 'client'];
let checkers: TypeChecker[] | undefined;

parentPort?.on('message', async ({ contract, digest = '' }: TypesOrder) => {
  try {
    const written = contract ? await writeGenerated(root, await generatedFiles(contract, digest)) : [];
    report({ written });
    checkers ??= projects.map((project) => typeChecker(root, project));
    const faults = checkers.flatMap((check) => check());
    report({ faults: [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()] });
  } catch (error) {
    // What a compiler that failed half-way keeps is not to be trusted.
    checkers = undefined;
    report({ fault: error instanceof Error ? error.message : String(error) });
  }
});

function report(message: TypesReport): void {
  parentPort?.postMessage(message);
}
