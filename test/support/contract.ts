import { readFileSync } from 'node:fs';
import {
  type ContractDocument,
  type LoadedContract,
  type MediaType,
  openContract,
  routesOf,
} from '../../server/contract/index.ts';

/** The bundled contract as it is published. */
export const bundle: ContractDocument = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
);

/** Every operation of the contract. */
export const routes = routesOf(bundle);

let loaded: Promise<LoadedContract> | undefined;

/** The contract, compiled once for all test files of a process: it has no state. */
export function theContract(): Promise<LoadedContract> {
  loaded ??= openContract(bundle).then((contract) => ({ document: bundle, contract }));
  return loaded;
}

export function exampleValues({ examples = {} }: MediaType): unknown[] {
  return Object.values(examples).map(({ value }) => value);
}
