import { resolve, type Schema } from '../../../server/contract/index.ts';
import { isObject, timestampOf } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';

/** Whether an entry of a list matches the value of a query parameter. */
export type Filter = (entry: Record<string, unknown>, value: unknown) => boolean;

/** Parameters that select a page. */
const paging = ['cursor', 'page', 'size'];

/**
 * What a query parameter of a list filters by, from its name: `status` by the field of that name, `error` by the field of
 * that name in an object of the entry, `createdSince` and `createdUntil` (exclusive) by `createdDateTime`.
 *
 * @param items the schema of the entries
 * @returns undefined if the parameter is no filter
 */
export function filterNamed(
  contract: Contract,
  items: Schema | undefined,
  parameter: string,
): Filter | undefined {
  if (paging.includes(parameter)) return undefined;
  const fieldsOf = (schema: Schema | undefined) => resolve(contract, schema)?.properties ?? {};
  const fields = fieldsOf(items);
  if (Object.hasOwn(fields, parameter)) return (entry, value) => entry[parameter] === value;
  const [, event, side] = /^(.+)(Since|Until)$/.exec(parameter) ?? [];
  const time = `${event}DateTime`;
  if (event !== undefined && Object.hasOwn(fields, time))
    return (entry, value) =>
      side === 'Since' ? timeOf(entry[time]) >= timeOf(value) : timeOf(entry[time]) < timeOf(value);
  const owner = Object.keys(fields).find((name) => Object.hasOwn(fieldsOf(fields[name]), parameter));
  if (owner === undefined) return undefined;
  return (entry, value) => isObject(entry[owner]) && entry[owner][parameter] === value;
}

const timeOf = (text: unknown): number => timestampOf(String(text))?.getTime() ?? Number.NaN;
