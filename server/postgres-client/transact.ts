import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isRetryable } from './failures.ts';

/** @param signal the result is no longer wanted */
type Work<Result> = (signal: AbortSignal | undefined) => Promise<Result>;

/** Work of a change that takes too long for a connection to wait for it. */
class WorkBefore extends Error {
  override name = 'WorkBefore';
  readonly key: string;
  readonly work: Work<unknown>;

  constructor(key: string, work: Work<unknown>) {
    super('Only transact runs a change that has work to do before it.');
    this.key = key;
    this.work = work;
  }
}

/** What was done before a transaction, by key. */
const doneBefore = new WeakMap<object, ReadonlyMap<string, unknown>>();
/** What to do after the commit of a transaction. */
const doneAfter = new WeakMap<object, (() => void)[]>();
const databases = new WeakMap<object, object>();

/** How often a change is repeated that failed because of other transactions. */
const maxRepeats = 3;
/** Milliseconds before the first repeat: the other transaction of a deadlock takes the lock meanwhile. */
const repeatPause = 20;

/**
 * Runs a change in a transaction. If it calls `beforeTransaction`, the transaction is rolled back, the work is done
 * without a connection, and the change runs again. It also runs again after a failure that is not its own; see
 * `isRetryable`.
 *
 * @param signal called for such work; aborted when the result is no longer wanted
 */
export async function transact<Schema, Result>(
  database: Kysely<Schema>,
  change: (transaction: Kysely<Schema>) => Promise<Result>,
  signal?: () => AbortSignal,
): Promise<Result> {
  const done = new Map<string, unknown>();
  for (let repeats = 0; ; ) {
    const after: (() => void)[] = [];
    try {
      const result = await database.transaction().execute((transaction) => {
        doneBefore.set(transaction, done);
        doneAfter.set(transaction, after);
        databases.set(transaction, database);
        return change(transaction);
      });
      for (const call of after) call();
      return result;
    } catch (error) {
      if (error instanceof WorkBefore) done.set(error.key, await error.work(signal?.()));
      else if (!isRetryable(error) || repeats >= maxRepeats) throw error;
      else await sleep(++repeats * repeatPause);
    }
  }
}

/**
 * The result of work that may take seconds and needs no connection: it is done before the transaction, so that others
 * can use the connection meanwhile.
 *
 * @param transaction of `transact`
 * @param key identifies the work within the change
 */
export function beforeTransaction<Result>(transaction: object, key: string, work: Work<Result>): Result {
  const done = doneBefore.get(transaction);
  if (!done?.has(key)) throw new WorkBefore(key, work);
  return done.get(key) as Result;
}

/** The database of which this is a transaction of `transact`; undefined for any other. */
export const changedDatabase = (transaction: object): object | undefined => databases.get(transaction);

/** Calls `call`, which does not throw, once a transaction of `transact` is committed. Without effect in any other. */
export function afterCommit(transaction: object, call: () => void): void {
  doneAfter.get(transaction)?.push(call);
}
