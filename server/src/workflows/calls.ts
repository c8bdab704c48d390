import type { Database } from '../store/database.ts';
import { type Thread, turnsOf } from '../store/threads.ts';

export type Calls = ReturnType<typeof runningCalls>;

/** The calls that this process makes for threads. */
export function runningCalls(database: Database) {
  const running = new Map<string, { turn: number; controller: AbortController }>();
  return {
    /** Makes a call that is aborted by `signal`, or when its thread is gone. */
    async run<Result>(
      { id, turn }: Pick<Thread, 'id' | 'turn'>,
      signal: AbortSignal,
      call: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const controller = new AbortController();
      const entry = { turn, controller };
      running.set(id, entry);
      try {
        return await call(AbortSignal.any([signal, controller.signal]));
      } finally {
        if (running.get(id) === entry) running.delete(id);
      }
    },
    /** Aborts the calls of threads that are gone: their execution has ended, or their fork was stopped. */
    async abortAbandoned() {
      // A snapshot: the query does not cover calls that start while it runs.
      const calls = [...running];
      if (calls.length === 0) return;
      const ids = calls.map(([id]) => id);
      const turns = await turnsOf(database, ids);
      for (const [id, { turn, controller }] of calls) {
        if (turns.get(id) !== turn) controller.abort(new AbandonedCallError());
      }
    },
  };
}

export class AbandonedCallError extends Error {
  override name = 'AbandonedCallError';

  constructor() {
    super('The thread does not wait for this call any more.');
  }
}
