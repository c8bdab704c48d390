import { type LoadedContract, loadContract } from '../../server/src/http/contract/load.ts';

let loaded: Promise<LoadedContract> | undefined;

/** The contract, compiled once for all test files of a process: it has no state. */
export function theContract(): Promise<LoadedContract> {
  loaded ??= loadContract(new URL('../../generated/openapi.json', import.meta.url));
  return loaded;
}
