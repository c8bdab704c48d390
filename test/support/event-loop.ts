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

/**
 * The longest that this thread was occupied at a stretch while `work` went on, in milliseconds of its CPU time. For work
 * that takes seconds: a timer marks the stretches, so that the event loop is not kept spinning.
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(longest, cpuMs() - last);
}

/**
 * What 50 ms of an idle machine are here and now: the CPU time of a fixed loop, at least 50 ms. On a busy machine, where
 * threads share cores and caches, the same work takes several times as much CPU time.
 */
export function fiftyMs(): number {
  return Math.max(50, ...Array.from({ length: 3 }, fixedLoop));
}

function fixedLoop(): number {
  const before = cpuMs();
  let sum = 0;
  for (let index = 0; index < 50_000_000; index++) sum = (sum * 31 + index) | 0;
  return sum === 0 ? 0 : cpuMs() - before;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
