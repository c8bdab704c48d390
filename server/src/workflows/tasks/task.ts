import { createHash } from 'node:crypto';
import { callbackResource, type MachineError, suggestion } from '../../../asl/index.ts';
import type { Json, JsonObject } from '../../../json/index.ts';
import { uuidOf } from '../../domain/identifiers.ts';
import type { Database } from '../../store/database.ts';
import type { Thread, ThreadExecution } from '../../store/threads.ts';
import type { StepOutcome } from '../steps/step.ts';

/** A task that failed. Retry and Catch match the error name. */
export class TaskFailure extends Error {
  override name = 'TaskFailure';
  readonly failure: MachineError;

  constructor(error: string, cause: string, response?: JsonObject) {
    super(`${error}: ${cause}`);
    this.failure = { error, cause, ...(response && { response }) };
  }
}

/** An attempt of a task. A retry after a crash is the same attempt. */
export interface Attempt {
  execution: ThreadExecution;
  /** Lets other systems detect a repeated attempt. */
  idempotencyKey: string;
  now: Date;
}

/** A change of the platform's own data, written exactly once: in the transaction of the checkpoint. */
export interface Change {
  result: Json;
  write(transaction: Database): Promise<void>;
}

/** The outcome of a successful call. */
export type CallOutcome = Exclude<StepOutcome, { kind: 'failed' | 'elapsed' | 'stopped' }>;

/** The implementation of a Resource of Task states. */
export type Task =
  /**
   * Changes the platform's own data. All arguments are read before anything outside is used, because the check of a
   * definition and the simulation stop there.
   */
  | { kind: 'change'; prepare(args: JsonObject, attempt: Attempt): Promise<Change> }
  /** Calls another system, in a job of its own. */
  | {
      kind: 'call';
      /** @param signal aborted at the timeout, or when the thread is gone */
      call(args: JsonObject, attempt: Attempt, signal: AbortSignal): Promise<CallOutcome>;
    }
  /** Waits for a callback, possibly after a request. */
  | {
      kind: 'callback';
      /** Whether to call `request` first, which also validates the arguments. Without any, the task just waits. */
      needsRequest(args: Json): boolean;
      /** @param callback `token`: completes the step */
      request(
        args: JsonObject,
        attempt: Attempt,
        callback: { signal: AbortSignal; token: string },
      ): Promise<void>;
    };

const resources = [
  'wrp:http:call',
  'wrp:resource:create',
  'wrp:attachment:create',
  'wrp:mail:send',
  callbackResource,
] as const;

/** The values of a Task state's Resource. */
export const supportedResources: ReadonlySet<string> = new Set(resources);

export type SupportedResource = (typeof resources)[number];
export type Tasks = Readonly<Record<string, Task>>;

/** The UUID of the row that an attempt adds, the same if the attempt is repeated (RFC 9562, version 8). */
export function attemptId(idempotencyKey: string): string {
  const digest = createHash('sha256').update(`workflow task\n${idempotencyKey}`).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x80;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return uuidOf(digest);
}

export function attemptOf({ id, step, execution }: Thread, now: Date): Attempt {
  return { execution, idempotencyKey: `${id}-${step}`, now };
}

/** Catches TaskFailure. Other errors are thrown, and the job is retried. */
export async function catchFailure<Value>(
  args: Json,
  attempt: (args: JsonObject) => Promise<Value>,
): Promise<{ kind: 'done'; value: Value } | { kind: 'failed'; failure: MachineError }> {
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw new TaskFailure('Wrp.InvalidArguments', 'Arguments must be an object.');
    }
    return { kind: 'done', value: await attempt(args) };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { kind: 'failed', failure: error.failure };
  }
}

export function invalid(cause: string): TaskFailure {
  return new TaskFailure('Wrp.InvalidArguments', cause);
}

/** @throws TaskFailure for an unknown field, which is probably misspelled */
export function onlyFields(args: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalid(
      `Unknown field ‘${unknown}’; the fields are ${known.join(', ')}.${suggestion(unknown, known)}`,
    );
  }
}

export function textOf(args: JsonObject, name: string): string {
  const text = optionalText(args, name);
  if (text === undefined) throw invalid(`‘${name}’ is missing.`);
  return text;
}

export function optionalText(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`‘${name}’ must be a string.`);
  return value;
}
