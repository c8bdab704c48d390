import { readFileSync } from 'node:fs';
import type { ContractDocument } from '../../server/src/contract/document.ts';
import { type LoadedContract, openContract } from '../../server/src/contract/index.ts';
import { type MediaType, routesOf } from '../../server/src/contract/routes.ts';

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
