import { expect } from 'vitest';

/** Milliseconds for which nothing that comes from outside may hold the event loop. */
const longestAllowed = 50;
const attempts = 3;

/**
 * Expects that an action never holds the event loop for long: processor time of this thread between two turns, which
 * does not grow when other processes need the machine. The platform of a test runs on the same thread as the test. What
 * is too slow is too slow each time; a collection of somebody else's garbage is not.
 */
export async function expectShortTurns<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const { result, milliseconds } = await longestTurn(action);
    if (milliseconds < longestAllowed || attempt === attempts) {
      expect(milliseconds).toBeLessThan(longestAllowed);
      return result;
    }
  }
}

async function longestTurn<Result>(action: () => Promise<Result>) {
  let longest = 0;
  let ended = false;
  let last = process.threadCpuUsage();
  const next = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
    if (!ended) setImmediate(next);
  };
  setImmediate(next);
  try {
    const result = await action();
    // The turn that ended the action is over, too.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return { result, milliseconds: longest / 1000 };
  } finally {
    ended = true;
  }
}
