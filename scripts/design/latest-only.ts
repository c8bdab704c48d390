/** Runs jobs one at a time. A job that a newer one has overtaken before it began is skipped: it resolves to false. */
export type LatestOnly = (job: () => Promise<void>) => Promise<boolean>;

export function latestOnly(): LatestOnly {
  let last: Promise<void> = Promise.resolve();
  let newest = 0;
  return async (job) => {
    const number = ++newest;
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      if (number !== newest) return false;
      await job();
      return true;
    } finally {
      resolve();
    }
  };
}
