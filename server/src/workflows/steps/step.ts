import { randomUUIDv7 } from 'node:crypto';
import type {
  Action,
  ExecutionContext,
  Failed,
  Frame,
  Machine,
  MachineError,
  Outcome,
  ScopePath,
} from '../../../asl/index.ts';
import type { Json, JsonObject } from '../../../json/index.ts';
import type { NewThread } from '../../store/forks.ts';
import type { NewFork } from '../../store/threads.ts';
import { entryOf, type StepEntry, storable } from './history-entry.ts';

/** JSON as text. Values that may be large pass through the main process as text, without being parsed. */
export type JsonText = string;

/** The outcome that a thread waited for, with large values as text. */
export type StepOutcome =
  | Outcome
  /** The result of a call. `body` is parsed if it is JSON. */
  | { kind: 'response'; result: JsonObject & { body: string } }
  /** The step was stopped at a limit, or the results of a fork exceed the size limit together. */
  | { kind: 'stopped'; failure: MachineError };

/** A thread at its checkpoint, and the outcome that it continues with. */
export interface StepRequest {
  scope: ScopePath;
  /** A `Frame`; null before the first state. */
  frame: JsonText | null;
  /** A `StepOutcome`, as text where it is stored. */
  outcome: StepOutcome | JsonText | undefined;
  execution: {
    id: string;
    parameters: JsonText;
    createdAt: Date;
    resultOrigin: Json;
    locale: string;
    recordId: string | null;
    definitionId: string;
    name: string;
  };
  taskToken: string;
  /** The name of the thread in the history; empty for the root thread. */
  label: string;
  now: Date;
}

/** An action of the machine with its large values as text. */
export type StepAction =
  | { kind: 'next'; frame: JsonText; state: string }
  | WithFrameText<'wait'>
  | WithFrameText<'task'>
  | ({ kind: 'fork'; frame: JsonText } & NewFork)
  | { kind: 'retry'; frame: JsonText; at: Date }
  | { kind: 'end'; output: JsonText }
  | { kind: 'fail'; failure: MachineError };

type WithFrameText<Kind extends 'wait' | 'task'> = Omit<Extract<Action, { kind: Kind }>, 'frame'> & {
  frame: JsonText;
};

export interface StepResult {
  action: StepAction;
  entry: StepEntry;
  /** The stack of an unexpected error, for the log. */
  stack?: string;
}

/** Total size of the initial frames of a fork's threads. */
const maxForkBytes = 32 * 1024 * 1024;

/**
 * Runs one step of a thread. It depends only on its arguments, so it runs in this process or in a worker process. It
 * never throws because of a definition.
 */
export async function takeStep(machine: Machine, request: StepRequest): Promise<StepResult> {
  const { scope, execution, now } = request;
  const outcome =
    typeof request.outcome === 'string' ? (JSON.parse(request.outcome) as StepOutcome) : request.outcome;
  const input = executionInput(execution);
  const frame =
    request.frame === null ? machine.begin(input, execution.createdAt) : (JSON.parse(request.frame) as Frame);
  const context: ExecutionContext = {
    execution: {
      id: execution.id,
      input,
      name: execution.id,
      startTime: execution.createdAt.toISOString(),
    },
    stateMachine: { id: execution.definitionId, name: execution.name },
    get taskToken() {
      return request.taskToken;
    },
  };
  const fail = (failure: MachineError, of: Failed['of']) =>
    machine.fail(scope, frame, { failure, of }, context, now);
  const act = async (): Promise<{ action: Action; failure?: MachineError; result?: Json }> => {
    if (!outcome) return { action: await machine.run(scope, frame, context, now) };
    if (outcome.kind === 'stopped') {
      const { failure } = outcome;
      return { action: await fail(failure, 'result'), failure };
    }
    const known = outcome.kind === 'response' ? parsed(outcome) : outcome;
    const action = await machine.resume(scope, frame, known, context, now);
    if (known.kind === 'failed') return { action, failure: known.failure };
    return known.kind === 'succeeded' ? { action, result: known.result } : { action };
  };
  const resultOf = (action: Action, failure: MachineError | undefined, result?: Json): StepResult => {
    const state = () => machine.state(scope, frame.state);
    const entry = entryOf(action, { label: request.label, frame, state, failure, result });
    return { action: asText(action, request), entry };
  };

  try {
    const { action, failure, result } = await act();
    return resultOf(scope.length === 0 ? withObjectResult(action) : action, failure, result);
  } catch (error) {
    if (error instanceof ForkTooLargeError)
      return resultOf(await fail(error.failure, 'state'), error.failure);
    // An error in the interpreter, which a retry would repeat.
    const cause = 'The interpreter failed; see the log of the platform.';
    const failure = { error: 'States.Runtime', cause };
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...resultOf({ kind: 'fail', failure }, undefined), stack };
  }
}

/**
 * The input of an execution's first state, which every state sees as `$states.context.Execution.Input`:
 *
 * - `parameters`: of the start
 * - `workflowId`: the execution's identifier
 * - `createdDate`: when it was started, ISO 8601
 * - `origin`: who started it: `{userId, firstName, lastName, email, type: "USER"}`, or `{email, type: "LINK"}`; a
 *   schedule adds `schedule` and `scheduledTime`
 * - `locale`: its language
 * - `recordId`: the record that it is about, if any
 */
function executionInput({
  id,
  parameters,
  createdAt,
  resultOrigin,
  locale,
  recordId,
}: StepRequest['execution']) {
  return {
    parameters: JSON.parse(parameters) as Json,
    workflowId: id,
    createdDate: createdAt.toISOString(),
    origin: resultOrigin,
    locale,
    ...(recordId && { recordId }),
  };
}

function parsed({ result }: Extract<StepOutcome, { kind: 'response' }>): Outcome {
  return { kind: 'succeeded', result: { ...result, body: parsedOr(result.body) } };
}

/** A body that is not JSON remains text. */
function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The output of the root thread is the result of the execution. */
function withObjectResult(action: Action): Action {
  if (action.kind !== 'end') return action;
  const { output } = action;
  if (typeof output === 'object' && output !== null && !Array.isArray(output)) return action;
  const type = output === null ? 'null' : Array.isArray(output) ? 'an array' : `a ${typeof output}`;
  const cause = `The output of a definition is its result, which must be an object, not ${type}.`;
  return { kind: 'fail', failure: { error: 'Wrp.ResultNotAnObject', cause } };
}

function asText(action: Action, request: StepRequest): StepAction {
  switch (action.kind) {
    case 'next':
      return { kind: 'next', frame: JSON.stringify(action.frame), state: action.frame.state };
    case 'wait':
    case 'task':
      return { ...action, frame: JSON.stringify(action.frame) };
    case 'retry':
      return { kind: 'retry', frame: JSON.stringify(action.frame), at: action.at };
    case 'fork':
      return { ...forkAsText(action, request), frame: JSON.stringify(action.frame) };
    case 'end':
      return { kind: 'end', output: JSON.stringify(action.output) };
    case 'fail':
      return { kind: 'fail', failure: storable(action.failure) };
  }
}

/** @throws ForkTooLargeError */
function forkAsText(
  { branches, maxConcurrency, toleratedFailures }: Extract<Action, { kind: 'fork' }>,
  { label, scope }: StepRequest,
): { kind: 'fork' } & NewFork {
  const concurrency = maxConcurrency === 0 ? branches.length : maxConcurrency;
  const started: string[] = [];
  const threads: JsonText[] = [];
  let bytes = 0;
  for (const [position, { path, frame }] of branches.entries()) {
    const id = randomUUIDv7();
    const status = position < concurrency ? 'ready' : 'queued';
    if (status === 'ready') started.push(id);
    const thread: NewThread = {
      id,
      position,
      label: `${label && `${label}/`}${path.state}[${position}]`,
      scope: [...scope, path],
      frame,
      status,
    };
    const text = JSON.stringify(thread);
    bytes += Buffer.byteLength(text);
    if (bytes > maxForkBytes) throw new ForkTooLargeError();
    threads.push(text);
  }
  return { kind: 'fork', threads: `[${threads.join()}]`, count: threads.length, started, toleratedFailures };
}

class ForkTooLargeError extends Error {
  readonly failure = {
    error: 'States.DataLimitExceeded',
    cause: `The initial frames of the threads exceed ${maxForkBytes} bytes in total.`,
  };
}
