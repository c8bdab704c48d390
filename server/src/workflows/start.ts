import { randomUUIDv7 } from 'node:crypto';
import type { WorkflowExecution } from '../../../generated/types.ts';
import { maximumSeconds } from '../../asl/index.ts';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { type InputProblem, type InputSchemas, problemsOf } from '../../json-schema/index.ts';
import { beforeTransaction } from '../../postgres-client/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { findStartable } from '../store/definitions.ts';
import { recordEvent } from '../store/events.ts';
import { insertExecution } from '../store/executions.ts';

const minute = 60_000;
/** Milliseconds after the start, inclusive. */
export const expiryBounds = { min: 30 * minute, max: maximumSeconds * 1000 };

export interface Start {
  workflowDefinitionId: string;
  /** Any JSON; anything but an object is rejected. */
  parameters: Json;
  /** Default: the definition's. */
  locale?: string | undefined;
  /** Default: 30 days from now. */
  expiresAt?: Date | undefined;
  recordId?: string | undefined;
  executionType: WorkflowExecution['executionType'];
  /** As shown in responses. */
  origin: WorkflowExecution['origin'];
  /** The origin that the definition sees in its input. Default: the user `startedBy`. */
  resultOrigin?: JsonObject;
  /** The user on whose behalf it acts: the caller, or the creator of the link. */
  startedBy: string;
}

export type StartOutcome =
  | { kind: 'started'; execution: WorkflowExecution }
  | { kind: 'parameters_mismatch'; problems: InputProblem[] }
  /** The definition does not exist or has no document yet. */
  | { kind: 'unknown_definition' }
  | { kind: 'archived_definition' }
  | { kind: 'record_mismatch' }
  | { kind: 'expiry_out_of_range' };

/**
 * Starts an execution of a definition's current revision: adds the execution, its root thread, the job that runs it and
 * the event in the caller's transaction, which is one of `transact`. It runs once the transaction is committed.
 */
export type StartExecution = (transaction: Database, start: Start) => Promise<StartOutcome>;

export function executionStarter({
  jobs,
  schemas,
  now,
}: {
  jobs: Jobs;
  schemas: InputSchemas;
  now(): Date;
}): StartExecution {
  return async (transaction, start) => {
    const createdAt = now();
    const { workflowDefinitionId: definitionId, recordId, executionType, startedBy: userId } = start;
    const found = await findStartable(transaction, { definitionId, recordId, userId });
    if (!found?.startedBy) return { kind: 'unknown_definition' };
    const { definition, isArchived, hasRecord, startedBy } = found;
    if (isArchived) return { kind: 'archived_definition' };
    const expiresAt = expiryOf(start.expiresAt, createdAt);
    if (!expiresAt) return { kind: 'expiry_out_of_range' };
    if (recordId && !hasRecord) return { kind: 'record_mismatch' };
    const { revisionId, inputSchema } = definition;
    const problems = isObject(start.parameters)
      ? problemsOf(await checksWithin(schemas, transaction).check(revisionId, inputSchema, start.parameters))
      : [{ pointer: '', message: 'must be an object' }];
    if (problems.length > 0) return { kind: 'parameters_mismatch', problems };

    // In the order of time: rows of the same seconds are next to each other in every index.
    const id = randomUUIDv7();
    const threadId = randomUUIDv7();
    const locale = start.locale ?? definition.defaultLocale;
    const parameters = start.parameters as JsonObject;
    const execution = await insertExecution(transaction, {
      ...start,
      id,
      definition,
      locale,
      parameters,
      recordId,
      createdAt,
      expiresAt,
      resultOrigin: start.resultOrigin ?? { ...startedBy, type: 'USER' },
      deadlineAt: deadlineOf(definition.timeoutSeconds, createdAt, expiresAt),
      rootThreadId: threadId,
    });
    await jobs.enqueue(transaction, 'execution-step', { threadId, turn: 0 });
    await recordEvent(transaction, {
      type: 'workflow.started',
      organizationId: definition.organizationId,
      workspaceId: definition.workspaceId,
      data: {
        workflowId: id,
        workflowDefinitionId: definition.id,
        ...(recordId && { recordId }),
        status: 'RUNNING',
        executionType,
        executionVersion: 1,
      },
      now: createdAt,
    });
    return { kind: 'started', execution };
  };
}

/** @returns undefined if the requested expiry is out of range */
function expiryOf(requested: Date | undefined, now: Date): Date | undefined {
  const { min, max } = expiryBounds;
  if (!requested) return new Date(now.getTime() + max);
  const after = requested.getTime() - now.getTime();
  return after >= min && after <= max ? requested : undefined;
}

function deadlineOf(timeoutSeconds: number | null, createdAt: Date, expiresAt: Date): Date {
  const timeout = createdAt.getTime() + (timeoutSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  return timeout < expiresAt.getTime() ? new Date(timeout) : expiresAt;
}

/** The checks of a change: one that may take seconds is done before its transaction. */
export function checksWithin(schemas: InputSchemas, transaction: Database): Pick<InputSchemas, 'check'> {
  return schemas.deferring((key, work) => beforeTransaction(transaction, key, work));
}
