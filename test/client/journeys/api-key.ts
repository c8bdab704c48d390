import { apiKey, createClient, UnauthorizedError, unwrap, uploadResource } from '@wrp/client';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { platform } from './platform.ts';

const { baseUrl, clock, given, world } = platform;
const credentials = await given.apiKey({ user: world.owner, homeWorkspace: world.workspace });
const minute = 60_000;

/** Path and status of every request. */
let requests: string[] = [];
beforeEach(() => {
  requests = [];
});
const fetchRecorded = async (request: Request) => {
  const response = await fetch(request);
  requests.push(`${new URL(request.url).pathname} ${response.status}`);
  return response;
};
const clientOf = (key = credentials) =>
  createClient({ baseUrl, token: apiKey(key), retries: 0, fetch: fetchRecorded });
type AnyClient = ReturnType<typeof clientOf>;
const roles = (client: AnyClient) => client.GET('/organizations/roles');
const times = <Result>(count: number, make: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, make));
const count = (entry: string) => requests.filter((each) => each === entry).length;

describe('apiKey', () => {
  test('signs in once for concurrent calls and keeps the token', async () => {
    const client = clientOf();
    const results = await times(20, () => roles(client));
    expect(results.every(({ response }) => response.ok)).toBe(true);
    await unwrap(roles(client));
    expect(count('/auth/authorize 200')).toBe(1);
    expect(requests).toHaveLength(1 + 21);
  });

  test('refreshes an expired token once for 20 concurrent calls', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(5 * minute);
    requests = [];
    const results = await times(20, () => roles(client));
    expect(results.every(({ response }) => response.ok)).toBe(true);
    expect(count('/organizations/roles 401')).toBe(20);
    expect(count('/auth/refresh 200')).toBe(1);
    expect(count('/organizations/roles 200')).toBe(20);
    expect(requests).toHaveLength(41);
  });

  test('a call whose 401 arrives after the refresh uses the new token', async () => {
    const others = Promise.withResolvers<void>();
    const client = createClient({
      baseUrl,
      token: apiKey(credentials),
      retries: 0,
      fetch: async (request) => {
        const response = await fetchRecorded(request);
        // Delay this response until the other call has refreshed the token.
        if (request.url.endsWith('/workspaces') && response.status === 401) await others.promise;
        return response;
      },
    });
    await unwrap(roles(client));
    clock.forward(5 * minute);
    const slow = client.GET('/organizations/workspaces');
    await unwrap(roles(client));
    others.resolve();
    await unwrap(slow);
    expect(count('/auth/refresh 200')).toBe(1);
  });

  test('refreshes the token before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = clientOf();
    await unwrap(roles(client));
    // The token is valid for five minutes; client and platform share this clock.
    vi.setSystemTime(Date.now() + 4.6 * minute);
    await unwrap(roles(client));
    expect(requests).toEqual([
      '/auth/authorize 200',
      '/organizations/roles 200',
      '/auth/refresh 200',
      '/organizations/roles 200',
    ]);
  });

  test('signs in again if the refresh token has expired', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(8 * 24 * 60 * minute);
    requests = [];
    await unwrap(roles(client));
    expect(requests).toEqual([
      '/organizations/roles 401',
      '/auth/refresh 401',
      '/auth/authorize 200',
      '/organizations/roles 200',
    ]);
  });

  test('an invalid key throws an UnauthorizedError, and the next call tries again', async () => {
    const client = clientOf({ ...credentials, secret: 'wrong' });
    await expect(roles(client)).rejects.toThrow(UnauthorizedError);
    await expect(roles(client)).rejects.toThrow('credentials_invalid');
    expect(requests).toEqual(['/auth/authorize 401', '/auth/authorize 401']);
  });

  test('retries a sign-in after a connection error', async () => {
    let broken = 0;
    const client = createClient({
      baseUrl,
      token: apiKey(credentials),
      fetch: async (request) => {
        if (request.url.endsWith('/auth/authorize') && broken++ === 0) throw new TypeError('fetch failed');
        return fetchRecorded(request);
      },
    });
    await unwrap(roles(client));
    expect(count('/auth/authorize 200')).toBe(1);
  });

  test('an aborted call does not abort the sign-in for other calls', async () => {
    const client = clientOf();
    const controller = new AbortController();
    const aborted = client.GET('/organizations/roles', { signal: controller.signal });
    const other = roles(client);
    controller.abort(new Error('Stopped by the caller.'));
    await expect(aborted).rejects.toThrow('Stopped by the caller.');
    await unwrap(other);
    expect(count('/auth/authorize 200')).toBe(1);
  });
});

describe('a 401 for an outdated token', () => {
  test('is retried with the whole body, JSON or file', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(5 * minute);
    const parameters = {
      workflowDefinitionId: world.workflowDefinition.id,
      parameters: { text: 'ü'.repeat(9999) },
    };
    const stored = await unwrap(client.POST('/parameters', { body: parameters }));
    expect(stored.parametersId).toBeTruthy();
    clock.forward(5 * minute);
    const file = await uploadResource(client, new Uint8Array(100_000), { name: 'zeros' });
    expect(file.resourcePath).toBeTruthy();
    expect(count('/resources 401')).toBe(1);
  });

  test('is not retried for a stream, but the next call has the new token', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(5 * minute);
    const once = () => new Blob(['text']).stream();
    await expect(uploadResource(client, once())).rejects.toThrow(UnauthorizedError);
    await uploadResource(client, once());
    expect(count('/auth/refresh 200')).toBe(1);
    clock.forward(5 * minute);
    // A function that opens the stream can be retried.
    await uploadResource(client, once);
  });

  test('is not retried twice', async () => {
    const client = createClient({ baseUrl, token: () => `tot_${Math.random()}`, fetch: fetchRecorded });
    const { response } = await roles(client);
    expect(response.status).toBe(401);
    expect(requests).toHaveLength(2);
  });

  test('is retried although the renewed access token is the same', async () => {
    const token = () => ({ accessToken: 'of_the_same_second' });
    await roles(createClient({ baseUrl, token, fetch: fetchRecorded }));
    expect(requests).toHaveLength(2);
  });

  test('is not retried without another organization token', async () => {
    await roles(createClient({ baseUrl, token: 'tot_1', fetch: fetchRecorded }));
    await roles(createClient({ baseUrl, token: () => 'tot_1', fetch: fetchRecorded }));
    expect(requests).toHaveLength(2);
  });
});
