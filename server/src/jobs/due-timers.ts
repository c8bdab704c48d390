/** Beyond this, regular polling is exact enough. */
const longestMilliseconds = 600_000;
/** DueTimers of one moment are one timer. */
const grainMilliseconds = 20;

/** Wakes workers when a job of a later time, which this process has added, is due. */
export interface DueTimers<Name> {
  set(name: Name, delayMilliseconds: number): void;
  clear(): void;
}

/** @param wake makes the workers of this job type poll their queue now */
export function dueTimers<Name extends string>(wake: (name: Name) => void): DueTimers<Name> {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    set(name, delayMilliseconds) {
      if (delayMilliseconds > longestMilliseconds) return;
      const due = Math.ceil((Date.now() + delayMilliseconds) / grainMilliseconds + 1) * grainMilliseconds;
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
