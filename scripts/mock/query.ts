import { type QueryKind, readQuery } from '../../server/src/http/contract/query.ts';
import { type Operation, resolve } from '../contract/routes.ts';
import type { Contract } from '../contract/source.ts';
import { type ErrorItem, Refusal } from './failure.ts';

/**
 * Reads a query as strictly as the platform, by its own code: Prism takes what it does not know, and numbers in
 * every form that JavaScript has.
 */
export type CheckQuery = (search: string, operation: Operation) => void;

/** @throws {Refusal} from what it gives: 400 `parameter_invalid` */
export function checkingQueries(contract: Contract): CheckQuery {
  return (search, { parameters = [] }) => {
    const known = parameters.filter((parameter) => parameter.in === 'query');
    const kinds = new Map(known.map(({ name, schema }) => [name, kindOf(resolve(contract, schema))]));
    const read = readQuery(search.replace(/^\?/, ''), kinds);
    if ('problems' in read) throw new Refusal(400, read.problems as ErrorItem[]);
  };
}

function kindOf(schema: Record<string, unknown> | undefined): QueryKind {
  const type = schema?.['type'];
  if (type === 'integer' || type === 'number') return type;
  return type === 'array' ? 'list' : type === 'object' ? 'complex' : 'text';
}
