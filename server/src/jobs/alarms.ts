/** Beyond this, looking at the queue every now and then is exact enough. */
const longestMilliseconds = 600_000;
/** Alarms of one moment are one timer. */
const grainMilliseconds = 20;

/** Wakes workers when a job of a later time, which this process has added, is due. */
export interface Alarms<Name> {
  set(name: Name, delayMilliseconds: number): void;
  clear(): void;
}

/** @param wake makes the workers of a kind of job look at their queue now */
export function alarms<Name extends string>(wake: (name: Name) => void): Alarms<Name> {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    set(name, delayMilliseconds) {
      if (delayMilliseconds > longestMilliseconds) return;
      const due = Math.ceil((Date.now() + delayMilliseconds) / grainMilliseconds + 1) * grainMilliseconds;
      const key = `${name} ${due}`;
      if (timers.has(key)) return;
      const ring = () => {
        timers.delete(key);
        wake(name);
      };
      timers.set(key, setTimeout(ring, due - Date.now()).unref());
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
