import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { ApiError, createClient, type TokenSource, unwrap } from '@wrp/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isPublic } from '../../client/src/authorization.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { routesOf } from '../../server/contract/routes.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const mock = await createMock(contract);
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
let baseUrl = '';
let sent: Request[] = [];

beforeAll(async () => {
  await new Promise<void>((listening) => mock.server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(mock.server.address() as AddressInfo).port}`;
});
afterAll(() => mock.server.close());
beforeEach(() => {
  sent = [];
});

function clientWith(token?: TokenSource) {
  const recording = (request: Request) => {
    sent.push(request.clone());
    return fetch(request);
  };
  return createClient({ baseUrl, retries: 0, fetch: recording, ...(token !== undefined && { token }) });
}

const user = { params: { path: { userId } } };

test('the client sends an organization token unchanged and an access token as Bearer', async () => {
  await clientWith('tot_1').GET('/organizations/users/{userId}', user);
  await clientWith({ accessToken: 'ey1' }).GET('/organizations/users/{userId}', user);
  await clientWith(async () => ({ accessToken: 'ey2' })).GET('/organizations/users/{userId}', user);
  expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual([
    'tot_1',
    'Bearer ey1',
    'Bearer ey2',
  ]);
});

test("a call's own Authorization header takes precedence", async () => {
  await clientWith('tot_1').GET('/organizations/users', { headers: { Authorization: 'tot_2' } });
  expect(sent[0]?.headers.get('Authorization')).toBe('tot_2');
});

test('a token source can call public operations, which are those under /auth/', async () => {
  const client = clientWith(async () => {
    const body = { refreshToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' };
    return unwrap(client.POST('/auth/refresh', { body, headers: { Prefer: 'code=200' } }));
  });
  await unwrap(client.GET('/organizations/users/{userId}', user));
  expect(sent.map(({ headers }) => headers.has('Authorization'))).toEqual([false, true]);
  for (const { path, operation } of routesOf(contract)) {
    expect(isPublic(path), path).toBe(operation.security?.length === 0);
  }
});

test('the client sends a body with a file as a form with repeated fields', async () => {
  const file = new File(['%PDF-'], 'Prüfbericht.pdf', { type: 'application/pdf' });
  const path = {
    tableId: '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01',
    recordId: '2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01',
  };
  const body = { file, tags: ['a,b', 'ü'] };
  const attachments = '/tables/{tableId}/records/{recordId}/attachments';
  const attachment = await unwrap(clientWith('tot_1').POST(attachments, { params: { path }, body }));
  expect(attachment.recordId).toBeTruthy();
  const form = await sent[0]?.formData();
  expect(form?.getAll('tags')).toEqual(['a,b', 'ü']);
  const part = form?.get('file') as File;
  expect([part.name, part.type, await part.text()]).toEqual(['Prüfbericht.pdf', 'application/pdf', '%PDF-']);
});

test('the client reads a download as a blob', async () => {
  const params = { path: { resourceId: 'c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01' } };
  const blob = await unwrap(clientWith('tot_1').GET('/resources/{resourceId}', { params, parseAs: 'blob' }));
  expect([blob.type, (await blob.text()).slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
});

test('unwrap returns undefined for a success without a body', async () => {
  expect(
    await unwrap(clientWith('tot_1').POST('/organizations/users/{userId}/reset-mfa', user)),
  ).toBeUndefined();
});

test('unwrap throws an ApiError with code, fingerprint and request ID', async () => {
  const call = clientWith('tot_1').GET('/organizations/users/{userId}', {
    ...user,
    headers: { Prefer: 'code=404' },
  });
  const error = await unwrap(call).catch((caught) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, code: 'user_not_found', errors: [{ code: 'user_not_found' }] });
  expect(error.message).toMatch(/^user_not_found: /);
  expect(error.fingerprint).toBe(error.requestId);
});

test("unwrap throws an ApiError without a code for a proxy's page", async () => {
  const page = () => Promise.resolve(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
  const client = createClient({ baseUrl, retries: 0, fetch: page });
  const error = await unwrap(client.GET('/organizations/users')).catch((caught) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ name: 'BadGatewayError', status: 502, code: undefined, errors: [] });
  expect(error.message).toBe('HTTP 502 Bad Gateway (GET /organizations/users)');
});
