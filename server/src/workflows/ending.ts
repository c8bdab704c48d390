import { reportedFailure } from '../../asl/index.ts';
import { batch, transact } from '../../postgres-client/index.ts';
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
 * Ends an execution and records its event, in the caller's transaction. Of concurrent callers exactly one ends it.
 *
 * @returns undefined if the execution had already ended
 */
export async function endWithEvent(database: Database, ending: Ending): Promise<EndedExecution | undefined> {
  const [ended] = await endAllWithEvents(database, [ending]);
  return ended;
}

/** Ends several different executions in two statements. */
async function endAllWithEvents(
  database: Database,
  endings: Ending[],
): Promise<(EndedExecution | undefined)[]> {
  const all = await endExecutions(database, endings);
  const events = all.flatMap((ended, index) => (ended ? [eventOf(ended, endings[index] as Ending)] : []));
  if (events.length > 0) await recordEvents(database, events);
  return all;
}

/** The maximum number of endings in one transaction. */
const maxBatch = 20;

/**
 * Ends executions from the checkpoints of their root threads. Concurrent endings are batched into one transaction.
 *
 * @returns as `endWithEvent`
 * @throws StaleCheckpointError if the root thread has left its checkpoint; nothing is changed
 */
export function endInBatches(database: Database): (ending: Ending) => Promise<EndedExecution | undefined> {
  const end = (endings: Ending[]) =>
    transact(database, async (transaction) => {
      // Two jobs can have the same thread after a take-over. Failing the batch retries them alone.
      assertCurrent(new Set(endings.map(({ executionId }) => executionId)).size === endings.length);
      const all = await endAllWithEvents(transaction, endings);
      assertCurrent(all.every((ended) => ended === undefined || ended.current));
      return all;
    });
  return batch(end, { max: maxBatch, concurrency: 2 });
}

function eventOf(ended: EndedExecution, { status, failure, now }: Ending): NewEvent<EventType> {
  const { id, workflowDefinitionId, recordId, executionType, version, ...about } = ended;
  const { organizationId, workspaceId, traceparent } = about;
  const data: EventData<'workflow.completed'> = {
    workflowId: id,
    workflowDefinitionId,
    ...(recordId && { recordId }),
    status,
    executionType,
    executionVersion: version,
  };
  const event = { organizationId, workspaceId, now, traceparent };
  if (status !== 'FAILED') return { ...event, type: eventTypes[status], data };
  const { error } = reportedFailure(failure?.error, failure?.cause);
  return { ...event, type: 'workflow.failed', data: { ...data, error } };
}
