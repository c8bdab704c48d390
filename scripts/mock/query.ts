import type { ContractDocument } from '../../server/src/contract/document.ts';
import { queryParametersOf, readQuery } from '../../server/src/contract/query.ts';
import type { OperationObject } from '../../server/src/contract/routes.ts';
import { type ErrorItem, Refusal } from './failure.ts';

/**
 * Reads a query as strictly as the platform, by its own code: Prism takes what it does not know, and numbers in
 * every form that JavaScript has.
 */
export type CheckQuery = (search: string, operation: OperationObject) => void;

/** @throws {Refusal} from what it gives: 400 `parameter_invalid` */
export function checkingQueries(contract: ContractDocument): CheckQuery {
  return (search, { parameters }) => {
    const read = readQuery(search.replace(/^\?/, ''), queryParametersOf(contract, parameters));
    if ('problems' in read) throw new Refusal(400, read.problems as ErrorItem[]);
  };
}
