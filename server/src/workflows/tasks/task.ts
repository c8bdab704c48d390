import { createHash } from 'node:crypto';
import type { MachineError } from '../../domain/failures.ts';
import { uuidOf } from '../../domain/identifiers.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Database } from '../../store/database.ts';
import type { ThreadExecution } from '../../store/threads.ts';
import type { StepOutcome } from '../steps/step.ts';

/** A task that did not succeed: the name is what Retry and Catch match. */
export class TaskFailure extends Error {
  readonly failure: MachineError;

  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.name = 'TaskFailure';
    this.failure = { error, cause };
  }
}

/** One attempt of a task, the same one when a crash makes it run again. */
export interface Attempt {
  execution: ThreadExecution;
  /** Names the attempt to other systems, so that they can drop a repeat. */
  idempotencyKey: string;
  now: Date;
}

/**
 * Something that is changed here: its rows are written in the transaction of the checkpoint, so that they are
 * there once, or not at all.
 */
export interface Change {
  result: Json;
  write(transaction: Database): Promise<void>;
}

/** How a call came out that did not fail. */
export type CallOutcome = Exclude<StepOutcome, { kind: 'failed' | 'elapsed' | 'stopped' }>;

/** What a definition can ask for by the name of a resource. */
export type Task =
  /** Something of the platform's own. */
  | { kind: 'change'; prepare(given: JsonObject, attempt: Attempt): Promise<Change> }
  /** Work outside, done by a job of its own. */
  | {
      kind: 'call';
      /** @param signal aborted when the time is over, or when nobody waits for the call any more */
      call(given: JsonObject, attempt: Attempt, signal: AbortSignal): Promise<CallOutcome>;
    }
  /** An answer from outside, which a request may ask for. */
  | {
      kind: 'callback';
      /** Arguments of any form: whether a request is to be made before waiting. */
      hasRequest(given: Json): boolean;
      /** @param limits with the token that answers */
      request(
        given: JsonObject,
        attempt: Attempt,
        limits: { signal: AbortSignal; token: string },
      ): Promise<void>;
    };

export type Tasks = Readonly<Record<string, Task>>;

/** A UUID that an attempt's row has however often the attempt runs (RFC 9562, version 8). */
export function attemptId(idempotencyKey: string): string {
  const digest = createHash('sha256').update(`workflow task\n${idempotencyKey}`).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return uuidOf(digest);
}
