import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { propertiesOf, routesOf } from '../../server/contract/index.ts';
import { examplePathOf, served, statefulMock, theBundle } from './support.ts';

const contract = await theBundle();
const { listener } = await exampleMock(contract);
const withoutState = await served(listener);
const { baseUrl: platform } = await statefulMock();

type Request = { method?: string; headers?: Record<string, string>; body?: string | FormData };

async function refusalOf(base: string, path: string, { headers, ...rest }: Request) {
  const sent = { ...rest, headers: { Authorization: 'any', ...headers } };
  const response = await fetch(base + path, sent);
  const { errors } = (await response.json()) as { errors: unknown };
  return { status: response.status, errors };
}

const json = (body: unknown, headers: Record<string, string> = {}): Request => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

function form(...parts: [name: string, value: string | Blob][]): Request {
  const body = new FormData();
  for (const [name, value] of parts) body.append(name, value);
  return { method: 'POST', body };
}

const typed = (type: string): Request => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body: '--boundary\r\n',
});

const definition = { workflowDefinitionId: '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01' };
const file = new Blob(['bytes']);
const users = '/organizations/users';
const attachments =
  '/tables/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01/records/2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01/attachments';

describe("without state, the mock returns the platform's errors", () => {
  test.each<[what: string, path: string, request?: Request]>([
    ['a body without a required property', '/workflows', json({})],
    ['an unknown property', '/workflows', json({ ...definition, 'z/z': 1 })],
    ['two errors at once', '/workflows', json({ parameters: 1, expiresAt: 'soon', colour: 1 })],
    ['a property of another type', '/workflows', json({ ...definition, parameters: [] })],
    ['a value that is not in the enum', '/workflows', json({ ...definition, executionType: 'SOON' })],
    ['no body', '/workflows', { method: 'POST' }],
    ['a body of another media type', '/workflows', json({}, { 'Content-Type': 'text/csv' })],
    ['a compressed body', '/workflows', json(definition, { 'Content-Encoding': 'gzip' })],
    ['JSON in Latin 1', '/workflows', json({}, { 'Content-Type': 'application/json; charset=latin1' })],
    ['a number in hexadecimal', `${users}?size=0x10`],
    ['a number with an exponent', `${users}?size=1e1`],
    ['a number with a space', `${users}?size=%2010`],
    ['a parameter without a value', `${users}?size=`],
    ['a repeated parameter', `${users}?size=10&size=11`],
    ['a number out of range', `${users}?size=101`],
    ['an unknown parameter', `${users}?colour=red`],
    ['an unknown path that is similar to another one', '/organizations/user'],
    ['an unknown path that is similar to none', '/nowhere'],
    ['a form without a boundary', '/resources', typed('multipart/form-data')],
    ['a form with another boundary', '/resources', typed('multipart/form-data; boundary=other')],
    ['an invalid id', `${users}/someone`],
    ['a text instead of the file', '/resources', form(['file', 'text'])],
    ['a form without its file', attachments, form(['tags', 'x'])],
  ])('%s', async (_, path, request = {}) => {
    const refusal = await refusalOf(withoutState, path, request);
    expect(refusal).toEqual(await refusalOf(platform, path, request));
    expect([400, 404, 415]).toContain(refusal.status);
  });
});

/** A shared example must be valid for every operation that has it. What differs follows its message. */
describe('a shared example is the response of the operation', () => {
  const shared = contract.components['examples'] as Record<string, { value: { errors: unknown } }>;
  const showing = (name: string) =>
    routesOf(contract).filter(({ operation }) =>
      Object.values(operation.responses['400']?.content ?? {}).some(({ examples = {} }) => name in examples),
    );

  test.each(showing('parameterInvalid'))('$operation.operationId parameterInvalid', async (route) => {
    const { method, operation } = route;
    const [content] = Object.entries(operation.requestBody?.content ?? {});
    const [example] = Object.values(content?.[1].examples ?? {});
    const request = content?.[0].startsWith('multipart/') ? form(['file', file]) : json(example?.value);
    const sent = content ? request : {};
    const taken = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    const names = new Intl.ListFormat('en-GB').format(taken);
    const others = taken.length > 0 ? `takes ${names}` : 'has no query parameters';
    const errors = shared['parameterInvalid']?.value.errors as { message: string }[];
    expect(
      await refusalOf(withoutState, `${examplePathOf(route)}?colour=red`, {
        ...sent,
        method: method.toUpperCase(),
      }),
    ).toEqual({
      status: 400,
      errors: errors.map((error) => ({ ...error, message: `${error.message}, which ${others}` })),
    });
  });

  test.each(showing('bodyInvalid'))('$operation.operationId bodyInvalid', async (route) => {
    const { method, operation } = route;
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
    const request = json({ ...(example?.value as object), colour: 'red' });
    const fields = Object.keys(
      propertiesOf(contract, operation.requestBody?.content['application/json']?.schema),
    );
    const names = new Intl.ListFormat('en-GB').format(fields);
    const errors = shared['bodyInvalid']?.value.errors as { message: string }[];
    expect(
      await refusalOf(withoutState, examplePathOf(route), { ...request, method: method.toUpperCase() }),
    ).toEqual({
      status: 400,
      errors: errors.map((error) => ({ ...error, message: `${error.message}, which takes ${names}` })),
    });
  });

  test('names no permission and no rate limit, because they differ', () => {
    const examples = ['permissionDenied', 'rateLimitExceeded'].map((name) => JSON.stringify(shared[name]));
    expect(examples.join()).not.toMatch(/can_|\d requests/);
  });
});
