import { openMachine, type State, toPayload } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import { transact } from '../../postgres-client/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type Actor, type AuditOrigin, auditChange, withAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { statusOfExecution } from '../store/executions.ts';
import {
  addRootEntry,
  failedThreads,
  type ReopenedExecution,
  reopenExecution,
  replaceInput,
  type StoppedState,
  stoppedStates,
} from '../store/retries.ts';
import type { ExecutionStatus } from '../store/schema.ts';
import { continueThreads, stoppedRoot } from '../store/stopped-threads.ts';
import { retriedEntry } from './steps/history-entry.ts';
import { enqueueContinued } from './thread-jobs.ts';

export interface Retry {
  executionId: string;
  /** Who retries it, for the history and the audit log. */
  origin: AuditOrigin & { actor: Actor };
  /** Continues with the definition's newest revision. Default: the execution's own. */
  newest?: boolean | undefined;
  /** Replaces the input of the state that failed. */
  input?: Json | undefined;
}

export type RetryOutcome =
  | {
      kind: 'retried';
      version: number;
      revision: string;
      /** A `Fail` state with which it continues: it fails again, whatever its input. */
      failState?: string;
    }
  | RetryRefusal;

export type RetryRefusal =
  | { kind: 'unknown' }
  | { kind: 'running' }
  | { kind: 'not_failed'; status: ExecutionStatus }
  /** It failed before the platform kept threads for a retry, or too long ago. */
  | { kind: 'no_checkpoint' }
  /** The newest revision does not have the state, in the same scope and with the same type and branches. */
  | { kind: 'state_missing'; state: string; revision: string }
  /** An input can replace that of one failed state. */
  | { kind: 'input_ambiguous'; failed: 'none' | 'several' }
  | { kind: 'input_invalid'; cause: string };

class Refused extends Error {
  readonly refusal: RetryRefusal;

  constructor(refusal: RetryRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

interface RetryDependencies {
  database: Database;
  jobs: Pick<Jobs, 'enqueueAll'>;
  now: Date;
}

/**
 * Continues a failed execution from the states that failed or were stopped, in one transaction with its jobs. Of
 * concurrent callers exactly one retries it. What succeeded is kept, branches and items of forks included.
 */
export async function retryExecution(
  { database, jobs, now }: RetryDependencies,
  retry: Retry,
): Promise<RetryOutcome> {
  try {
    return await transact(database, (transaction) =>
      withAudit(
        transaction,
        () => retry.origin,
        () => retryIn({ database: transaction, jobs, now }, retry),
      ),
    );
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** @throws Refused */
async function retryIn(
  { database: transaction, jobs, now }: RetryDependencies,
  { executionId, origin: { actor }, newest = false, input }: Retry,
): Promise<RetryOutcome> {
  const edited = input === undefined ? undefined : payloadOf(input);
  const execution = await reopenExecution(transaction, { executionId, newest, now });
  if (!execution) throw new Refused(await whyNotReopened(transaction, executionId));
  const { version, error, from, to } = execution;
  const root = await stoppedRoot(transaction, executionId);
  if (!root) throw new Refused({ kind: 'no_checkpoint' });
  if (to.revision !== from.revision) await assertContinuable(transaction, execution);
  const [failed, another] = await failedThreads(transaction, executionId, 2);
  if (edited !== undefined) {
    if (!failed) throw new Refused({ kind: 'input_ambiguous', failed: 'none' });
    if (another) throw new Refused({ kind: 'input_ambiguous', failed: 'several' });
    await replaceInput(transaction, failed.id, { input: edited, startAt: to.document.StartAt });
  }
  // With another input, its state begins again.
  const begins = edited !== undefined && failed?.id === root.id;
  const detail = {
    by: actor.kind === 'operator' ? actor.name : actor.userId,
    error,
    ...(failed?.label && { failed: `${failed.label}/${failed.state}` }),
    ...(to.revision !== from.revision && { revision: to.revision }),
  };
  const entry = retriedEntry(to.document.StartAt, detail, edited);
  await addRootEntry(transaction, executionId, { ...entry, at: now });
  const threads = await continueThreads(
    transaction,
    [begins ? { ...root, awaiting: null, hasOutcome: false } : root],
    now,
  );
  await enqueueContinued({ database: transaction, jobs, now }, execution, threads);
  auditChange(transaction, {
    object: { kind: 'execution', id: executionId },
    organizationId: execution.organizationId,
    details: { event: 'retried', revision: to.revision, ...(edited !== undefined && { input: 'replaced' }) },
  });
  const state = failed && (failed.state ?? to.document.StartAt);
  const isFail = state && openMachine(to.document).state(failed.scope, state).Type === 'Fail';
  return {
    kind: 'retried',
    version,
    revision: to.revision,
    ...(isFail && { failState: [failed.label, state].filter(Boolean).join('/') }),
  };
}

async function whyNotReopened(database: Database, executionId: string): Promise<RetryRefusal> {
  const status = await statusOfExecution(database, executionId);
  if (status === undefined) return { kind: 'unknown' };
  if (status === 'RUNNING') return { kind: 'running' };
  return status === 'FAILED' ? { kind: 'no_checkpoint' } : { kind: 'not_failed', status };
}

/** @throws Refused if the newest revision does not have all states to continue with */
async function assertContinuable(
  database: Database,
  { id, from, to }: Pick<ReopenedExecution, 'id' | 'from' | 'to'>,
): Promise<void> {
  const [before, after] = [openMachine(from.document), openMachine(to.document)];
  for (const stopped of await stoppedStates(database, id)) {
    const { scope, state } = stopped;
    const next = stateOf(() => after.state(scope, state));
    if (next && isLike(before.state(scope, state), next, stopped)) continue;
    const path = [...scope.map((each) => each.state), state].join('/');
    throw new Refused({ kind: 'state_missing', state: path, revision: to.revision });
  }
}

function stateOf(find: () => State): State | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Whether what a thread waits for can be the outcome of the other state. */
function isLike(before: State, after: State, { isFork }: Pick<StoppedState, 'isFork'>): boolean {
  if (before.Type !== after.Type) return false;
  if (!isFork || before.Type !== 'Parallel' || after.Type !== 'Parallel') return true;
  return before.Branches.length === after.Branches.length;
}

function payloadOf(input: Json): Json {
  try {
    return toPayload(input, 'The input');
  } catch (error) {
    throw new Refused({ kind: 'input_invalid', cause: (error as Error).message });
  }
}

/** The reason in one line, for operators. */
export function describeRefusal(refusal: Exclude<RetryRefusal, { kind: 'unknown' | 'running' }>): string {
  switch (refusal.kind) {
    case 'not_failed':
      return `The execution has ended with status ${refusal.status}: only a failed one can be retried.`;
    case 'no_checkpoint':
      return 'The execution has no checkpoint: it failed before the platform kept one, or too long ago. Start it anew.';
    case 'state_missing':
      return `Revision ${refusal.revision} has no state like ${refusal.state}, with which the execution would continue.`;
    case 'input_ambiguous':
      return refusal.failed === 'none'
        ? 'No state failed, but the execution as a whole: retry it without --input.'
        : 'Several states failed: retry the execution without --input.';
    case 'input_invalid':
      return `The input is refused: ${refusal.cause}`;
  }
}

/** What to know of a retry that continues with a `Fail` state, for people; empty for any other. */
export function failHint({ failState }: { failState?: string }): string {
  if (failState === undefined) return '';
  return ` ${failState} is a Fail state, which fails again: start the execution anew, or change the definition and retry with its newest revision.`;
}
