import { AsyncLocalStorage } from 'node:async_hooks';

export interface BatchOptions {
  /** Calls of `run` that may be active at once. Default: 1. */
  concurrency?: number;
  /** The maximum number of items in one call. */
  max: number;
}

/**
 * Batches concurrent calls: items that arrive while `run` is active wait for its next call. If a batch fails, each item
 * is retried alone.
 *
 * @param run returns one result for each item, in order. If it fails, it must have changed nothing, or be safe to
 *   repeat.
 */
export function batch<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { concurrency = 1, max }: BatchOptions,
): (item: Item) => Promise<Result> {
  interface Pending {
    item: Item;
    resolve(result: Result | PromiseLike<Result>): void;
    reject(error: unknown): void;
  }
  const queue: Pending[] = [];
  // A batch belongs to none of its callers.
  const outside = AsyncLocalStorage.snapshot();
  let active = 0;
  let isScheduled = false;

  const retryAlone = ({ item, resolve }: Pending) => {
    const result = run([item]).then(([only]) => only as Result);
    resolve(result);
    return result;
  };
  const runBatch = async (pending: Pending[]) => {
    try {
      const results = await run(pending.map(({ item }) => item));
      for (const [index, { resolve }] of pending.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (pending.length === 1) return pending[0]?.reject(error);
      await Promise.allSettled(pending.map(retryAlone));
    }
  };
  const start = async () => {
    isScheduled = false;
    if (queue.length === 0) return;
    active += 1;
    if (queue.length > max) schedule();
    await runBatch(queue.splice(0, max));
    active -= 1;
    schedule();
  };
  /** Starts a batch at the end of this turn of the event loop, so that it includes every item added in the turn. */
  const schedule = () => {
    if (isScheduled || active >= concurrency) return;
    isScheduled = true;
    outside(() => setImmediate(() => void start()));
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      schedule();
    });
}
