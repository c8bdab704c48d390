import { readFile } from 'node:fs/promises';
import { type Contract, openContract } from './index.ts';

/** The bundle as it is published, and what requests and answers are checked with. */
export interface LoadedContract {
  document: object;
  contract: Contract;
}

/** @throws where the file is not to be read, or an operation in it does not compile, naming it. */
export async function loadContract(file: URL): Promise<LoadedContract> {
  const document = JSON.parse(await readFile(file, 'utf8'));
  return { document, contract: await openContract(document) };
}
