import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { withClosedObjects } from '../../server/contract/closed-objects.ts';
import { resolve } from '../../server/contract/document.ts';
import { type OperationObject, routesOf } from '../../server/contract/routes.ts';
import { pointerTo } from '../../server/json/index.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const mock = await createMock(contract);
const routes = routesOf(contract);
const token = 'tot_0123456789';
let base = '';

beforeAll(async () => {
  await new Promise<void>((listening) => mock.server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(mock.server.address() as AddressInfo).port}`;
});
afterAll(() => mock.server.close());

// The bundle's schemas refer to each other by the document's address.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ ...withClosedObjects(contract), $id: 'https://contract.example/' });

const documented = routes.flatMap(({ path, method, operation }) =>
  Object.entries(operation.responses).flatMap(([status, response]) => {
    const media = Object.entries(response.content ?? {});
    const cases = media.flatMap(([type, { examples = {} }]) =>
      Object.entries(examples).map(([example, { value }]) => ({ type, example, value })),
    );
    const bodiless = [{ type: undefined, example: undefined, value: undefined }];
    return (media.length > 0 ? cases : bodiless).map((one) => ({
      path,
      method,
      operation,
      status,
      response,
      ...one,
    }));
  }),
);

test('every documented body has an example', () => {
  const without = routes.flatMap(({ operation }) =>
    Object.entries(operation.responses)
      .filter(([, { content = {} }]) =>
        Object.values(content).some(({ examples }) => !Object.keys(examples ?? {})[0]),
      )
      .map(([status]) => `${operation.operationId} ${status}`),
  );
  expect(without, 'add a named example to spec/examples and refer to it in the response').toEqual([]);
});

describe.each(routes)('$operation.operationId', ({ operation: { operationId } }) => {
  const cases = documented.filter(({ operation }) => operation.operationId === operationId);

  test.each(cases)('$status $example', async (one) => {
    const example = one.example === undefined ? '' : `, example=${one.example}`;
    const response = await send(one, { Prefer: `code=${one.status}${example}` });
    expect(response.status).toBe(Number(one.status));

    const requestId = response.headers.get('Request-Id');
    for (const [name, header] of Object.entries(one.response.headers ?? {})) {
      if (header.required) expect(response.headers.has(name), `header ${name}`).toBe(true);
    }
    const text = await response.text();
    if (one.type === undefined) return expect(text).toBe('');
    const charset = one.type.startsWith('text/') ? '; charset=utf-8' : '';
    if (!one.type.includes('*')) expect(response.headers.get('Content-Type')).toBe(`${one.type}${charset}`);
    const body = one.type.endsWith('json') ? JSON.parse(text) : text;
    expect(body).toEqual(withFingerprint(here(one.value), requestId));

    const pointer = ['paths', one.path, one.method, 'responses', one.status, 'content', one.type, 'schema'];
    const validate = ajv.getSchema(schemaAddress(pointer));
    expect(validate?.(body), ajv.errorsText(validate?.errors)).toBe(true);
  });

  test('refuses an undocumented status: 400 parameter_invalid', async () => {
    const [one] = cases;
    if (!one) return;
    const response = await send(one, { Prefer: 'code=418' });
    expect(response.status).toBe(400);
    expect(await codesOf(response)).toEqual(['parameter_invalid']);
  });
});

const secured = routes.filter(({ operation }) => operation.security?.length);

test.each(secured)('$operation.operationId without a token: 401 credentials_missing', async (route) => {
  const response = await fetch(base + addressOf(route.path), { method: route.method.toUpperCase() });
  expect(response.status).toBe(401);
  expect(response.headers.get('WWW-Authenticate')).toBeTruthy();
  expect(await codesOf(response)).toEqual(['credentials_missing']);
});

const withBody = routes.filter(({ operation }) => operation.requestBody);

test.each(withBody)('$operation.operationId with a body of another type: 415', async (route) => {
  const response = await send(route, { 'Content-Type': 'text/csv' }, 'a,b');
  expect(response.status).toBe(415);
  expect(await codesOf(response)).toEqual(['content_type_unsupported']);
});

test.each(withBody)('$operation.operationId with a broken body: 400', async (route) => {
  const [type = ''] = Object.keys(route.operation.requestBody?.content ?? {});
  const isForm = type.startsWith('multipart/');
  const response = await send(route, { 'Content-Type': isForm ? `${type}; boundary=x` : type }, '{"a":');
  expect(response.status).toBe(400);
  expect(await codesOf(response)).toEqual([isForm ? 'multipart_malformed' : 'body_malformed']);
});

test.each(withBody)('$operation.operationId takes its own request examples', async (route) => {
  for (const [type, { examples = {} }] of Object.entries(route.operation.requestBody?.content ?? {})) {
    for (const [name, { value }] of Object.entries(examples)) {
      const isForm = type === 'multipart/form-data';
      const body = isForm ? formOf(route.operation, value as Fields) : JSON.stringify(value);
      const response = await send(route, isForm ? {} : { 'Content-Type': type }, body);
      expect(response.status, `${name}: ${await response.clone().text()}`).toBeLessThan(300);
    }
  }
});

type Fields = Record<string, string | string[]>;

function formOf({ form: declared }: OperationObject, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) {
      if (declared?.files.includes(name)) form.append(name, new Blob([item]), 'file.pdf');
      else form.append(name, item);
    }
  }
  return form;
}

function send(
  { path, method }: { path: string; method: string },
  headers: Record<string, string>,
  body?: string | FormData,
): Promise<Response> {
  const given = body ?? successBody(path, method);
  const type: Record<string, string> =
    typeof given === 'string' ? { 'Content-Type': 'application/json' } : {};
  return fetch(base + addressOf(path), {
    method: method.toUpperCase(),
    headers: { Authorization: token, ...type, ...headers },
    redirect: 'manual',
    ...(given !== undefined && { body: given }),
  });
}

/** The first example of the request body, which gets a success. */
function successBody(path: string, method: string): string | FormData | undefined {
  const route = routes.find((one) => one.path === path && one.method === method);
  const [entry] = Object.entries(route?.operation.requestBody?.content ?? {});
  if (!route || !entry) return undefined;
  const value = Object.values(entry[1].examples ?? {})[0]?.value;
  return entry[0] === 'multipart/form-data'
    ? formOf(route.operation, value as Fields)
    : JSON.stringify(value);
}

/** The path with the identifiers that the contract shows. */
function addressOf(path: string): string {
  const parameters = routes.find((route) => route.path === path)?.operation.parameters ?? [];
  const idOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.example;
  return path.replaceAll(/\{([^}]+)\}/g, (_, name) => String(idOf(name)));
}

async function codesOf(response: Response): Promise<string[]> {
  const { fingerprint, errors } = (await response.json()) as {
    fingerprint: string;
    errors: { code: string }[];
  };
  expect(fingerprint).toBe(response.headers.get('Request-Id'));
  return errors.map(({ code }) => code);
}

/** URLs in the examples lead to the mock. */
function here(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('https://api.wrp.example', base));
}

function withFingerprint(value: unknown, requestId: string | null): unknown {
  const isError = typeof value === 'object' && value !== null && 'fingerprint' in value;
  return isError ? { ...value, fingerprint: requestId } : value;
}

/** The schema's location after the response's own `$ref` is resolved. */
function schemaAddress(pointer: string[]): string {
  let node: unknown = contract;
  let at = '';
  for (const key of pointer) {
    const reference = (node as { $ref?: string }).$ref;
    if (reference) at = reference.slice(1);
    node = (resolve(contract, node) as Record<string, unknown>)[key];
    at += pointerTo(key);
  }
  return `https://contract.example/#${encodeURI(at)}`;
}
