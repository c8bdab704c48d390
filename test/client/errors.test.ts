import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import * as client from '@wrp/client';
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

  test('names the field or the parameter of every error in the message', () => {
    const errors = [
      { code: 'body_invalid', message: 'must be a UUID', pointer: '/roleId' },
      { code: 'parameter_invalid', message: 'must be at most 100', parameter: 'size' },
    ];
    const { message } = errorOf(new Response(null, { status: 400 }), { fingerprint: '1', errors });
    expect(message).toBe('body_invalid: must be a UUID (/roleId); must be at most 100 (size)');
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
