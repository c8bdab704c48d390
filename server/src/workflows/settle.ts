import type { MachineError } from '../domain/failures.ts';
import type { Json } from '../domain/json.ts';
import type { Database } from '../store/database.ts';
import * as threads from '../store/threads.ts';
import { assertHere } from './elsewhere.ts';
import type { EngineDependencies, Run } from './engine.ts';
import { entriesOf } from './entries.ts';
import type { Action } from './machine/actions.ts';
import { isResult, storeResult } from './results.ts';
import { type Decision, rootEnding, writeDown } from './write-down.ts';

/** An action, with what happened on the way to it. */
export interface Settlement {
  action: Action;
  /** The task that was done here. */
  done?: Extract<Action, { kind: 'task' }> | undefined;
  /** What the state's work failed with, whatever came of it. */
  failure?: MachineError | undefined;
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
  settlement: Settlement,
  { yields }: { yields: boolean },
): Promise<boolean> {
  const { database, now } = dependencies;
  const { write } = settlement;
  const action = await decisionOf(dependencies, run, settlement.action);
  const history = entriesOf(run, { ...settlement, action }, now());
  const { thread } = run;
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
    Object.assign(thread, { ...arrived, frame: action.frame, step: thread.step + 1 });
    return true;
  }
  if ((action.kind === 'complete' || (action.kind === 'fail' && !thread.parentId)) && !write) {
    const ended = await dependencies.end(rootEnding(run, action, history, now()));
    assertHere(ended?.current === true);
    return false;
  }
  await database.transaction().execute(async (transaction) => {
    await write?.(transaction);
    await writeDown({ ...dependencies, database: transaction }, run, action, history);
  });
  return false;
}

/** What a thread has no more of once it is past what it waited for. */
const arrived = {
  ...{ awaiting: null, outcome: null, task: null, callbackStep: null, timeoutAt: null, heartbeatUntil: null },
};

/** Stores a result before the transaction that names it: if that is undone, the sweeper finds the bytes. */
async function decisionOf({ blobs }: EngineDependencies, { thread }: Run, action: Action): Promise<Decision> {
  if (action.kind !== 'end' || thread.parentId) return action;
  const { output } = action;
  if (isResult(output)) return { ...action, kind: 'complete', result: await storeResult(blobs, output) };
  const cause = `The output of a definition is its result, which must be an object, not ${typeName(output)}.`;
  return { kind: 'fail', failure: { error: 'Wrp.ResultNotAnObject', cause } };
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
