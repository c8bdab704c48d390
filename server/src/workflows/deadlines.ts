import type { Database } from '../store/database.ts';
import { dueExecutions } from '../store/executions.ts';
import { endWithEvent } from './ending.ts';

/** Executions loaded at once. */
const batchSize = 200;

/**
 * Ends executions past their deadline: as FAILED with `States.Timeout` if the definition's TimeoutSeconds ended first,
 * otherwise as EXPIRED. Several processes may do this at once.
 *
 * @returns the number of executions that it ended
 */
export async function endDue(database: Database, now: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await dueExecutions(database, now, batchSize);
    for (const { id, timedOut } of due) {
      const cause = 'The execution took longer than the TimeoutSeconds of its definition.';
      const ending = timedOut
        ? { status: 'FAILED' as const, failure: { error: 'States.Timeout', cause } }
        : { status: 'EXPIRED' as const };
      const ended = await database
        .transaction()
        .execute((transaction) => endWithEvent(transaction, { ...ending, executionId: id, now }));
      if (ended) count += 1;
    }
    if (due.length < batchSize) return count;
  }
}
