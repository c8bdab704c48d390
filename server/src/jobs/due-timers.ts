/** For longer delays, regular polling is accurate enough. */
const maxDelayMilliseconds = 600_000;
/** Timers are rounded up to multiples of this, so that close ones share a timer. */
const resolutionMilliseconds = 20;

/**
 * Wakes workers when a delayed job that this process added is due.
 *
 * @param wake makes the workers of a job type poll now
 */
export function dueTimers<Name extends string>(wake: (name: Name) => void) {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    set(name: Name, delayMilliseconds: number) {
      if (delayMilliseconds > maxDelayMilliseconds) return;
      const due =
        Math.ceil((Date.now() + delayMilliseconds) / resolutionMilliseconds + 1) * resolutionMilliseconds;
      const key = `${name} ${due}`;
      if (timers.has(key)) return;
      const fire = () => {
        timers.delete(key);
        wake(name);
      };
      timers.set(key, setTimeout(fire, due - Date.now()).unref());
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
