import { createHash } from 'node:crypto';
import type { Database } from '../../store/database.ts';
import type { ThreadExecution } from '../../store/threads.ts';
import type { Json, JsonObject, MachineError } from '../machine/actions.ts';

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

/** What a definition can ask for by the name of a resource. */
export type Task =
  | { kind: 'change'; prepare(task: JsonObject, attempt: Attempt): Promise<Change> }
  /** Work outside, done by a job of its own. The signal is aborted at the task's timeout, or when it is unwanted. */
  | { kind: 'call'; call(task: JsonObject, attempt: Attempt, signal: AbortSignal): Promise<Json> }
  /** Waits for an answer; `request` is made before, where the task has one, and told where to answer. */
  | {
      kind: 'callback';
      hasRequest(task: JsonObject): boolean;
      request(task: JsonObject, attempt: Attempt, signal: AbortSignal, token: string): Promise<void>;
    };

export type Tasks = Readonly<Record<string, Task>>;

/** A UUID that an attempt's row has however often the attempt runs (RFC 9562, version 8). */
export function attemptId(idempotencyKey: string): string {
  const digest = createHash('sha256').update(`workflow task\n${idempotencyKey}`).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
