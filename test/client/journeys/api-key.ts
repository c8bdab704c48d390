import { apiKey, createClient, UnauthorizedError, unwrap, uploadResource } from '@wrp/client';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { platform } from './platform.ts';

const { baseUrl, clock, given, world } = platform;
const credentials = await given.apiKey({ user: world.owner, homeWorkspace: world.workspace });
const minute = 60_000;

/** What went over the wire: the path and the status of every request. */
let wire: string[] = [];
beforeEach(() => {
  wire = [];
});
const fetchRecorded = async (request: Request) => {
  const response = await fetch(request);
  wire.push(`${new URL(request.url).pathname} ${response.status}`);
  return response;
};
const clientOf = (key = credentials) =>
  createClient({ baseUrl, token: apiKey(key), retries: 0, fetch: fetchRecorded });
type AnyClient = ReturnType<typeof clientOf>;
const roles = (client: AnyClient) => client.GET('/organizations/roles');
const times = <Result>(count: number, make: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, make));
const count = (entry: string) => wire.filter((each) => each === entry).length;

describe('apiKey', () => {
  test('signs in once, however many calls begin at the same time, and keeps the token', async () => {
    const client = clientOf();
    const answers = await times(20, () => roles(client));
    expect(answers.every(({ response }) => response.ok)).toBe(true);
    await unwrap(roles(client));
    expect(count('/auth/authorize 200')).toBe(1);
    expect(wire).toHaveLength(1 + 21);
  });

  test('20 calls whose access token has expired refresh it once, and all succeed', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(5 * minute);
    wire = [];
    const answers = await times(20, () => roles(client));
    expect(answers.every(({ response }) => response.ok)).toBe(true);
    expect(count('/organizations/roles 401')).toBe(20);
    expect(count('/auth/refresh 200')).toBe(1);
    expect(count('/organizations/roles 200')).toBe(20);
    expect(wire).toHaveLength(41);
  });

  test('a call that learns of the expiry after the refresh takes the new token', async () => {
    const others = Promise.withResolvers<void>();
    const client = createClient({
      baseUrl,
      token: apiKey(credentials),
      retries: 0,
      fetch: async (request) => {
        const response = await fetchRecorded(request);
        // The answer to this one is held back until the others are through.
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

  test('refreshes before the end of the token, so that calls do not have to be repeated', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = clientOf();
    await unwrap(roles(client));
    // The token lives for five minutes, for the platform as well, whose clock this is, too.
    vi.setSystemTime(Date.now() + 4.6 * minute);
    await unwrap(roles(client));
    expect(wire).toEqual([
      '/auth/authorize 200',
      '/organizations/roles 200',
      '/auth/refresh 200',
      '/organizations/roles 200',
    ]);
  });

  test('signs in again where the refresh token no longer counts', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(8 * 24 * 60 * minute);
    wire = [];
    await unwrap(roles(client));
    expect(wire).toEqual([
      '/organizations/roles 401',
      '/auth/refresh 401',
      '/auth/authorize 200',
      '/organizations/roles 200',
    ]);
  });

  test('a key that is refused is an UnauthorizedError of the call, and is asked for again by the next', async () => {
    const client = clientOf({ ...credentials, secret: 'wrong' });
    await expect(roles(client)).rejects.toThrow(UnauthorizedError);
    await expect(roles(client)).rejects.toThrow('credentials_invalid');
    expect(wire).toEqual(['/auth/authorize 401', '/auth/authorize 401']);
  });

  test('a sign-in whose connection breaks is repeated', async () => {
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

  test('a caller that gives up while the key signs in does not end it for the others', async () => {
    const client = clientOf();
    const controller = new AbortController();
    const given_up = client.GET('/organizations/roles', { signal: controller.signal });
    const other = roles(client);
    controller.abort(new Error('The user left.'));
    await expect(given_up).rejects.toThrow('The user left.');
    await unwrap(other);
    expect(count('/auth/authorize 200')).toBe(1);
  });
});

describe('a 401 about a token that there is a newer one for', () => {
  test('is repeated with the whole body: JSON, and a file', async () => {
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

  test('is the answer for a stream, which cannot be sent twice; the next call has the new token', async () => {
    const client = clientOf();
    await unwrap(roles(client));
    clock.forward(5 * minute);
    const once = () => new Blob(['text']).stream();
    await expect(uploadResource(client, once())).rejects.toThrow(UnauthorizedError);
    await uploadResource(client, once());
    expect(count('/auth/refresh 200')).toBe(1);
    clock.forward(5 * minute);
    // What can be opened again is sent again.
    await uploadResource(client, once);
  });

  test('is the answer the second time', async () => {
    const client = createClient({ baseUrl, token: () => `tot_${Math.random()}`, fetch: fetchRecorded });
    const { response } = await roles(client);
    expect(response.status).toBe(401);
    expect(wire).toHaveLength(2);
  });

  test('is the answer at once where there is no other token', async () => {
    await roles(createClient({ baseUrl, token: 'tot_1', fetch: fetchRecorded }));
    await roles(createClient({ baseUrl, token: () => 'tot_1', fetch: fetchRecorded }));
    expect(wire).toHaveLength(2);
  });
});
