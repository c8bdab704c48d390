import type { Database } from '../store/database.ts';
import { dueExecutions } from '../store/executions.ts';
import { endAndTell } from './ending.ts';

/** Executions ended in one go. */
const batchSize = 200;

/**
 * Ends the executions whose time is over: as EXPIRED, or as FAILED with `States.Timeout` where the definition's
 * own TimeoutSeconds were over first. Any number of processes may do this at once.
 *
 * @returns how many it ended
 */
export async function endDue(database: Database, now: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await dueExecutions(database, now, batchSize);
    for (const { id, timedOut } of due) {
      const cause = 'The execution took longer than the TimeoutSeconds of its definition.';
      const how = timedOut
        ? { status: 'FAILED' as const, failure: { error: 'States.Timeout', cause } }
        : { status: 'EXPIRED' as const };
      const ended = await database
        .transaction()
        .execute((transaction) => endAndTell(transaction, { ...how, executionId: id, now }));
      if (ended) count += 1;
    }
    if (due.length < batchSize) return count;
  }
}
