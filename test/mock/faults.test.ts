import { apiKey, createClient } from '@wrp/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { apiKeyOf } from '../../scripts/mock/stateful/mock-users.ts';
import { served, statefulMock, theBundle } from './support.ts';

const contract = await theBundle();
const examples = await exampleMock(contract);
const mocks = [
  { name: 'without state', base: await served(examples.listener) },
  { name: 'with state', base: (await statefulMock()).baseUrl },
];
const json = { 'Content-Type': 'application/json' };
const users = '/organizations/users';
const workspaces = '/organizations/workspaces';

describe.each(mocks)('faults of the mock $name', ({ base }) => {
  const get = (path: string) => fetch(base + path, { headers: { Authorization: 'any' } });
  const call = async (method: string, body?: unknown) => {
    const response = await fetch(`${base}/__mock/faults`, {
      method,
      ...(body !== undefined && { headers: json, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { faults: object[] } };
  };
  const clear = () => call('DELETE');

  test('apply to the next requests of an operation, and to no others', async () => {
    const added = await call('POST', { operation: 'listUsers', status: 503, times: 2 });
    expect(added).toEqual({
      status: 200,
      body: { faults: [{ operation: 'listUsers', status: 503, times: 2 }] },
    });
    expect((await get(workspaces)).status).toBe(200);
    const failed = await get(users);
    expect(failed.status).toBe(503);
    expect(await failed.json()).toMatchObject({ errors: [{ code: 'service_unavailable' }] });
    expect((await call('GET')).body.faults).toEqual([{ operation: 'listUsers', status: 503, times: 1 }]);
    expect((await get(users)).status).toBe(503);
    expect((await get(users)).status).toBe(200);
    expect((await call('GET')).body.faults).toEqual([]);
  });

  test('have the example that they name', async () => {
    const post = () =>
      fetch(`${base}/workflows`, {
        method: 'POST',
        headers: { ...json, Authorization: 'any' },
        body: '{"workflowDefinitionId":"4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01"}',
      });
    const fault = { operation: 'startWorkflow', example: 'parametersMismatch', times: 1 };
    expect((await call('POST', fault)).status).toBe(200);
    expect(await (await post()).json()).toMatchObject({ errors: [{ code: 'parameters_mismatch' }] });
    expect((await post()).status).toBe(200);
  });

  test('let a client renew its token each time that it has expired', async () => {
    const key = apiKeyOf(contract);
    const client = createClient({ baseUrl: base, token: apiKey(key), retries: 0 });
    const fault = { operation: 'listOrganizationRoles', example: 'tokenExpired', times: 1 };
    for (let count = 0; count < 3; count++) {
      await call('POST', fault);
      expect((await client.GET('/organizations/roles')).response.status).toBe(200);
    }
  });

  test.each([
    [{ example: 'parametersMismatch' }, 'needs an operation'],
    [{ operation: 'startWorkflow', example: 'x' }, /does not document the example x; .*parametersMismatch/],
    [
      { operation: 'startWorkflow', example: 'parametersMismatch', status: 404 },
      /does not document the example/,
    ],
    [{ operation: 'startWorkflow', example: 1 }, 'must be the name of an example'],
  ])('cannot have an example like %j', async (fault, message) => {
    const { status, body } = await call('POST', fault);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ pointer: '/example', message: expect.stringMatching(message) }],
    });
  });

  test('stay until they are deleted', async () => {
    await call('POST', { status: 503 });
    const statuses = [await get(users), await get(workspaces), await get(users)].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503]);
    expect((await clear()).body.faults).toEqual([]);
    expect((await get(users)).status).toBe(200);
  });

  test('apply to a share of the requests', async () => {
    await call('POST', { status: 503, share: 0.5 });
    const statuses = [];
    for (let count = 0; count < 60; count++) statuses.push((await get(workspaces)).status);
    await clear();
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  test.each([
    [{ status: 503 }, '1'],
    [{ status: 429 }, '1'],
    [{ status: 429, retryAfterSeconds: 30 }, '30'],
    [{ status: 404, retryAfterSeconds: 30, operation: 'getUser' }, null],
  ])('%j has Retry-After %s', async (fault, seconds) => {
    await call('POST', { ...fault, times: 1 });
    const response = await get(
      fault.status === 404 ? `${users}/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02` : users,
    );
    expect([response.status, response.headers.get('Retry-After')]).toEqual([fault.status, seconds]);
  });

  test('send an undocumented status as a proxy does', async () => {
    await call('POST', { status: 502, times: 1 });
    const response = await get(users);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      502,
      'text/html; charset=utf-8',
    ]);
  });

  test('delay the request, or the body', async () => {
    await call('POST', { delaySeconds: 0.3, times: 1 });
    let startedAt = performance.now();
    await get(users);
    expect(performance.now() - startedAt).toBeGreaterThan(295);
    await call('POST', { bodySeconds: 0.3, times: 1 });
    startedAt = performance.now();
    const body = await (await get(users)).json();
    expect(performance.now() - startedAt).toBeGreaterThan(250);
    expect(body).toHaveProperty('content');
  });

  test.each([
    ['a small file', 1_000, {}, 201],
    ['a file of many chunks', 3_000_000, {}, 201],
    ['a file that is refused', 3_000_000, { status: 503 }, 503],
    ['a file that an undocumented status refuses', 3_000_000, { status: 502 }, 502],
    ['a file whose response is dropped', 3_000_000, { drop: 'response' }, undefined],
  ])('slow down an upload: %s', async (_what, size, others, status) => {
    await call('POST', { uploadSeconds: 0.4, ...others, times: 1 });
    const body = new FormData();
    body.set('file', new File([new Uint8Array(size)], 'a.bin'));
    const startedAt = performance.now();
    const headers = { Authorization: 'any' };
    const response = await fetch(`${base}/resources`, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    expect(response?.status).toBe(status);
    expect(performance.now() - startedAt).toBeGreaterThan(395);
    if (status === 201) expect(await response?.json()).toHaveProperty('resourceId');
  });

  test('slow down an upload of unknown length, and no request without a body', async () => {
    await call('POST', { uploadSeconds: 60, times: 1 });
    expect((await get(users)).status).toBe(200);
    await call('POST', { uploadSeconds: 0.4, times: 1 });
    const startedAt = performance.now();
    const body = new Blob([JSON.stringify({ workflowDefinitionId: 'x' })]).stream();
    const headers = { ...json, Authorization: 'any' };
    const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${base}/workflows`, sent)).status).toBe(400);
    expect(performance.now() - startedAt).toBeGreaterThan(395);
  });

  test.each(['request', 'response'])('close the connection: drop %s', async (drop) => {
    await call('POST', { drop, times: 1 });
    await expect(get(users)).rejects.toThrow('fetch failed');
    expect((await get(users)).status).toBe(200);
  });

  test.each([
    [{}, '', 'must have status, example, delaySeconds, uploadSeconds, bodySeconds or drop'],
    [{ status: 200 }, '/status', 'must be a whole number from 400 to 599'],
    [
      { status: 503, operation: 'listUser' },
      '/operation',
      'is not an operation of the contract. Did you mean `listUsers`?',
    ],
    [{ status: 503, time: 2 }, '/time', 'time is not a property of a fault, which takes operation, status,'],
    [{ delaySeconds: '2' }, '/delaySeconds', 'must be a number from 0 to 60'],
    [{ drop: 'request', status: 503 }, '/status', 'is not sent if the connection is dropped'],
    [
      { drop: 'request', uploadSeconds: 1 },
      '/uploadSeconds',
      'is without effect if the connection is dropped',
    ],
    [{ uploadSeconds: 61 }, '/uploadSeconds', 'must be a number from 0 to 60'],
    [{ status: 503, share: 2 }, '/share', 'must be a number from 0.001 to 1'],
    [{ status: 503, retryAfterSeconds: 0.5 }, '/retryAfterSeconds', 'must be a whole number from 0 to 3600'],
    [{ delaySeconds: 1, retryAfterSeconds: 5 }, '/retryAfterSeconds', 'needs a status'],
  ])('refuse %j: 400 body_invalid', async (fault, pointer, message) => {
    const refused = await call('POST', fault);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: [{ code: 'body_invalid', pointer, message: expect.stringContaining(message) }],
    });
    expect((await call('GET')).body.faults).toEqual([]);
  });

  test('are shown and cleared on the page', async () => {
    await call('POST', { operation: 'listUsers', status: 503, times: 2 });
    await call('POST', { drop: 'request', share: 0.2 });
    const asBrowser = { headers: { Accept: 'text/html' } };
    const page = await fetch(`${base}/__mock`, asBrowser);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const text = await page.text();
    const cells = [...text.matchAll(/<td>(?:<code>)?([^<]*)/g)].map(([, cell]) => cell);
    expect(cells).toEqual(
      expect.arrayContaining([
        'listUsers',
        'status 503',
        'the next 2',
        'all operations',
        'connection closed before the request is handled',
        '20% of requests',
      ]),
    );
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(text) ?? [];
    const cleared = await fetch(base + action, {
      method: 'POST',
      headers: { ...asBrowser.headers, Origin: base },
    });
    expect(await cleared.text()).not.toContain('listUsers');
    expect((await call('GET')).body.faults).toEqual([]);
  });

  test('the contract is at /openapi.json', async () => {
    expect(await (await fetch(`${base}/openapi.json`)).json()).toHaveProperty('paths');
  });
});

test('a reset clears the faults of the mock with state', async () => {
  const base = mocks[1]?.base;
  await fetch(`${base}/__mock/faults`, { method: 'POST', headers: json, body: '{"status": 503}' });
  await fetch(`${base}/__mock/reset`, { method: 'POST' });
  expect(await (await fetch(`${base}/__mock/faults`)).json()).toEqual({ faults: [] });
});

test('faults apply to requests in the same process', async () => {
  const ask = () => examples.fetch(new Request(`http://mock${users}`, { headers: { Authorization: 'any' } }));
  examples.faults.add({ status: 503, times: 1 });
  expect((await ask()).status).toBe(503);
  examples.faults.add({ status: 503, retryAfterSeconds: 2, times: 1 });
  expect((await ask()).headers.get('Retry-After')).toBe('2');
  examples.faults.add({ drop: 'request', times: 1 });
  await expect(ask()).rejects.toThrow('fetch failed');
  examples.faults.add({ bodySeconds: 0.2, times: 1 });
  expect(await (await ask()).json()).toHaveProperty('content');
});

test.each<[what: string, fault: object | undefined, prefer: Record<string, string>]>([
  ['a delayed request', { delaySeconds: 29 }, {}],
  ['a delayed body', { bodySeconds: 29 }, {}],
  ['a preferred delay', undefined, { Prefer: 'wait=29' }],
])('%s in the same process ends with the reason of its signal', async (_, fault, prefer) => {
  if (fault) examples.faults.add({ ...fault, times: 1 });
  const reason = new Error('The page is closed.');
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { Authorization: 'any', ...prefer };
  onTestFinished(() => void vi.restoreAllMocks());
  const started = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const asked = examples
    .fetch(new Request(`http://mock${users}`, { headers, signal }))
    .then((response) => response.text());
  setTimeout(() => controller.abort(reason), 50);
  await expect(asked).rejects.toBe(reason);
  // Of a body, each of 10 parts waits.
  const delays = started.mock.calls.flatMap(([, delay], call) =>
    delay === 29_000 || delay === 2900 ? [started.mock.results[call]?.value] : [],
  );
  expect(delays).toHaveLength(1);
  expect(cleared).toHaveBeenCalledWith(delays[0]);
});

test('a request that is aborted before it is sent uses up no fault', async () => {
  examples.faults.add({ status: 503, times: 1 });
  const request = new Request(`http://mock${users}`, { signal: AbortSignal.abort() });
  await expect(examples.fetch(request)).rejects.toThrow('This operation was aborted');
  expect(examples.faults.list()).toHaveLength(1);
  examples.faults.clear();
});

test('a body that never ends is read until the signal of its request aborts', async () => {
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"firstName":')) });
  const headers = { Authorization: 'any', ...json };
  const signal = AbortSignal.timeout(50);
  const request = new Request('http://mock/workflows', {
    ...{ method: 'POST', headers, body, signal },
    duplex: 'half',
  } as RequestInit);
  await expect(examples.fetch(request)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('fake timers advance the delays of requests in the same process, and nothing else waits for them', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ask = () => examples.fetch(new Request(`http://mock${users}`, { headers: { Authorization: 'any' } }));
  expect((await ask()).status).toBe(200);
  examples.faults.add({ delaySeconds: 30, times: 1 });
  const asked = ask();
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await asked).status).toBe(200);
});

test('an upload in the same process is read evenly, in the seconds of its fault', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const chunk = Buffer.alloc(100_000);
  const form = ['--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n', '\r\n--b--\r\n'];
  const chunks = [Buffer.from(form[0] ?? ''), ...Array<Buffer>(40).fill(chunk), Buffer.from(form[1] ?? '')];
  let pulled = 0;
  const body = new ReadableStream({
    pull(stream) {
      const next = chunks[pulled++];
      if (next) stream.enqueue(next);
      else stream.close();
    },
  });
  const headers = {
    Authorization: 'any',
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(chunks.reduce((sum, { length }) => sum + length, 0)),
  };
  examples.faults.add({ uploadSeconds: 10, times: 1 });
  const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const asked = examples.fetch(new Request('http://mock/resources', sent));
  const progress = [];
  for (let second = 1; second <= 9; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    progress.push(pulled / chunks.length);
  }
  await vi.advanceTimersByTimeAsync(1_500);
  expect((await asked).status).toBe(201);
  for (const [index, share] of progress.entries())
    expect(Math.abs(share - (index + 1) / 10)).toBeLessThan(0.15);
});

test('the first page of the mock without state is its description', async () => {
  const description = await (await fetch(`${mocks[0]?.base}/`)).json();
  expect(description).toMatchObject({ mode: 'examples', version: expect.any(String), faults: [] });
});
