/**
 * Does one by one what is cheaper together: calls within `milliseconds` of the first become one call of `work`.
 *
 * @param work gives one result for each item, in their order; when it fails, all of them fail
 */
export function gather<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  milliseconds: number,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];

  const run = async () => {
    const together = waiting;
    waiting = [];
    try {
      const results = await work(together.map(({ item }) => item));
      for (const [index, { resolve }] of together.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setTimeout(() => void run(), milliseconds);
    });
}
