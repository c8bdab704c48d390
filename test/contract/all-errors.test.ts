import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, openContract } from '../../server/contract/contract.ts';
import {
  type Problem,
  propertiesOf,
  problemsOf as reported,
  resolve,
  routesOf,
} from '../../server/contract/index.ts';
import { addressableObjects } from '../../server/src/store/addressable-objects.ts';
import { bundle } from '../support/contract.ts';
import { expectShortStretches } from '../support/main-thread.ts';

const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
let contract: Contract;
beforeAll(async () => {
  contract = await openContract(withLists());
});

/** The contract, where a parameter set may only be a list of texts, or one of two objects. */
function withLists() {
  const document = structuredClone(bundle);
  const { ParameterSetRequest: input = { properties: {} }, ...schemas } = document.components[
    'schemas'
  ] as Record<string, { properties: object }>;
  const branch = (name: string) => ({
    type: 'object',
    required: [name],
    additionalProperties: false,
    properties: { [name]: { type: 'string' } },
  });
  document.components['schemas'] = {
    ...schemas,
    Item: { type: 'object', required: ['a', 'b'], properties: { c: { type: 'string' } } },
    ParameterSetRequest: {
      ...input,
      properties: {
        ...input.properties,
        parameters: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'string', format: 'uuid', minLength: 36, pattern: '^a' } },
            objects: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
            choice: { oneOf: [branch('a'), branch('b')] },
            other: { type: 'integer' },
          },
        },
      },
    },
  };
  return document;
}

function problemsOf(
  operationId: string,
  input: { search?: string; body?: unknown; path?: object; headers?: object },
) {
  const operation = contract.operations.get(operationId as never);
  if (!operation) throw new Error(`the contract has no ${operationId}`);
  const { search = '', body, path = {}, headers = {} } = input;
  const bodyType = body === undefined ? undefined : operation.bodyTypes[0];
  const checked = operation.checkRequest({
    path: { ...path },
    search,
    headers: { ...headers },
    body,
    bodyType,
  });
  return 'problems' in checked ? checked.problems : [];
}

const routes = routesOf(bundle);

/** The patterns of everything that a caller sends, with what refers to them resolved. */
const patterns = (() => {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const collect = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { pattern } = value as { pattern?: unknown };
    if (typeof pattern === 'string') found.add(pattern);
    Object.values(resolve(bundle, value) ?? {}).forEach(collect);
  };
  for (const { operation } of routes)
    for (const part of [operation.parameters, operation.requestBody]) collect(part);
  return [...found];
})();

test.each(patterns)('the pattern %s of a request has words in server/contract/problems.ts', (pattern) => {
  const error = { keyword: 'pattern', instancePath: '/query/name', schemaPath: '', params: { pattern } };
  expect(reported([error])).toEqual([
    { code: 'parameter_invalid', parameter: 'name', message: expect.not.stringContaining('pattern') },
  ]);
});

test('the header parameters of the contract are written as the errors write them', () => {
  const names = routes.flatMap(({ operation }) => operation.parameters.filter((one) => one.in === 'header'));
  expect(names.length).toBeGreaterThan(5);
  for (const { name } of names) {
    const error = {
      keyword: 'minLength',
      instancePath: `/headers/${name.toLowerCase()}`,
      schemaPath: '',
      params: {},
    };
    expect(reported([error])[0]?.parameter).toBe(name);
  }
});

test.each([
  ['listWorkflows', 'cursor', { search: 'cursor=short' }, 'must be the `nextCursor` of an earlier response'],
  ['listTables', 'name', { search: 'name=%00' }, 'must not contain NUL (U+0000)'],
])('%s reports the pattern of %s before its length', (operationId, name, input, message) => {
  expect(problemsOf(operationId, input)).toEqual([
    { code: 'parameter_invalid', parameter: name, message: `${name} ${message}` },
  ]);
});

test('the 404 of an object that only the body names has the pointer of its field, in each example', () => {
  const named = routes.flatMap(({ path, operation }) => {
    const fields = Object.keys(
      propertiesOf(bundle, operation.requestBody?.content['application/json']?.schema),
    );
    const examples = Object.values(operation.responses['404']?.content?.['application/json']?.examples ?? {});
    const errors = examples.flatMap(({ value }) => (value as { errors: Problem[] }).errors);
    return fields.flatMap((field) => {
      const missing = (addressableObjects as Record<string, { missing: string }>)[field]?.missing;
      const entries = path.includes(`{${field}}`) ? [] : errors.filter(({ code }) => code === missing);
      return entries.map(({ pointer }) => [operation.operationId, field, pointer]);
    });
  });
  expect(named.length).toBeGreaterThan(5);
  for (const [id, field, pointer] of named) expect([id, pointer]).toEqual([id, `/${field}`]);
});

const parameterSet = (parameters: unknown) =>
  problemsOf('createParameterSet', { body: { workflowDefinitionId: userId, parameters } });

describe('an invalid request reports', () => {
  test('every field of the body, each once', () => {
    const body = { firstName: '', lastName: 5, surplus: 1, other: 2 };
    const unknown = 'is not a property of this object, which takes firstName, lastName and title';
    expect(problemsOf('updateUserProfile', { path: { userId }, body })).toEqual([
      { code: 'body_invalid', pointer: '/surplus', message: `surplus ${unknown}` },
      { code: 'body_invalid', pointer: '/other', message: `other ${unknown}` },
      { code: 'body_invalid', pointer: '/firstName', message: 'firstName must not be empty' },
      { code: 'body_invalid', pointer: '/lastName', message: 'lastName must be a string' },
    ]);
  });

  test('path, query, header and body together', () => {
    const problems = problemsOf('createParameterSet', {
      search: 'a=1&b',
      headers: { 'idempotency-key': 'two words' },
      body: { workflowDefinitionId: 'x' },
    });
    expect(problems.map(({ parameter, pointer }) => parameter ?? pointer)).toEqual([
      'a',
      'b',
      'Idempotency-Key',
      '/parameters',
      '/workflowDefinitionId',
    ]);
    const body = { firstName: 1, lastName: 1 };
    const update = problemsOf('updateUserProfile', { path: { userId: 'x' }, search: 'a=1', body });
    expect(update.map(({ parameter, pointer }) => parameter ?? pointer)).toEqual(
      expect.arrayContaining(['a', 'userId', '/firstName', '/lastName']),
    );
  });

  test('every query parameter', () => {
    const problems = problemsOf('listUsers', { search: 'page=x&size=1000&size=2&surplus=1&surplus=2' });
    expect(problems).toEqual([
      { code: 'parameter_invalid', parameter: 'page', message: 'page must be an integer in decimal digits' },
      { code: 'parameter_invalid', parameter: 'size', message: 'size must be given once' },
      {
        code: 'parameter_invalid',
        parameter: 'surplus',
        message: 'surplus is not a parameter of this operation, which takes page and size',
      },
    ]);
  });

  test.each<[what: string, operationId: string, input: object, place: string, message: string]>([
    ['the whole body', 'updateUserProfile', { body: 'x' }, '', 'The body must be an object'],
    ['no body', 'startWorkflow', {}, '', 'The body is required'],
    [
      'a missing field',
      'startWorkflow',
      { body: {} },
      '/workflowDefinitionId',
      'workflowDefinitionId is required',
    ],
    [
      'an item of a list',
      'createParameterSet',
      { body: { workflowDefinitionId: userId, parameters: { list: ['x'] } } },
      '/parameters/list/0',
      'parameters.list[0] is not a valid UUID',
    ],
    [
      'a field in another case',
      'startWorkflow',
      { body: { workflowDefinitionID: userId } },
      '/workflowDefinitionID',
      'Did you mean `workflowDefinitionId`?',
    ],
    [
      'a misspelt field',
      'updateUserProfile',
      { path: { userId }, body: { fistName: 'x' } },
      '/fistName',
      'fistName is not a property of this object, which takes firstName, lastName and title. Did you mean `firstName`?',
    ],
    [
      'an unknown field',
      'updateUserProfile',
      { path: { userId }, body: { colour: 'x' } },
      '/colour',
      'colour is not a property of this object, which takes firstName, lastName and title',
    ],
    [
      'a field with a name that is no text',
      'updateUserProfile',
      { path: { userId }, body: { '\ud800': 'x' } },
      '/\ud800',
      '\ufffd is not a property of this object',
    ],
    [
      'a misspelt query parameter',
      'listUsers',
      { search: 'Size=1' },
      'Size',
      'Size is not a parameter of this operation, which takes page and size. Did you mean `size`?',
    ],
    [
      'a misspelt field of a form',
      'createAttachment',
      { path: { tableId: userId, recordId: userId }, body: { file: {}, tag: 'x' } },
      '/tag',
      'tag is not a property of this object, which takes file and tags. Did you mean `tags`?',
    ],
  ])('%s of %s by a message with a subject', (_what, operationId, input, place, message) => {
    const found = problemsOf(operationId, input);
    const problem = found.find(({ pointer, parameter }) => (pointer ?? parameter) === place);
    expect(problem?.message).toEqual(expect.stringContaining(message));
  });

  test('a field with a very long name in a bounded message', () => {
    const body = { [`😀${'a.b/'.repeat(1_000)}`]: 1 };
    const [problem] = problemsOf('updateUserProfile', { path: { userId }, body });
    expect(problem?.message).toMatch(/^\S{100,200} is not a property of this object, which takes firstName/);
    expect(problem?.message?.isWellFormed()).toBe(true);
  });

  test('a malformed identifier as what it is, not by its length', () => {
    for (const bad of ['x', `${userId}0`, userId.replace('-', 'g')])
      expect(problemsOf('getUser', { path: { userId: bad } })).toEqual([
        { code: 'parameter_invalid', parameter: 'userId', message: 'userId is not a valid UUID' },
      ]);
    const operation = contract.operations.get('getUser');
    expect(operation?.checkPath({ userId: 'x' })).toEqual([
      { code: 'parameter_invalid', parameter: 'userId', message: 'userId is not a valid UUID' },
    ]);
  });

  test('a missing body beside its parameters', () => {
    const problems = problemsOf('updateUserProfile', { path: { userId }, search: 'a=1' });
    expect(problems.map(({ parameter, message }) => parameter ?? message)).toEqual([
      'a',
      'The body is required',
    ]);
  });

  test('a value that matches none of its alternatives once', () => {
    expect(parameterSet({ choice: { c: 1 }, other: 'x' })).toEqual([
      {
        code: 'body_invalid',
        pointer: '/parameters/choice',
        message: 'parameters.choice must have exactly one of the allowed forms',
      },
      {
        code: 'body_invalid',
        pointer: '/parameters/other',
        message: 'parameters.other must be a whole number',
      },
    ]);
    expect(parameterSet({ choice: { b: 'x' } })).toEqual([]);
  });

  test('at most 20 errors', () => {
    const surplus = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, 1]));
    expect(problemsOf('updateUserProfile', { path: { userId }, body: surplus })).toHaveLength(20);
    const search = Array.from({ length: 100 }, (_, at) => `p${at}=1`).join('&');
    expect(problemsOf('listUsers', { search })).toHaveLength(20);
  });
});

describe('a hostile request of 1 MiB does not occupy the event loop for 50 ms', () => {
  const many = 190_000;
  const list = (item: () => unknown, length = many) => Array.from({ length }, item);
  test.each<[string, () => unknown]>([
    ['invalid items', () => parameterSet({ list: list(() => 1) })],
    ['invalid texts', () => parameterSet({ list: list(() => 'bb') })],
    ['invalid objects', () => parameterSet({ objects: list(() => ({ c: 1 }), 60_000) })],
    [
      'unknown names',
      () => {
        const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, 1]));
        return problemsOf('updateUserProfile', { path: { userId }, body });
      },
    ],
    ['a long address', () => parameterSet({ list: [`${'a.'.repeat(500_000)}@`] })],
    ['unknown parameters', () => problemsOf('listUsers', { search: 'a=1&'.repeat(4_000) })],
  ])('%s', async (_what, check) => {
    // Compiles the check that collects all errors.
    parameterSet({ other: 'x' });
    problemsOf('updateUserProfile', { path: { userId }, body: {} });
    const problems = (await expectShortStretches(async () => check())) as object[];
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(20);
  });
});

describe('a message about a value of the wrong type', () => {
  const wrongValues = [5, 1.5, true, 'x', null, [], {}];
  const bodies = routes.flatMap(({ operation: { operationId, requestBody } }) => {
    const schema = resolve(bundle, requestBody?.content?.['application/json']?.schema);
    return schema ? [{ id: operationId, names: Object.keys(propertiesOf(bundle, schema)) }] : [];
  });

  test.each(bodies)('of $id has an article', ({ id, names }) => {
    for (const value of wrongValues)
      for (const name of names)
        for (const { message = '' } of problemsOf(id, { body: { [name]: value } }))
          expect(message, JSON.stringify(value)).not.toMatch(
            /must be (string|number|integer|boolean|object|array)\b/,
          );
  });

  test.each([5, true, null, [], {}])('names a time as a string: %j', (expiresAt) => {
    const problems = problemsOf('startWorkflow', { body: { expiresAt } });
    expect(problems.find(({ pointer }) => pointer === '/expiresAt')?.message).toBe(
      'expiresAt must be a string',
    );
  });
});

describe('a time', () => {
  const example = 'is not a valid date and time (RFC 3339), such as 2026-11-19T09:12:44Z';
  const plus = 'must have + encoded as %2B: an unencoded + is a space in a query';

  test.each([
    ['2026-11-01T00:00:00+01:00', plus],
    ['2026-11-01T00:00:00.5+01:00', plus],
    ['2026-11-01T00:00:00%2001:00', plus],
    ['2026-11-01', example],
    ['2026-11-01+00:00:00Z', example],
    ['2026-11-01T00:00:00', example],
    ['2026-11-01T00:00+01:00', example],
    ['yesterday', example],
  ])('in a query says what is wrong with it: %s', (value, message) => {
    for (const parameter of ['createdSince', 'createdUntil'])
      expect(problemsOf('listWorkflows', { search: `${parameter}=${value}` })).toEqual([
        { code: 'parameter_invalid', parameter, message: `${parameter} ${message}` },
      ]);
  });

  test('in a query with + as %2B is valid', () => {
    expect(problemsOf('listWorkflows', { search: 'createdSince=2026-11-01T00:00:00%2B01:00' })).toEqual([]);
  });

  test('in a body has a + as it is', () => {
    const body = { workflowDefinitionId: userId, expiresAt: '2026-11-01T00:00:00 01:00' };
    expect(problemsOf('startWorkflow', { body })).toMatchObject([{ message: `expiresAt ${example}` }]);
  });
});
