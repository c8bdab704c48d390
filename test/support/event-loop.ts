/**
 * The longest time for which an action held the event loop without a break: processor time of this thread, which does
 * not grow when other processes need the machine. The platform of a test runs on the same thread as the test.
 */
export async function longestTurn<Result>(
  action: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
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
    // What the action began may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { result, milliseconds: longest / 1000 };
  } finally {
    ended = true;
  }
}

/** Nothing that comes from outside may hold the event loop for longer. */
export const longestAllowed = 50;
