import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { type Received, send } from '../support/raw-requests.ts';
import { advice } from './support/advice.ts';
import { operations } from './support/contract.ts';
import { headError } from './support/refusals.ts';
import { assertAccepted, requestsOf, toSend, type ValidRequest, withToken } from './support/requests.ts';

/** RFC 9110, 9.3.2: HEAD is GET without the body. errors.test.ts compares the refusals. */
const api = await startApi();
const requests = requestsOf(api);
const { owner } = api;

async function both(request: ValidRequest, headers = {}): Promise<[Received, Received]> {
  const ask = (method: string) =>
    send(api.baseUrl, { ...withToken({ ...toSend(request), headers }, owner.token), method });
  const get = await ask('GET');
  return [get, await ask('HEAD')];
}

const readable = operations.filter(({ method }) => method === 'GET');

describe.each(readable)('HEAD of $id', (operation) => {
  test('has the status and the headers of GET, and no body', async () => {
    const [get, head] = await both(await requests.valid(operation));
    assertAccepted(operation, get);
    expect(headError(get, head), advice('head', operation)).toBeUndefined();
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });

  test('is listed in Allow', async () => {
    const target = toSend(await requests.valid(operation)).target;
    const declared = operations.filter(({ template }) => template === operation.template);
    const isFree = (method: string) => !declared.some((one) => one.method === method);
    const method = isFree('PATCH') ? 'PATCH' : 'TRACE';
    const { status, headers } = await send(api.baseUrl, { method, target, headers: {} });
    expect([status, headers['allow']]).toEqual([405, expect.stringMatching(/(?:^|, )GET, HEAD(?:, |$)/)]);
  });
});

describe('HEAD of a file', () => {
  const download = operations.find(({ id }) => id === 'downloadResource') as (typeof operations)[number];

  test('ignores Range, which is defined for GET only (RFC 9110, 14.2)', async () => {
    const request = await requests.valid(download);
    const [part, head] = await both(request, { Range: 'bytes=0-1' });
    const [whole] = await both(request);
    expect([part.status, head.status]).toEqual([206, 200]);
    expect(headError(whole, head)).toBeUndefined();
  });

  test('returns 304 for a current copy', async () => {
    const request = await requests.valid(download);
    const [{ headers }] = await both(request);
    const [get, head] = await both(request, { 'If-None-Match': headers['etag'] });
    expect(get.status).toBe(304);
    expect(headError(get, head)).toBeUndefined();
  });
});

test('HEAD of a path without GET is refused', async () => {
  const without = operations.filter(({ template }) => !readable.some((one) => one.template === template));
  for (const { template } of without) {
    const target = template.replaceAll(/\{[^}]+\}/g, randomUUID());
    const { status, headers } = await send(api.baseUrl, { method: 'HEAD', target, headers: {} });
    expect([status, headers['allow']?.includes('HEAD')]).toEqual([405, false]);
  }
});
