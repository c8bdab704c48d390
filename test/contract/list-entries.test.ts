import { describe, expect, test } from 'vitest';
import { type OperationObject, resolve, type Schema } from '../../server/contract/index.ts';
import { bundle, routes } from '../support/contract.ts';

/** Operations that return something else than the object that the list has, and what. */
const exceptions: Record<string, string> = {
  getAttachmentLink: 'a signed URL of the file; the entries of the list describe it',
};

const bodiesOf = ({ responses }: OperationObject): Schema[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => resolve(bundle, content['application/json']?.schema))
    .filter((schema) => schema !== undefined);

/** The entries of an array, or of the array in a page. */
const entryOf = ({ items, properties }: Schema): Schema | undefined =>
  resolve(bundle, items ?? resolve(bundle, properties?.['content'])?.items);

/** The fields of an object as clients see them, whatever their descriptions say. */
const fieldsOf = ({ properties = {} }: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([name, { description: _, ...field }]) => [name, field]));

const pairs = routes.flatMap((list) =>
  (list.method === 'get' ? bodiesOf(list.operation) : []).flatMap((page) => {
    const entry = entryOf(page);
    if (!entry) return [];
    return routes
      .filter(({ path }) => path === list.path || path.replace(/\/\{[^/]+\}$/, '') === list.path)
      .filter(({ operation }) => operation !== list.operation)
      .flatMap(({ operation }) => bodiesOf(operation).map((body) => ({ operation, body })))
      .map((one) => ({ ...one, name: one.operation.operationId, list: list.operation.operationId, entry }));
  }),
);

describe('an object has every field of its entry in the list', () => {
  test.each(pairs.filter(({ name }) => !(name in exceptions)))(
    '$name has those of $list',
    ({ body, entry }) => {
      expect(fieldsOf(entry)).not.toEqual({});
      expect(fieldsOf(body)).toMatchObject(fieldsOf(entry));
      expect(body.required ?? []).toEqual(expect.arrayContaining(entry.required ?? []));
    },
  );

  test.each(pairs.filter(({ name }) => name in exceptions))(
    '$name is an exception to $list',
    ({ body, entry }) => {
      expect(fieldsOf(body)).not.toMatchObject(fieldsOf(entry));
    },
  );
});
