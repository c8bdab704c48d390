import { beforeAll, describe, expect, test } from 'vitest';
import { resolve, type Schema } from '../../server/src/contract/document.ts';
import { type Contract, openContract } from '../../server/src/contract/index.ts';
import { api as startApi } from '../support/api.ts';
import { bundle } from '../support/contract.ts';
import {
  errorSchema,
  isForm,
  type MediaType,
  type Operation,
  operations,
  parametersIn,
  schemaError,
} from './support/contract.ts';
import { type ErrorBody, parsed } from './support/refusals.ts';
import { requestsOf, toSend } from './support/requests.ts';
import { entryError, examplesOfErrors } from './support/sentences.ts';

/** The examples that the portal shows and the mock serves must be valid requests and responses of the platform. */
const api = await startApi();
const requests = requestsOf(api);
let contract: Contract;
beforeAll(async () => {
  contract = await openContract(bundle);
});

const successes = (operation: Operation) =>
  [...operation.responses.values()].filter(({ status }) => status < 300).flatMap(({ media }) => media);
const isJson = ({ type }: MediaType) => /[/+]json$/.test(type);

describe.each(operations)('the examples of $id', (operation) => {
  const inPath = Object.fromEntries(
    parametersIn(operation, 'path').map(({ name, example }) => [name, String(example)]),
  );

  test('are valid requests', () => {
    const validator = contract.operations.get(operation.id);
    const { type, examples = [] } = operation.body ?? {};
    const bodies = operation.body ? examples : [{ name: 'no body', value: undefined }];
    const query = parametersIn(operation, 'query').map(({ name, example }) => `${name}=${example}`);
    const headers = Object.fromEntries(
      parametersIn(operation, 'header').map(({ name, example }) => [name.toLowerCase(), String(example)]),
    );
    const faults = bodies.map(({ name, value }) => {
      const body = isForm(operation)
        ? { ...(value as object), file: { stored: true } }
        : structuredClone(value);
      const input = { path: { ...inPath }, search: query.join('&'), headers, body, bodyType: type };
      const checked = validator?.checkRequest(input);
      return checked && 'problems' in checked ? `${name}: ${JSON.stringify(checked.problems)}` : undefined;
    });
    expect(faults.filter(Boolean), `mend spec/examples/${operation.resource}.yaml`).toEqual([]);
  });

  test('are valid responses', () => {
    const faults = [...operation.responses.values()].flatMap(({ status, media }) =>
      media.filter(isJson).flatMap(({ schema, examples }) =>
        examples.map(({ name, value }) => {
          const fault = schemaError(schema, value);
          return fault && `${status} ${name}: ${fault}`;
        }),
      ),
    );
    expect(faults.filter(Boolean), `mend spec/examples/${operation.resource}.yaml`).toEqual([]);
  });

  test('have error messages of the contract', () => {
    const faults = examplesOfErrors(operation).flatMap(({ status, name, value }) => {
      const fault = schemaError(errorSchema, value);
      if (fault) return [`${status} ${name}: ${fault}`];
      return (value as ErrorBody).errors
        .map(entryError)
        .map((entry) => entry && `${status} ${name}: ${entry}`);
    });
    expect(faults.filter(Boolean)).toEqual([]);
  });

  test('refer to the object that the path names', () => {
    const faults: string[] = [];
    const check = (where: string, value: unknown) => {
      for (const [name, id] of namedIn(value))
        if (name in inPath && inPath[name] !== id)
          faults.push(`${where}: ${name} is ${id}, and ${inPath[name]} in the address`);
    };
    for (const { name, value } of operation.body?.examples ?? []) check(`request ${name}`, value);
    for (const { examples } of successes(operation)) {
      for (const [at, { name, value }] of examples.entries()) {
        // For a list the path names the container, not each entry.
        if (!Array.isArray(value)) check(`answer ${name}`, ownFields(value));
        const last = parametersIn(operation, 'path').at(-1)?.name ?? '';
        // A second example may show another object.
        if (at === 0 && isAddressed(operation, value))
          check(`answer ${name}`, { [last]: (value as { id: string }).id });
      }
    }
    const how =
      'whoever sends the request of the portal must get the answer of the portal: mend spec/examples or spec/parameters.yaml';
    expect(faults, how).toEqual([]);
  });

  test('return the values of the request', () => {
    const faults: string[] = [];
    for (const { name, value } of operation.body?.examples ?? []) {
      const same = successes(operation).flatMap(({ examples }) =>
        examples.filter((example) => example.name === name),
      );
      for (const { value: answer } of same) {
        const given = Object.fromEntries(namedIn(value));
        // A refresh token is single-use.
        for (const [field, told] of namedIn(answer))
          if (
            field in given &&
            field !== 'refreshToken' &&
            JSON.stringify(told) !== JSON.stringify(given[field])
          )
            faults.push(`${name}: ${field}`);
      }
    }
    expect(faults, 'the answer of the same name holds another value than its request').toEqual([]);
  });
});

describe.each(operations.filter((operation) => successes(operation).some(isJson)))(
  'the response of $id',
  (operation) => {
    test('has the fields of its examples', async () => {
      const request = await requests.valid(operation);
      const { status, text } = await requests.send(toSend(request));
      expect(status, text).toBeLessThan(300);
      const [{ examples = [], schema = {} } = {}] = successes(operation).filter(isJson);
      const shown = new Set(examples.flatMap(({ value }) => fieldsOf(value, schema)));
      const given = new Set(fieldsOf(parsed(text), schema));
      const empty = [...shown].filter(
        (field) => field.endsWith('[]') && ![...given].some((other) => other.startsWith(`${field}.`)),
      );
      // An object may have no value for an optional field, unless the request sets it.
      const isSet = (field: string) => field.slice(1) in (request.fields ?? {});
      const unset = optionalFieldsOf(schema).filter((field) => !given.has(field) && !isSet(field));
      const comparable = (field: string) =>
        !empty.some((list) => field.startsWith(`${list}.`)) && !unset.includes(field);
      expect([...given].sort(), 'the platform and the example show different fields').toEqual(
        [...shown].filter(comparable).sort(),
      );
    });
  },
);

describe('an object is the same in all examples', () => {
  /** Every object with an identifier in a response, with its example. */
  const shown = operations.flatMap((operation) =>
    successes(operation)
      .filter(isJson)
      .flatMap(({ examples }) =>
        examples.flatMap(({ name, value }) =>
          objectsIn(value).map((object) => ({ reads: operation.method === 'GET', name, object })),
        ),
      ),
  );
  const byId = Map.groupBy(shown, ({ object }) => `${object['id']} with ${Object.keys(object).sort()}`);
  /** The fields that an operation may change. */
  const changing = new Set([
    'roleId',
    'status',
    'title',
    'firstName',
    'lastName',
    'lastSignedInAt',
    'profile',
    'role',
    'executionVersion',
  ]);

  test.each([...byId.values()].filter((same) => same.length > 1))('$object.id', (first, ...rest) => {
    for (const { reads, name, object } of rest) {
      const compare = (one: Record<string, unknown>) =>
        reads && first.reads
          ? one
          : Object.fromEntries(Object.entries(one).filter(([field]) => !changing.has(field)));
      expect(compare(object), `${name} against ${first.name}`).toEqual(compare(first.object));
    }
  });

  test('that a path parameter names exists in an example', () => {
    const known = new Set(
      operations.flatMap(({ responses, body }) => [
        ...[...responses.values()]
          .filter(({ status }) => status < 300)
          .flatMap(({ media }) =>
            media.flatMap(({ examples }) => examples.flatMap(({ value }) => idsIn(value))),
          ),
        ...(body?.examples ?? []).flatMap(({ value }) => idsIn(value)),
      ]),
    );
    const parameters = operations.flatMap((operation) =>
      parametersIn(operation, 'path').map(({ name, example }) => [name, String(example)] as const),
    );
    const unknown = new Set(
      parameters.filter(([, id]) => !known.has(id)).map(([name, id]) => `${name} ${id}`),
    );
    // Only the path of the object itself shows these.
    for (const name of ['keyId', 'tableId'])
      for (const entry of unknown) if (entry.startsWith(name)) unknown.delete(entry);
    expect([...unknown], 'no example shows what this parameter of spec/parameters.yaml names').toEqual([]);
  });
});

/** `content[].profile.title`; the inside of a value of any type is left out. */
function fieldsOf(value: unknown, described: Schema, path = ''): string[] {
  const schema = resolve(bundle, described);
  if (Array.isArray(value))
    return [`${path}[]`, ...value.flatMap((item) => fieldsOf(item, schema.items ?? {}, `${path}[]`))];
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}.${name}`,
    ...fieldsOf(inner, schema.properties?.[name] ?? {}, `${path}.${name}`),
  ]);
}

/** The fields, as `fieldsOf` names them, that a schema does not require. */
function optionalFieldsOf(described: Schema, path = ''): string[] {
  const { items, properties = {}, required = [] } = resolve(bundle, described);
  if (items) return optionalFieldsOf(items, `${path}[]`);
  return Object.entries(properties).flatMap(([name, inner]) => [
    ...(required.includes(name) ? [] : [`${path}.${name}`]),
    ...optionalFieldsOf(inner, `${path}.${name}`),
  ]);
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return 'id' in value ? [value as Record<string, unknown>, ...inside] : inside;
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[0-9a-f-]{36}$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
}

function namedIn(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const ownFields = (value: unknown) =>
  Object.fromEntries(namedIn(value).filter(([, inner]) => typeof inner === 'string'));

/** Whether the response is the object that the path ends with, as in `/organizations/users/{userId}/role`. */
function isAddressed(operation: Operation, value: unknown): boolean {
  const { template, method } = operation;
  const answersItself = /\{[^}]+\}(\/(profile|role|terminate|reinstate))?$/.test(template);
  return answersItself && method !== 'DELETE' && typeof value === 'object' && value !== null && 'id' in value;
}
