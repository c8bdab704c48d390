import type { Database } from '../store/database.ts';
import * as threads from '../store/threads.ts';
import { assertHere } from './elsewhere.ts';
import type { EngineDependencies, Run } from './engine.ts';
import { storeResult } from './results.ts';
import type { StepEntry } from './steps/entries.ts';
import type { StepAction } from './steps/step.ts';
import { type Decision, rootEnding, writeDown } from './write-down.ts';

/** An action, with what happened on the way to it. */
export interface Settlement {
  action: StepAction;
  entries: StepEntry[];
  /** Writes what the task has changed, in the transaction of the checkpoint. */
  write?: ((transaction: Database) => Promise<void>) | undefined;
}

/**
 * Writes an action down: the checkpoint, its history, the next job, in one transaction.
 *
 * @param yields to go on by another job, even where this one could
 * @returns whether the thread goes on at once; `run` stands at its new checkpoint then
 * @throws Elsewhere, with nothing written
 */
export async function settle(
  dependencies: EngineDependencies,
  run: Run,
  { action: given, entries, write }: Settlement,
  { yields }: { yields: boolean },
): Promise<boolean> {
  const { database, historyLimit, now } = dependencies;
  const { thread } = run;
  const action = await decisionOf(dependencies, run, given);
  const history = entries.map((entry) => ({ ...entry, at: now() }));
  if (action.kind === 'next' && !yields) {
    const move = { frame: action.frame, history };
    const moved = write
      ? database.transaction().execute(async (transaction) => {
          await write(transaction);
          assertHere(await threads.checkpoint(transaction, thread, move));
          return true;
        })
      : threads.checkpoint(database, thread, move);
    assertHere(await moved);
    await historyLimit.add(thread.execution, history.length);
    Object.assign(thread, {
      ...arrived,
      ...{ frame: action.frame, state: action.state, step: thread.step + 1 },
    });
    return true;
  }
  const isEnd = action.kind === 'complete' || (action.kind === 'fail' && thread.parentId === null);
  if (isEnd && !write) {
    const ended = await dependencies.end(rootEnding(run, action, history, now()));
    assertHere(ended?.current === true);
  } else {
    await database.transaction().execute(async (transaction) => {
      await write?.(transaction);
      await writeDown({ ...dependencies, database: transaction }, run, action, history);
    });
  }
  if (isEnd) historyLimit.forget(thread.execution);
  else await historyLimit.add(thread.execution, history.length);
  return false;
}

/** What a thread has no more of once it is past what it waited for. */
const arrived = {
  ...{ awaiting: null, outcome: null, task: null, callbackStep: null, timeoutAt: null, heartbeatUntil: null },
};

/** Stores a result before the transaction that names it: if that is undone, the sweeper finds the bytes. */
async function decisionOf(
  { blobs }: EngineDependencies,
  { thread }: Run,
  action: StepAction,
): Promise<Decision> {
  if (action.kind !== 'end' || thread.parentId) return action;
  return { kind: 'complete', result: await storeResult(blobs, action.output) };
}
