import { createHash } from 'node:crypto';
import { executionTimeout, reportedFailure } from '../../asl/index.ts';
import { type BlobStore, writeText } from '../../blobs/index.ts';
import { batch, transact } from '../../postgres-client/index.ts';
import type { Database } from '../store/database.ts';
import { type EventData, type EventType, type NewEvent, recordEvents } from '../store/events.ts';
import {
  dueExecutions,
  type EndedExecution,
  type Ending,
  endExecutions,
  type NewResult,
  statusOfExecution,
} from '../store/executions.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { assertCurrent } from '../store/threads.ts';

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

/** The same, in a transaction of its own. */
export function endNow(database: Database, ending: Ending): Promise<EndedExecution | undefined> {
  return database.transaction().execute((transaction) => endWithEvent(transaction, ending));
}

/**
 * Cancels a running execution, in the caller's transaction.
 *
 * @returns the status that it had; undefined if it does not exist
 */
export async function cancelExecution(
  database: Database,
  executionId: string,
  now: Date,
): Promise<ExecutionStatus | undefined> {
  for (;;) {
    const ended = await endWithEvent(database, { executionId, status: 'CANCELLED', now });
    if (ended) return 'RUNNING';
    const status = await statusOfExecution(database, executionId);
    // Otherwise a retry has continued it since.
    if (status !== 'RUNNING') return status;
  }
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

function eventOf(ended: EndedExecution, { status, failure, now, ...ending }: Ending): NewEvent<EventType> {
  const { id, workflowDefinitionId, recordId, executionType, version, ...about } = ended;
  const { organizationId, workspaceId } = about;
  const traceparent = ending.traceparent ?? about.traceparent;
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
  const { cause: _, ...reported } = reportedFailure(failure?.error, failure?.cause);
  return { ...event, type: 'workflow.failed', data: { ...data, ...reported } };
}

/** Executions loaded at once. */
const dueAtOnce = 200;

/**
 * Ends executions past their deadline: as FAILED with `States.Timeout` if the definition's TimeoutSeconds ended first,
 * otherwise as EXPIRED. Several processes may do this at once.
 *
 * @returns the number of executions that it ended
 */
export async function endDue(database: Database, now: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await dueExecutions(database, now, dueAtOnce);
    for (const { id, version, timedOut } of due) {
      const ending = timedOut
        ? { status: 'FAILED' as const, failure: executionTimeout }
        : { status: 'EXPIRED' as const };
      if (await endNow(database, { ...ending, executionId: id, version, now })) count += 1;
    }
    if (due.length < dueAtOnce) return count;
  }
}

const day = 86_400_000;
/** How long results and history are kept after the end of an execution. */
export const retentionMilliseconds = 30 * day;

/** Larger results are served by a signed URL. */
export const inlineBytes = 9_000_000;

/** Smaller results, which most are, are stored in their rows, to avoid a blob for each. */
const rowBytes = 65_536;

/** Stores the JSON of a result as it will be served. */
export async function storeResult(blobs: Pick<BlobStore, 'write'>, text: string): Promise<NewResult> {
  const size = Buffer.byteLength(text);
  if (size > rowBytes) return writeText(blobs, text);
  const bytes = Buffer.from(text);
  return { bytes, size, sha256: createHash('sha256').update(bytes).digest() };
}
