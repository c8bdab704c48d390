/** For longer delays, rounds are accurate enough. */
const maxDelayMilliseconds = 600_000;
/** Timers are rounded up to multiples of this, so that close ones share a timer. */
const resolutionMilliseconds = 20;
/** The minimum time between two wakes of the same workers: under load, they fetch more jobs at once. */
const pauseMilliseconds = 3;

/**
 * Wakes the workers of jobs that this process added.
 *
 * @param wake makes the workers of a job type fetch jobs now
 */
export function workerWakes(wake: (name: string) => void) {
  const timers = new Map<string, NodeJS.Timeout>();
  const lastWakes = new Map<string, number>();

  const setTimer = (key: string, milliseconds: number, name: string) => {
    if (timers.has(key)) return;
    const fire = () => {
      timers.delete(key);
      wakeNow(name);
    };
    timers.set(key, setTimeout(fire, milliseconds).unref());
  };
  const wakeNow = (name: string) => {
    lastWakes.set(name, performance.now());
    wake(name);
  };

  return {
    /** Wakes the workers of jobs that have just been committed: now, or at the end of the pause after the last wake. */
    soon(name: string) {
      const since = performance.now() - (lastWakes.get(name) ?? Number.NEGATIVE_INFINITY);
      if (since >= pauseMilliseconds) wakeNow(name);
      else setTimer(name, pauseMilliseconds - since, name);
    },
    /** Wakes the workers of a delayed job when it is due. */
    after(name: string, milliseconds: number) {
      if (milliseconds > maxDelayMilliseconds) return;
      const due =
        Math.ceil((Date.now() + milliseconds) / resolutionMilliseconds + 1) * resolutionMilliseconds;
      setTimer(`${name} ${due}`, due - Date.now(), name);
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
