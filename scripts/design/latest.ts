/**
 * Runs jobs one at a time, in the order in which they were asked for, but leaves out each that another one was asked
 * for after: it resolves with false.
 */
export type Latest = (job: () => Promise<void>) => Promise<boolean>;

export function latestOnly(): Latest {
  let last: Promise<void> = Promise.resolve();
  let asked = 0;
  return async (job) => {
    const mine = ++asked;
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      if (mine !== asked) return false;
      await job();
      return true;
    } finally {
      resolve();
    }
  };
}
