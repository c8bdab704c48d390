import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseBusyError } from '../../server/postgres-client/index.ts';
import { openPool } from '../../server/postgres-client/pool.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { hold } from '../support/waiting.ts';

const clone = await cloneDatabase();

const long = scaledTimeout(60_000);

function givenPool(max: number, options: PoolConfig = {}, returnMilliseconds?: number) {
  const settings = { ...options, connectionString: clone.connectionString, max };
  const pool = openPool(settings, () => {}, returnMilliseconds);
  onTestFinished(() => pool.end());
  return pool;
}

test('the caller who has waited longest gets the next free connection', async () => {
  const pool = givenPool(1);
  const first = await pool.acquire(long);
  const order: string[] = [];
  const callers = ['second', 'third'].map(async (name) => {
    const client = await pool.acquire(long);
    order.push(name);
    client.release();
  });
  expect(pool.usage()).toEqual({ max: 1, inUse: 1, idle: 0, waiting: 2, refused: 0 });
  first.release();
  await Promise.all(callers);
  expect(order).toEqual(['second', 'third']);
  expect(pool.usage()).toEqual({ max: 1, inUse: 0, idle: 1, waiting: 0, refused: 0 });
});

test('a caller waits no longer than its limit', async () => {
  const pool = givenPool(1);
  const client = await pool.acquire(long);
  const waiting = pool.acquire(long);
  await expect(pool.acquire(100)).rejects.toThrow(DatabaseBusyError);
  expect(pool.usage()).toMatchObject({ waiting: 1, refused: 1 });
  client.release();
  (await waiting).release();
});

test('time for which the process was held does not count as waiting, using or connecting', async () => {
  const pool = givenPool(1, { connectionTimeoutMillis: 500 });
  const opened = pool.acquire(long);
  await hold(1_000);
  const first = await opened;
  const waiting = pool.acquire(500);
  await hold(1_000, () => first.query('select 1').then(() => first.release()));
  (await waiting).release();
  const last = await pool.acquire(long);
  // A use that took a second would have an average of 100 ms, so that the sixth caller would wait for too long.
  const others = Array.from({ length: 8 }, () => pool.acquire(500));
  last.release();
  for (const next of others) (await next).release();
});

test('a caller is refused at once if recent uses took so long that its limit would pass', async () => {
  const pool = givenPool(1);
  for (let use = 0; use < 3; use++) {
    const client = await pool.acquire(long);
    await sleep(200);
    client.release();
  }
  const client = await pool.acquire(long);
  // A use took at least 50 ms on average, so 20 of them take longer than 1,000 ms.
  const waiting = Array.from({ length: 20 }, () => pool.acquire(long));
  const refused = pool.acquire(1_000).catch((error: Error) => error);
  // Before any timer fires.
  expect(await Promise.race([refused, setImmediate('waits')])).toBeInstanceOf(DatabaseBusyError);
  client.release();
  for (const next of waiting) (await next).release();
});

test('a connection that breaks is replaced', async () => {
  const pool = givenPool(1);
  const client = await pool.acquire(long);
  const broken = client.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(broken).rejects.toThrow();
  client.release(true);
  const next = await pool.acquire(long);
  expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  next.release();
});

test('a connection is used again until it is as old as it may become', async () => {
  const pool = givenPool(1, { maxLifetimeSeconds: 1 }, 50);
  const backend = async () => {
    const client = await pool.acquire(long);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    client.release();
    return rows[0].pid as number;
  };
  const first = await backend();
  await expect.poll(backend, { timeout: long, interval: 200 }).not.toBe(first);
});

test('a connection that nobody uses is closed', async () => {
  const pool = givenPool(1, { idleTimeoutMillis: 50 }, 50);
  (await pool.acquire(long)).release();
  expect(pool.usage()).toMatchObject({ inUse: 0, idle: 1 });
  await expect.poll(() => pool.usage().idle, { timeout: long }).toBe(0);
});

test('a connection cannot be released twice', async () => {
  const client = await givenPool(1).acquire(long);
  client.release();
  expect(() => client.release()).toThrow('released already');
});
