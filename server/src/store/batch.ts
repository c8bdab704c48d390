export interface BatchOptions {
  /** Calls of `work` that may run at once. Default: 1. */
  concurrency?: number;
  /** The most items of one call. */
  most: number;
}

/**
 * Batches concurrent calls: items that arrive while `work` is running wait for its next call. If a batch fails, each
 * item is retried alone.
 *
 * @param work returns one result for each item, in their order. When it fails, it must have changed nothing, or be
 *   safe to repeat.
 */
export function batch<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  { concurrency = 1, most }: BatchOptions,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve(result: Result | PromiseLike<Result>): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let underWay = 0;
  let asked = false;

  const alone = async ({ item }: Waiting) => (await work([item]))[0] as Result;
  const doTogether = async (together: Waiting[]) => {
    try {
      const results = await work(together.map(({ item }) => item));
      for (const [index, { resolve }] of together.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (together.length === 1) return together[0]?.reject(error);
      await Promise.allSettled(
        together.map((each) => {
          const result = alone(each);
          each.resolve(result);
          return result;
        }),
      );
    }
  };
  const begin = async () => {
    asked = false;
    if (waiting.length === 0) return;
    underWay += 1;
    if (waiting.length > most) ask();
    await doTogether(waiting.splice(0, most));
    underWay -= 1;
    ask();
  };
  /** What else comes in this turn of the event loop belongs to it. */
  const ask = () => {
    if (asked || underWay >= concurrency) return;
    asked = true;
    setImmediate(() => void begin());
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      ask();
    });
}
