import type { Database } from '../store/database.ts';
import { countHistory } from '../store/executions.ts';

/** The maximum number of history entries of an execution, as in AWS Step Functions. */
export const maxHistoryEntries = 25_000;

export function historyLimitCause(max: number): string {
  return `The execution has reached the limit of ${max} history entries.`;
}

interface Counted {
  id: string;
  version: number;
  /** The count in the database when the execution was loaded. */
  historyEntries: number;
}

/** `uncounted`: written by this process and not in the database's count yet. A retry of the execution counts from zero. */
interface Count {
  version: number;
  counted: number;
  uncounted: number;
}

export type HistoryLimit = ReturnType<typeof openHistoryLimit>;

const entriesAtOnce = 100;
/** More than the threads of most executions hold back together. */
const nearEntries = 1_000;
/** Executions whose entries a process counts in memory. */
const maxCounts = 50_000;

/**
 * Counts history entries without a statement for each: a process updates the execution's row once for every hundred
 * entries that it writes. So an execution may exceed the limit by a hundred entries for each process that runs it.
 */
export function openHistoryLimit(database: Database, max: number = maxHistoryEntries) {
  const counts = new Map<string, Count>();
  const step = Math.min(entriesAtOnce, max);

  const countOf = ({ id, version, historyEntries }: Counted) => {
    const known = counts.get(id);
    const count = known?.version === version ? known : { version, counted: 0, uncounted: 0 };
    count.counted = Math.max(count.counted, historyEntries);
    return count;
  };
  const left = (execution: Counted) => {
    const { counted, uncounted } = countOf(execution);
    return max - counted - uncounted;
  };
  const write = async (id: string, count: Count) => {
    const added = count.uncounted;
    count.uncounted = 0;
    count.counted += added;
    count.counted = Math.max(count.counted, await countHistory(database, id, added));
  };

  return {
    isReached: (execution: Counted) => left(execution) <= 0,
    /** Whether so few entries are left that each must be written before the next is counted. */
    isNear: (execution: Counted) => left(execution) < nearEntries,
    /** Counts entries that are about to be written, or were written. */
    async add(execution: Counted, entries: number) {
      const count = countOf(execution);
      count.uncounted += entries;
      // Keeps the least recently used execution first.
      counts.delete(execution.id);
      counts.set(execution.id, count);
      if (count.uncounted >= step) await write(execution.id, count);
      if (counts.size <= maxCounts) return;
      const [id, oldest] = counts.entries().next().value as [string, Count];
      counts.delete(id);
      if (oldest.uncounted > 0) await write(id, oldest);
    },
    /** Drops the count of an execution that ends. */
    forget: ({ id }: Counted) => void counts.delete(id),
    /** The cause with which an execution fails. */
    cause: historyLimitCause(max),
  };
}
