export interface Gathering {
  /** Calls of `work` that may be under way at once; 1 unless told. */
  atOnce?: number;
  /** Items of one call at most. */
  most: number;
}

/**
 * Does together what is asked for one by one, as one round trip is cheaper than many: what comes while a call of
 * `work` is under way waits for the next one. So nobody waits for company where there is none, and each costs the
 * less the more there is to do.
 *
 * @param work gives one result for each item, in their order. When it fails for several, each is done by itself, so
 *   that nobody fails for another's sake: it must have changed nothing then, or be safe to repeat.
 */
export function gather<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  { atOnce = 1, most }: Gathering,
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
    if (asked || underWay >= atOnce) return;
    asked = true;
    setImmediate(() => void begin());
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      ask();
    });
}
