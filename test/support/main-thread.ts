/**
 * The longest that this thread was occupied at a stretch while `work` went on, in milliseconds of its own CPU time, so
 * that other processes do not count. A timer marks the stretches; what else the thread does in one of them counts too.
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = cpu();
  const timer = setInterval(() => {
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(longest, cpu() - last);
}
