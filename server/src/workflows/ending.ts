import { longestErrorName } from '../domain/failures.ts';
import { batch } from '../store/batch.ts';
import type { Database } from '../store/database.ts';
import { type EventData, type EventType, type NewEvent, recordEvents } from '../store/events.ts';
import { type EndedExecution, type Ending, endExecutions } from '../store/executions.ts';
import { assertCurrent } from './stale-checkpoint.ts';

const eventTypes = {
  COMPLETED: 'workflow.completed',
  CANCELLED: 'workflow.cancelled',
  EXPIRED: 'workflow.expired',
} as const;

/**
 * Ends an execution and writes down its event, in the caller's transaction. Of all who try to end the same
 * one, exactly one does.
 *
 * @returns undefined when it has ended before
 */
export async function endAndTell(database: Database, ending: Ending): Promise<EndedExecution | undefined> {
  const [ended] = await endAllAndTell(database, [ending]);
  return ended;
}

/** The same of several, each of them another execution, in two statements. */
async function endAllAndTell(database: Database, endings: Ending[]): Promise<(EndedExecution | undefined)[]> {
  const all = await endExecutions(database, endings);
  const events = all.flatMap((ended, index) => (ended ? [eventOf(ended, endings[index] as Ending)] : []));
  if (events.length > 0) await recordEvents(database, events);
  return all;
}

/** Endings of one transaction at most. */
const mostTogether = 20;

/**
 * Ends executions from the checkpoints of their roots; those that come to their ends at the same time share a
 * transaction. An ending whose root stands elsewhere changes nothing.
 *
 * @returns what `endAndTell` does
 * @throws StaleCheckpointError where the root is past its checkpoint
 */
export function endTogether(database: Database): (ending: Ending) => Promise<EndedExecution | undefined> {
  const end = (endings: Ending[]) =>
    database.transaction().execute(async (transaction) => {
      // Two jobs that have one thread, as after a take-over: one by one, so that they find out.
      assertCurrent(new Set(endings.map(({ executionId }) => executionId)).size === endings.length);
      const all = await endAllAndTell(transaction, endings);
      assertCurrent(all.every((ended) => ended === undefined || ended.current));
      return all;
    });
  return batch(end, { most: mostTogether, concurrency: 2 });
}

function eventOf(
  { id, workflowDefinitionId, recordId, executionType, version, organizationId, workspaceId }: EndedExecution,
  { status, failure, now }: Ending,
): NewEvent<EventType> {
  const data: EventData<'workflow.completed'> = {
    ...{ workflowId: id, workflowDefinitionId, ...(recordId && { recordId }) },
    ...{ status, executionType, executionVersion: version },
  };
  const event = { organizationId, workspaceId, now };
  if (status !== 'FAILED') return { ...event, type: eventTypes[status], data };
  const error = (failure?.error ?? '').slice(0, longestErrorName).toWellFormed() || 'States.TaskFailed';
  return { ...event, type: 'workflow.failed', data: { ...data, error } };
}
