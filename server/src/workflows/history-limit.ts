import type { Database } from '../store/database.ts';
import { countHistory } from '../store/executions.ts';

/** Entries of history that an execution may have, as in AWS Step Functions. */
export const maxHistoryEntries = 25_000;

interface Counted {
  id: string;
  /** What the database had counted when the execution was loaded. */
  historyEntries: number;
}

/** `uncounted`: written by this process, and not in the database's count. */
interface Count {
  counted: number;
  uncounted: number;
}

/**
 * Counts the history of executions without a statement for each entry: a process adds to the execution's row once for
 * every hundred entries that it has written. So an execution may exceed the limit by a hundred entries for each process
 * that works on it.
 */
export interface HistoryLimit {
  isReached(execution: Counted): boolean;
  /** Entries are about to be written, or were. */
  add(execution: Counted, entries: number): Promise<void>;
  /** The execution ends. */
  forget(execution: Counted): void;
  /** What an execution fails with. */
  cause: string;
}

const entriesAtOnce = 100;
/** Executions whose entries a process holds back. */
const maxKnown = 50_000;

export function openHistoryLimit(database: Database, most: number = maxHistoryEntries): HistoryLimit {
  const known = new Map<string, Count>();
  const step = Math.min(entriesAtOnce, most);

  const countOf = ({ id, historyEntries }: Counted) => {
    const count = known.get(id) ?? { counted: 0, uncounted: 0 };
    count.counted = Math.max(count.counted, historyEntries);
    return count;
  };
  const write = async (id: string, count: Count) => {
    const added = count.uncounted;
    count.uncounted = 0;
    count.counted = Math.max(count.counted + added, await countHistory(database, id, added));
  };

  return {
    isReached(execution) {
      const { counted, uncounted } = countOf(execution);
      return counted + uncounted >= most;
    },
    async add(execution, entries) {
      const count = countOf(execution);
      count.uncounted += entries;
      // The least recently used is first.
      known.delete(execution.id);
      known.set(execution.id, count);
      if (count.uncounted >= step) await write(execution.id, count);
      if (known.size <= maxKnown) return;
      const [id, oldest] = known.entries().next().value as [string, Count];
      known.delete(id);
      if (oldest.uncounted > 0) await write(id, oldest);
    },
    forget: ({ id }) => void known.delete(id),
    cause: `The execution has reached the limit of ${most} history entries.`,
  };
}
