import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../../server/src/store/database.ts';
import type { Schema } from '../../server/src/store/schema.ts';
import { scaledTimeout } from './timeout.ts';

/** Polls until the value is truthy, and returns it. */
export const until = <Value>(
  condition: () => Value | Promise<Value>,
  { timeout = scaledTimeout(30_000), interval = 50 }: { timeout?: number; interval?: number } = {},
) => vi.waitUntil(condition, { timeout, interval });

/**
 * Occupies the thread, and with it the event loop. In the turn after that, timers fire before sockets are read.
 *
 * @param first called in the same turn
 */
export async function hold(milliseconds: number, first: () => unknown = () => {}): Promise<void> {
  await setImmediate();
  first();
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The server's end of the connection of the next request to any server of this process. */
export function nextConnection(): Promise<Socket> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const arrive = (message: unknown) => {
      unsubscribe(channel, arrive);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe(channel, arrive);
  });
}

/** Waits until a growing count stops, and returns it. */
export async function standstill(count: () => number): Promise<number> {
  return until(
    async () => {
      const before = count();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return count() === before && before;
    },
    { interval: 10 },
  );
}

/**
 * Holds a row while requests are begun, and lets go when all of them wait for it: so they meet in the middle
 * of their work, every time.
 *
 * @param meanwhile what is done while they wait
 * @returns what they gave, in their order
 */
export async function heldUp<Result>(
  database: Database,
  row: { table: keyof Schema; id: string; column?: string },
  begin: () => PromiseLike<Result>[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Result[]> {
  const requests = await database.transaction().execute(async (transaction) => {
    await sql`select from ${sql.table(row.table)} where ${sql.ref(row.column ?? 'id')} = ${row.id} for update`.execute(
      transaction,
    );
    // In an array, so that the transaction ends without waiting for them.
    const begun = begin().map((request) => Promise.resolve(request));
    await until(async () => (await blockedBy(transaction)) >= begun.length, { interval: 10 });
    await meanwhile();
    return { begun };
  });
  return Promise.all(requests.begun);
}

/**
 * Holds an organization's row while changes are begun one after the other, and lets go when all of them wait for it:
 * so each finds what those before it have done, every time.
 *
 * @returns what they gave, in their order
 */
export async function queuedUp<Result>(
  database: Database,
  organizationId: string,
  ...changes: (() => PromiseLike<Result>)[]
): Promise<Result[]> {
  const { begun } = await database.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for update`.execute(transaction);
    const begun: Promise<Result>[] = [];
    for (const change of changes) {
      begun.push(Promise.resolve(change()));
      await until(async () => (await blockedBy(transaction)) >= begun.length, { interval: 10 });
    }
    return { begun };
  });
  return Promise.all(begun);
}

/** How many connections wait for a lock of this transaction, directly or behind another one. */
export async function blockedBy(transaction: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive waiting as (select distinct pid from pg_locks where not granted),
    blocked as (
      select pid from waiting where pg_backend_pid() = any(pg_blocking_pids(pid))
      union
      select w.pid from waiting w join blocked b on b.pid = any(pg_blocking_pids(w.pid)))
    select count(*) as count from blocked`.execute(transaction);
  return rows[0]?.count ?? 0;
}
