import type { Database } from '../store/database.ts';
import { type EventData, recordEvent } from '../store/events.ts';
import { type EndedExecution, type Ending, endExecution } from '../store/executions.ts';

const eventTypes = {
  COMPLETED: 'workflow.completed',
  CANCELLED: 'workflow.cancelled',
  EXPIRED: 'workflow.expired',
} as const;

/** Characters of an error's name that an event tells. */
const longestErrorName = 200;

/**
 * Ends an execution and writes down its event, in the caller's transaction. Of all who try to end the same
 * one, exactly one does.
 *
 * @returns undefined when it has ended before
 */
export async function endAndTell(database: Database, ending: Ending): Promise<EndedExecution | undefined> {
  const ended = await endExecution(database, ending);
  if (!ended) return undefined;
  const data: EventData<'workflow.completed'> = {
    workflowId: ended.id,
    workflowDefinitionId: ended.workflowDefinitionId,
    ...(ended.recordId && { recordId: ended.recordId }),
    status: ending.status,
    executionType: ended.executionType,
    executionVersion: ended.version,
  };
  const { organizationId, workspaceId } = ended;
  const event = { organizationId, workspaceId, now: ending.now };
  if (ending.status === 'FAILED') {
    const error =
      (ending.failure?.error ?? '').slice(0, longestErrorName).toWellFormed() || 'States.TaskFailed';
    await recordEvent(database, { ...event, type: 'workflow.failed', data: { ...data, error } });
  } else {
    await recordEvent(database, { ...event, type: eventTypes[ending.status], data });
  }
  return ended;
}
