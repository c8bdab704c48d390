import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import * as client from '@wrp/client';
import { operations } from '@wrp/client/operations';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from '../../client/src/status-errors.ts';
import { errorBody } from './support.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const statuses = new Set<number>(
  Object.values(contract.paths as Record<string, Record<string, { responses?: object }>>)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.keys(responses ?? {}).map(Number))
    .filter((status) => status >= 400),
);

describe('errorOf', () => {
  test.each([...statuses])('returns the class for the declared status %i', (status) => {
    const error = errorOf(new Response(null, { status }), errorBody('internal_error'));
    expect(error).toBeInstanceOf(client.ApiError);
    expect(error.constructor).not.toBe(client.ApiError);
    expect(error.name).toBe(error.constructor.name);
    expect(client).toHaveProperty(error.name, error.constructor);
    expect(error).toMatchObject({ status, code: 'internal_error' });
  });

  test('returns an ApiError for any other status', () => {
    expect(errorOf(new Response(null, { status: 418 }), 'short and stout').constructor).toBe(client.ApiError);
  });

  test('has the message of every error', () => {
    const errors = [
      { code: 'body_invalid', message: 'roleId is not a valid UUID', pointer: '/roleId' },
      { code: 'parameter_invalid', message: 'size must be at most 100', parameter: 'size' },
    ];
    const { message } = errorOf(new Response(null, { status: 400 }), { fingerprint: '1', errors });
    expect(message).toBe('body_invalid: roleId is not a valid UUID; size must be at most 100');
  });

  test('reads retryAfter in seconds from a number or a date', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-19T09:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const after = (value: string) =>
      errorOf(new Response(null, { status: 429, headers: { 'Retry-After': value } }), {}).retryAfter;
    expect(after('41')).toBe(41);
    expect(after('Thu, 19 Nov 2026 09:00:05 GMT')).toBe(5);
    expect(after('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
    expect(after('soon')).toBeUndefined();
  });
});

describe('the error of a call', () => {
  const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
  const refused = Response.json(errorBody('user_not_found'), { status: 404 });
  const page = new Response('<h1>Sign in</h1>');
  const clientOf = (response: Response) =>
    client.createClient({ baseUrl: 'https://api.example', token: null, fetch: async () => response.clone() });
  const params = { path: { userId } };
  const operation = 'GET /organizations/users/{userId}';
  const key = client.webhookVerifier({
    baseUrl: 'https://api.example',
    fetch: async () => Response.json(errorBody('internal_error'), { status: 403 }),
  });
  const head = btoa(JSON.stringify({ alg: 'ES256', kid: userId, iat: Date.now() / 1000 })).replaceAll(
    '=',
    '',
  );
  const signature = `${head}..${'A'.repeat(86)}`;

  test.each<[what: string, call: () => Promise<unknown>, operation: string]>([
    [
      'GET',
      () => client.unwrap(clientOf(refused).GET('/organizations/users/{userId}', { params })),
      operation,
    ],
    ['a named method', () => operations(clientOf(refused)).users.get(userId), operation],
    [
      'follow, whose URL may be secret,',
      () => client.unwrap(clientOf(refused).follow('https://files.example/secret')),
      'GET of a followed URL',
    ],
    [
      'a webhook verifier',
      () => key('{}', { 'webhook-signature': signature }),
      `GET https://api.example/auth/webhooks/key/${userId}`,
    ],
  ])('of %s names its operation', async (_what, call, named) => {
    const error = await call().then(
      () => undefined,
      (caught) => caught,
    );
    if (!(error instanceof client.ApiError)) throw new Error('no ApiError', { cause: error });
    expect(error.operation).toBe(named);
    expect(error.message.endsWith(` (${named})`)).toBe(true);
    expect(inspect(error)).not.toContain('files.example');
  });

  test.each([
    ['an error response', refused],
    ['a response that is not JSON', page],
  ])('of %s is printed in a few lines, without its response', async (_what, response) => {
    const call = client.unwrap(clientOf(response).GET('/organizations/users/{userId}', { params }));
    const error = await call.then(
      () => new Error('no error'),
      (caught) => caught as Error,
    );
    expect(error).toHaveProperty('response', expect.any(Response));
    const { cause: _, ...shown } = Object.assign(Object.create(Object.getPrototypeOf(error)), error);
    expect(inspect(shown).split('\n').length).toBeLessThan(12);
    expect(inspect(error)).not.toMatch(/Headers|Response \{/);
  });
});

test('an error without a response has an empty list of errors, so that one catch block handles all errors', () => {
  const failures = [
    new client.ConnectionError(new Error('reset'), 'https://api.example.com'),
    new client.TimeoutError('call', 10, 'GET /organizations/roles'),
    new client.ResponseParseError(new Response('<html>'), new SyntaxError('Unexpected token')),
  ];
  for (const error of failures) expect(error.errors, error.name).toEqual([]);
});

describe('fromPath', () => {
  test('names the path that does not exist or is not a file', async () => {
    await expect(client.fromPath('/nope.pdf')).rejects.toThrow(
      "ENOENT: no such file or directory, access '/nope.pdf'",
    );
    await expect(client.fromPath(pathToFileURL('/nope.pdf'))).rejects.toThrow('/nope.pdf');
    await expect(client.fromPath('generated')).rejects.toThrow('generated is not a file.');
  });
});
