import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Received, send } from '../../scripts/prove/attack/send.ts';
import { api as startApi } from '../support/api.ts';
import { operations } from './support/contract.ts';
import { requestsOf, toSend, type ValidRequest, withToken } from './support/requests.ts';

/** RFC 9110, 9.3.2: HEAD is GET without the body. */
const api = await startApi();
const requests = requestsOf(api);
const { owner, outsider } = api;

/** They differ between any two responses. */
const varying = ['request-id', 'ratelimit', 'date', 'connection', 'keep-alive'];
const seen = ({ status, headers }: Received) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.includes(name))),
});

async function both(request: ValidRequest, token?: string, headers = {}): Promise<[Received, Received]> {
  const ask = (method: string) =>
    send(api.baseUrl, { ...withToken({ ...toSend(request), headers }, token), method });
  const get = await ask('GET');
  return [get, await ask('HEAD')];
}

const readable = operations.filter(({ method }) => method === 'GET');

describe.each(readable)('HEAD of $id', (operation) => {
  const elsewhere = (valid: ValidRequest) => ({
    ...valid,
    path: Object.fromEntries(Object.keys(valid.path).map((name) => [name, randomUUID()])),
  });

  test('has the status and the headers of GET, and no body', async () => {
    const valid = await requests.valid(operation);
    const callers: [ValidRequest, string | undefined][] = [
      [valid, owner.token],
      [valid, undefined],
      [valid, outsider.token],
      [elsewhere(valid), owner.token],
    ];
    for (const [request, token] of callers) {
      const [get, head] = await both(request, token);
      expect(seen(head)).toEqual(seen(get));
      expect(head.text).toBe('');
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    }
  });

  test('is an allowed method', async () => {
    const target = toSend(await requests.valid(operation)).target;
    const { status, headers } = await send(api.baseUrl, { method: 'PATCH', target, headers: {} });
    expect([status, headers['allow']]).toEqual([405, expect.stringMatching(/^GET, HEAD(, |$)/)]);
  });
});

describe('HEAD of a file', () => {
  const download = operations.find(({ id }) => id === 'downloadResource') as (typeof operations)[number];

  test('ignores Range, which is defined for GET only (RFC 9110, 14.2)', async () => {
    const request = await requests.valid(download);
    const [part, head] = await both(request, owner.token, { Range: 'bytes=0-1' });
    const [whole] = await both(request, owner.token);
    expect([part.status, head.status]).toEqual([206, 200]);
    expect(seen(head)).toEqual(seen(whole));
  });

  test('tells whether a copy is current', async () => {
    const request = await requests.valid(download);
    const [{ headers }] = await both(request, owner.token);
    const [get, head] = await both(request, owner.token, { 'If-None-Match': headers['etag'] });
    expect([get.status, head.status]).toEqual([304, 304]);
    expect(seen(head)).toEqual(seen(get));
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
