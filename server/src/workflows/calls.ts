import type { Database } from '../store/database.ts';
import { type Thread, turnsOf } from '../store/threads.ts';

/** The calls that this process makes for threads. */
export interface Calls {
  /** Makes a call that can be stopped, by `signal` or because nobody waits for it any more. */
  run<Result>(
    thread: Pick<Thread, 'id' | 'turn'>,
    signal: AbortSignal,
    call: (stop: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Stops the calls of threads that are gone: their execution has ended, or their fork was stopped. */
  stopUnwanted(): Promise<void>;
}

export function runningCalls(database: Database): Calls {
  const running = new Map<string, { turn: number; controller: AbortController }>();
  return {
    async run({ id, turn }, signal, call) {
      const controller = new AbortController();
      const known = { turn, controller };
      running.set(id, known);
      try {
        return await call(AbortSignal.any([signal, controller.signal]));
      } finally {
        if (running.get(id) === known) running.delete(id);
      }
    },
    async stopUnwanted() {
      // Of those that are running now: what begins while the question is on its way is not in the answer.
      const asked = [...running];
      if (asked.length === 0) return;
      const ids = asked.map(([id]) => id);
      const wanted = await turnsOf(database, ids);
      for (const [id, { turn, controller }] of asked) {
        if (wanted.get(id) !== turn) controller.abort(new CallUnwanted());
      }
    },
  };
}

/** Nobody waits for the call any more. */
export class CallUnwanted extends Error {
  constructor() {
    super('Nobody waits for this call any more.');
    this.name = 'CallUnwanted';
  }
}
