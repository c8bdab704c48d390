import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, openContract, resolve, type Schema } from '../../server/contract/index.ts';
import { bundle } from '../support/contract.ts';
import { demoPlatform } from '../support/demo.ts';
import { advice } from './support/advice.ts';
import {
  errorSchema,
  isForm,
  type MediaType,
  type Operation,
  operations,
  parametersIn,
  schemaError,
} from './support/contract.ts';
import {
  demoRequests,
  type ExampleRequest,
  exampleRequests,
  hasOther,
  inOrder,
  notOnTheDemo,
  takesSeveralRequests,
} from './support/demo-requests.ts';
import { codesOf, type ErrorBody, parsed } from './support/refusals.ts';
import type { Values } from './support/requests.ts';
import { entryError, examplesOfErrors } from './support/sentences.ts';

/**
 * The examples that the portal shows and the mock serves must be valid requests and responses of the platform, and a
 * reader who sends one to a new platform must get its response.
 */
const uploadLimit = 100_000;
const { environments } = await demoPlatform({ uploadLimit });
const production = await demoRequests(environments.production, uploadLimit);
const sandbox = await demoRequests(environments.sandbox, uploadLimit);
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
    const query = parametersIn(operation, 'query').flatMap(({ name, example }) =>
      example === undefined ? [] : `${name}=${example}`,
    );
    const headers = Object.fromEntries(
      parametersIn(operation, 'header').map(({ name, example }) => [name.toLowerCase(), String(example)]),
    );
    const problems = bodies.map(({ name, value }) => {
      const body = isForm(operation)
        ? { ...(value as object), file: { stored: true } }
        : structuredClone(value);
      const input = { path: { ...inPath }, search: query.join('&'), headers, body, bodyType: type };
      const checked = validator?.checkRequest(input);
      return checked && 'problems' in checked ? `${name}: ${JSON.stringify(checked.problems)}` : undefined;
    });
    expect(problems.filter(Boolean), `mend spec/examples/${operation.resource}.yaml`).toEqual([]);
  });

  test('are valid responses', () => {
    const problems = [...operation.responses.values()].flatMap(({ status, media }) =>
      media.filter(isJson).flatMap(({ schema, examples }) =>
        examples.map(({ name, value }) => {
          const problem = schemaError(schema, value);
          return problem && `${status} ${name}: ${problem}`;
        }),
      ),
    );
    expect(problems.filter(Boolean), `mend spec/examples/${operation.resource}.yaml`).toEqual([]);
  });

  test('have the error messages of the contract', () => {
    const problems = examplesOfErrors(operation).flatMap(({ status, name, value }) => {
      const problem = schemaError(errorSchema, value);
      if (problem) return [`${status} ${name}: ${problem}`];
      return (value as ErrorBody).errors
        .map(entryError)
        .map((entry) => entry && `${status} ${name}: ${entry}`);
    });
    expect(problems.filter(Boolean), advice('example', operation)).toEqual([]);
  });

  test('refer to the object that the path names', () => {
    const problems: string[] = [];
    const check = (where: string, value: unknown) => {
      for (const [name, id] of namedIn(value))
        if (name in inPath && inPath[name] !== id)
          problems.push(`${where}: ${name} is ${id}, and ${inPath[name]} in the address`);
    };
    for (const { name, value } of operation.body?.examples ?? []) check(`request ${name}`, value);
    for (const { examples } of successes(operation)) {
      for (const [at, { name, value }] of examples.entries()) {
        // For a list the path names the container, not each entry.
        if (!Array.isArray(value)) check(`response ${name}`, ownFields(value));
        const last = parametersIn(operation, 'path').at(-1)?.name ?? '';
        // A second example may show another object.
        if (at === 0 && isTargetObject(operation, value))
          check(`response ${name}`, { [last]: (value as { id: string }).id });
      }
    }
    const how =
      'whoever sends the request of the portal must get the response of the portal: mend spec/examples or spec/parameters.yaml';
    expect(problems, how).toEqual([]);
  });

  test('return the values of the request', () => {
    const problems: string[] = [];
    for (const { name, value } of operation.body?.examples ?? []) {
      const same = successes(operation).flatMap(({ examples }) =>
        examples.filter((example) => example.name === name),
      );
      for (const { value: response } of same) {
        const given = Object.fromEntries(namedIn(value));
        // A refresh token is single-use.
        for (const [field, stated] of namedIn(response))
          if (
            field in given &&
            field !== 'refreshToken' &&
            JSON.stringify(stated) !== JSON.stringify(given[field])
          )
            problems.push(`${name}: ${field}`);
      }
    }
    expect(problems, 'the response of the same name has another value than its request').toEqual([]);
  });
});

describe('no example of a request expires:', () => {
  test.each(operations.filter(({ body }) => body))('$id', ({ resource, body }) => {
    const dates = JSON.stringify(body?.examples).match(/\d{4}-\d\d-\d\dT[^"]*/g) ?? [];
    expect(dates, `take the date out of spec/examples/${resource}.yaml`).toEqual([]);
  });
});

describe('on a new platform with its demo', () => {
  test('every exception in notOnTheDemo is still needed', () => {
    const codes = operations.flatMap(({ responses }) =>
      [...responses.values()].flatMap(({ codes }) => codes),
    );
    const leftOver = Object.keys(notOnTheDemo).filter((code) => !codes.includes(code));
    expect(leftOver, 'take them out of `notOnTheDemo` in demo-requests.ts').toEqual([]);
  });

  describe.each(operations)('$id refuses its example', (operation) => {
    const [request] = exampleRequests(operation) as [ExampleRequest];
    const documented = [...operation.responses.values()]
      .filter(({ status }) => status >= 400 && status < 500 && status !== 429)
      .flatMap(({ status, codes }) => codes.map((code) => ({ status, code })))
      .filter(({ status, code }) => !(code in notOnTheDemo) && !takesSeveralRequests(`${status} ${code}`));

    test.each(documented.filter(({ status }) => status !== 422))(
      '$status $code',
      async ({ status, code }) => {
        const response = await production.refused(request, status, code);
        if (!response)
          throw new Error(
            `No request leads to '${status} ${code}'. Add one to \`alterations\` in test/sweeps/support/error-cases.ts, or ` +
              'to `ofDemo` in demo-requests.ts if it needs an object of the demo; to `sequences` in error-cases.ts if it ' +
              'takes several requests.',
          );
        expect({ status: response.status, codes: codesOf(response) }, response.text).toEqual({
          status,
          codes: expect.arrayContaining([code]),
        });
      },
    );
  });

  const isSandboxOnly = ({ responses }: Operation) => responses.get(403)?.codes.includes('sandbox_only');
  const accepting = [
    ...inOrder
      .filter((operation) => !isSandboxOnly(operation))
      .map((operation) => ({ id: operation.id, operation, name: 'production', requests: production })),
    ...inOrder.map((operation) => ({ id: operation.id, operation, name: 'sandbox', requests: sandbox })),
  ];
  describe.each(accepting)('$id in $name accepts', ({ operation, requests }) => {
    const statusOf = (name: string) => {
      const named = [...operation.responses.values()].filter(({ media }) =>
        media.some(({ examples }) => examples.some((example) => example.name === name)),
      );
      const [first] = [...operation.responses.values()].filter(({ status }) => status < 300);
      return (named[0] ?? first)?.status;
    };

    test.each(exampleRequests(operation))('its example $name', async (request) => {
      const { status, text } = await requests.send(request);
      const conflict = `The demo has the object of the example that the path parameters name, so ${request.name} in spec/examples/${operation.resource}.yaml needs another value where values are unique`;
      const mend = status === 409 ? conflict : advice('example', operation);
      expect(status, `${mend}: ${text}`).toBe(statusOf(request.name));
      const json = [...operation.responses.values()]
        .filter((response) => response.status === status)
        .flatMap(({ media }) => media.filter(isJson));
      if (json[0]) expectFields(json[0], parsed(text), request.fields);
    });

    // An Idempotency-Key is for one request only; the next test sends new ones.
    const headers = parametersIn(operation, 'header').filter(
      ({ name, example }) => example !== undefined && name !== 'Idempotency-Key',
    );
    test.each(headers)('the example of $name', async ({ name, example }) => {
      const [request] = exampleRequests(operation) as [ExampleRequest];
      const { status, text, headers } = await requests.send(request, { [name]: String(example) });
      const expected = { Range: 206, 'If-None-Match': 304 }[name] ?? statusOf(request.name);
      const version = `The example of ${name} is in spec/parameters.yaml; the ETag of the response is ${headers['etag']}`;
      const hint = headers['etag'] && status !== expected ? `${version}: ` : '';
      expect(status, `${advice('example', operation)}: ${hint}${text}`).toBe(expected);
    });

    const [first] = exampleRequests(operation) as [ExampleRequest];
    // Of the others, the errors sweep shows it, with objects of its own.
    if (!operation.responses.has(422) || !hasOther(first)) return;
    test('no other request with the same key: 422 idempotency_key_reused', async () => {
      const key = randomUUID();
      await requests.send(first, { 'Idempotency-Key': key });
      const response = await requests.withUsedKey(first, key);
      expect([response.status, codesOf(response)], response.text).toEqual([422, ['idempotency_key_reused']]);
    });
  });
});

/** The platform and the example must show the same fields. */
function expectFields({ examples, schema }: MediaType, response: unknown, sent: Values = {}): void {
  const shown = new Set(examples.flatMap(({ value }) => fieldsOf(value, schema)));
  const given = new Set(fieldsOf(response, schema));
  const empty = [...shown].filter(
    (field) => field.endsWith('[]') && ![...given].some((other) => other.startsWith(`${field}.`)),
  );
  // An object may have no value for an optional field, unless the request sets it.
  const isSet = (field: string) => field.slice(1) in sent;
  const unset = optionalFieldsOf(schema).filter((field) => !given.has(field) && !isSet(field));
  const comparable = (field: string) =>
    !empty.some((list) => field.startsWith(`${list}.`)) &&
    !unset.some((optional) => field === optional || field.startsWith(`${optional}.`));
  expect([...given].sort(), 'the platform and the example show different fields').toEqual(
    [...shown].filter(comparable).sort(),
  );
}

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
  /** The fields that an operation changes: those that a request sets, what contains them, and what follows from others. */
  const changing = new Set([
    ...operations
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .flatMap(({ body }) => body?.examples ?? [])
      .flatMap(({ value }) => Object.keys(value as object)),
    ...['profile', 'role', 'status', 'lastSignedInAt', 'executionVersion'],
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

  test('and every object that a path parameter names exists in an example', () => {
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
function isTargetObject(operation: Operation, value: unknown): boolean {
  const { template, method } = operation;
  const returnsTarget = /\{[^}]+\}(\/(profile|role|terminate|reinstate))?$/.test(template);
  return returnsTarget && method !== 'DELETE' && typeof value === 'object' && value !== null && 'id' in value;
}
