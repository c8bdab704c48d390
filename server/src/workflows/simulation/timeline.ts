/** Something that happens at a time, in milliseconds. */
interface Event<Subject> {
  at: number;
  subject: Subject;
}

/** Events in the order of time; those of the same time in the order in which they were added. */
export function openTimeline<Subject>() {
  const events: Event<Subject>[] = [];
  let first = 0;
  return {
    add(at: number, subject: Subject): void {
      // Most events are later than all others.
      let [low, high] = [first, events.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((events[middle] as Event<Subject>).at <= at) low = middle + 1;
        else high = middle;
      }
      events.splice(low, 0, { at, subject });
    },
    /** Removes the next event. */
    next(): Event<Subject> | undefined {
      const event = events[first];
      if (!event) return undefined;
      first += 1;
      if (first > 1_000 && first > events.length / 2) {
        events.splice(0, first);
        first = 0;
      }
      return event;
    },
  };
}
