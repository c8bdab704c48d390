import { expect } from 'vitest';

/**
 * The longest that this thread was occupied at a stretch while `work` went on, in milliseconds of its own CPU time, so
 * that other processes do not count. A timer marks the stretches; what else the thread does in one of them counts too.
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

const attempts = 3;

/**
 * Expects that nothing in `work` occupies this thread for more than 50 ms at a stretch, in one of three attempts: what
 * is too slow is so each time, a garbage collection is not.
 */
export async function expectShortStretches<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let result: Result | undefined;
    const longest = await longestStretch(async () => {
      result = await work();
    });
    if (longest >= 50 && attempt < attempts) continue;
    if (longest >= 50) expect(longest).toBeLessThan(fiftyMs());
    return result as Result;
  }
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
