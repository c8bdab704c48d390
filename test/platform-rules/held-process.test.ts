import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { inParallel } from '../support/raw-requests.ts';
import { bodyOf, responseOf } from '../support/responses.ts';
import { heldUp, hold, until } from '../support/waiting.ts';
import { fragileDatabase } from '../sweeps/support/faults.ts';

/** Decisions 16 and 17 of the guide "Limits and decisions", for a process that is held and connections that break. */
const count = 100;
const { url: databaseUrl, confirmation, query } = await fragileDatabase();
const platform = await api({ databaseUrl, databaseConnections: 80, clock: 'running' });
const { pools, ports, log, database, clock } = platform;

/** Takes all connections of the platform for requests. */
async function takeAll(): Promise<{ release(): void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const taken = Array.from({ length: pools.requests?.usage().max ?? 0 }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void database.connection().execute(() => {
      resolve();
      return released;
    });
    return promise;
  });
  await Promise.all(taken);
  return { release };
}

/** The first refresh tokens of so many sign-ins. */
async function signIns({ given, world, anonymous }: Api = platform): Promise<string[]> {
  const body = await given.apiKey({ user: world.owner, homeWorkspace: world.workspace });
  const signIn = async () => {
    const tokens = await bodyOf(200, anonymous.POST('/auth/authorize', { body }));
    return (tokens as { refreshToken: string }).refreshToken;
  };
  return inParallel(Array(count).fill(undefined), signIn, 4);
}

const refresh = (refreshToken: string) =>
  responseOf(platform.anonymous.POST('/auth/refresh', { body: { refreshToken } }));
const refreshAll = (tokens: string[]) => Promise.all(tokens.map(refresh));
const statusesOf = (responses: { status: number }[]) =>
  [...new Set(responses.map(({ status }) => status))].sort();

/** Expects that no sign-in is lost: the tokens work again, and so do those that they are exchanged for. */
async function expectUsable(tokens: string[]): Promise<void> {
  // As a client: it retries what is no decision about its token.
  const again = (token: string) =>
    until(async () => {
      const response = await refresh(token);
      return response.status !== 502 && response;
    });
  const others = await inParallel(tokens, again);
  expect(statusesOf(others)).toEqual([200]);
  const next = others.map(({ body }) => (body as { refreshToken: string }).refreshToken);
  expect(statusesOf(await inParallel(next, again))).toEqual([200]);
}

/** Meanwhile, other processes may keep the machine so busy that requests wait for longer than a second after all. */
const onBusyMachine = { retry: 2 };

describe('100 refreshes at the same time', () => {
  test.each([1_500, 3_000])(
    'all succeed if the process is held for %d ms meanwhile',
    onBusyMachine,
    async (milliseconds) => {
      const tokens = await signIns();
      const connections = await takeAll();
      const refreshed = refreshAll(tokens);
      await until(() => (pools.requests?.usage().waiting ?? 0) > count / 2, { interval: 1 });
      await hold(milliseconds, connections.release);
      expect(statusesOf(await refreshed)).toEqual([200]);
      await expectUsable(tokens);
    },
  );

  test(
    'all succeed if they arrive while connections are in use and the process is held',
    onBusyMachine,
    async () => {
      const tokens = await signIns();
      const others = refreshAll(await signIns());
      await until(() => (pools.requests?.usage().inUse ?? 0) > 4, { interval: 1 });
      const refreshed = refreshAll(tokens);
      await hold(2_000);
      expect(statusesOf(await refreshed)).toEqual([200]);
      expect(statusesOf(await others)).toEqual([200]);
      // Nor do uses of connections that include the hold refuse those that come after it.
      expect(statusesOf(await refreshAll(await signIns()))).toEqual([200]);
    },
  );

  test('lose no sign-in if their clients disconnect', async () => {
    const tokens = await signIns();
    const before = log.length;
    const connections = await takeAll();
    const sent = tokens.map((refreshToken) => {
      const body = JSON.stringify({ refreshToken });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      const options = {
        port: ports.production,
        method: 'POST',
        path: '/auth/refresh',
        headers,
        agent: false,
      };
      return request(options)
        .on('error', () => {})
        .end(body);
    });
    await until(() => (pools.requests?.usage().waiting ?? 0) > count / 2, { interval: 1 });
    // A third of them while they wait for a connection, the others in their transactions or after their responses.
    const [early, late] = [sent.slice(0, count / 3), sent.slice(count / 3)];
    for (const each of early) each.destroy();
    connections.release();
    for (const each of late) {
      await setImmediate();
      each.destroy();
    }
    const statuses = () => log.slice(before).map(({ status }) => status);
    await until(() => statuses().includes(499) && statuses().includes(200));
    await until(() => pools.requests?.usage().inUse === 0);
    await expectUsable(tokens);
  });

  test('lose no sign-in if the connection to the database breaks between the commit and its confirmation', async () => {
    const tokens = await signIns();
    await confirmation.begin();
    const refused = await refreshAll(tokens).finally(confirmation.end);
    expect(statusesOf(refused)).toEqual([502]);
    await expectUsable(tokens);
  });

  test('lose no sign-in if the server terminates connections', async () => {
    const tokens = await signIns();
    let running = true;
    const refreshed = refreshAll(tokens).finally(() => {
      running = false;
    });
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    while (running) await query(terminate);
    for (const { status } of await refreshed) expect([200, 502]).toContain(status);
    await until(async () => (await refresh((await signIns())[0] as string)).status === 200);
    await expectUsable(tokens);
  });
});

test('the previous token works for 10 seconds from the rotation, not from the arrival of its request', async () => {
  const [token = ''] = await signIns();
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
  const [rotated] = await heldUp(
    database,
    { table: 'token_families', id: sid },
    () => [refresh(token)],
    async () => clock.forward(11_000),
  );
  expect(rotated?.status).toBe(200);
  clock.forward(5_000);
  await expectUsable([token]);
});
