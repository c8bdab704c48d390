import type { Action, Branch, ExecutionContext, Machine } from '../../server/asl/actions.ts';
import type { Frame, Outcome, ScopePath } from '../../server/asl/checkpoints.ts';
import type { Definition, State } from '../../server/asl/definition.ts';
import { openMachine } from '../../server/asl/machine.ts';
import type { MachineError } from '../../server/asl/machine-error.ts';
import type { Json, JsonObject } from '../../server/json/index.ts';

/** When every test's execution starts. */
export const start = new Date('2027-03-01T09:00:00.000Z');

/** What a task returns at one attempt. */
export type TaskResponse = { result: Json } | { error: string; cause?: string };

export interface Circumstances {
  input?: Json;
  /** Results by the state's name, one per attempt, the last one repeated. Default: the arguments. */
  tasks?: Record<string, TaskResponse[]>;
  random?: () => number;
}

/** The observable events of an execution, in order. */
export interface Trace {
  /** States entered, with the seconds since the start; a retry enters again. */
  entered: [state: string, seconds: number][];
  calls: (Omit<Extract<Action, { kind: 'task' }>, 'kind' | 'frame'> & { state: string })[];
  forks: { state: string; threads: number; maxConcurrency: number; toleratedFailures: number }[];
  /** Seconds between each failure and its retry. */
  delays: number[];
  /** The variables of the execution's own scope, as its last state saw them. */
  variables: JsonObject;
}

export type Ending = { output: Json } | MachineError;

/** Not typed: tests use invalid definitions, too. */
export function definitionOf(states: Record<string, object>, startAt = Object.keys(states)[0]): Definition {
  return { QueryLanguage: 'JSONata', StartAt: startAt, States: states } as Definition;
}

/** A definition of one state, `S`, that ends. */
export function only(state: object): Definition {
  const ends = !['Succeed', 'Fail', 'Choice'].includes((state as State).Type);
  return definitionOf({ S: ends ? { ...state, End: true } : state });
}

/** Runs an execution to its end: tasks return at once, and time passes only while the machine waits. */
export async function execute(
  definition: Definition,
  circumstances: Circumstances = {},
): Promise<Trace & { ending: Ending }> {
  const { input = {}, random } = circumstances;
  const run: Run = {
    machine: openMachine(definition, random && { random }),
    context: {
      execution: { id: 'execution-1', input, name: 'Test', startTime: start.toISOString() },
      stateMachine: { id: 'definition-1', name: 'Definition' },
      taskToken: 'token-1',
    },
    responses: new Map(Object.entries(circumstances.tasks ?? {}).map(([state, list]) => [state, [...list]])),
    trace: { entered: [], calls: [], forks: [], delays: [], variables: {} },
  };
  const { ending } = await runThread(run, [], run.machine.begin(input, start), start);
  return { ...run.trace, ending };
}

/** Only how an execution ends. */
export async function endingOf(definition: Definition, circumstances?: Circumstances): Promise<Ending> {
  return (await execute(definition, circumstances)).ending;
}

interface Run {
  machine: Machine;
  context: ExecutionContext;
  responses: Map<string, TaskResponse[]>;
  trace: Trace;
}

async function runThread(
  run: Run,
  path: ScopePath,
  first: Frame,
  from: Date,
): Promise<{ ending: Ending; at: Date }> {
  const { machine, context, trace } = run;
  let now = from;
  let frame = first;
  let outcome: Outcome | undefined;
  for (let steps = 0; steps < 10_000; steps++) {
    // What is stored between two steps is the frame's JSON.
    frame = JSON.parse(JSON.stringify(frame));
    if (path.length === 0) trace.variables = frame.variables;
    if (!outcome) trace.entered.push([frame.state, (now.getTime() - start.getTime()) / 1_000]);
    const action: Action = outcome
      ? await machine.resume(path, frame, outcome, context, now)
      : await machine.run(path, frame, context, now);
    outcome = undefined;
    switch (action.kind) {
      case 'next':
        frame = action.frame;
        break;
      case 'wait':
        [frame, now, outcome] = [action.frame, action.until, { kind: 'elapsed' }];
        break;
      case 'retry':
        trace.delays.push((action.at.getTime() - now.getTime()) / 1_000);
        [frame, now] = [action.frame, action.at];
        break;
      case 'task':
        [frame, outcome] = [action.frame, callTask(run, action)];
        break;
      case 'fork': {
        frame = action.frame;
        const joined = await runFork(run, path, action, now);
        [outcome, now] = [joined.outcome, joined.at];
        break;
      }
      case 'end':
        return { ending: { output: JSON.parse(JSON.stringify(action.output)) }, at: now };
      case 'fail':
        return { ending: action.failure, at: now };
    }
  }
  throw new Error('The execution does not end.');
}

function callTask({ responses, trace }: Run, action: Extract<Action, { kind: 'task' }>): Outcome {
  const { kind: _, frame, ...call } = action;
  trace.calls.push({ state: frame.state, ...call });
  const list = responses.get(frame.state);
  const response = list && list.length > 1 ? list.shift() : list?.[0];
  if (!response) return { kind: 'succeeded', result: call.arguments };
  if ('result' in response) return { kind: 'succeeded', result: response.result };
  return { kind: 'failed', failure: { error: response.error, cause: response.cause ?? '' } };
}

/** One thread after the other, each from the time of the fork; it ends with the last one. */
async function runFork(
  run: Run,
  path: ScopePath,
  action: Extract<Action, { kind: 'fork' }>,
  now: Date,
): Promise<{ outcome: Outcome; at: Date }> {
  const { branches, frame, maxConcurrency, toleratedFailures } = action;
  run.trace.forks.push({ state: frame.state, threads: branches.length, maxConcurrency, toleratedFailures });
  const results: Json[] = [];
  let failures = 0;
  let at = now;
  for (const branch of branches) {
    const thread = await runBranch(run, path, branch, now);
    if (thread.at > at) at = thread.at;
    if ('output' in thread.ending) results.push(thread.ending.output);
    else if (++failures > toleratedFailures) {
      return { outcome: { kind: 'failed', failure: thread.ending }, at };
    }
  }
  return { outcome: { kind: 'succeeded', result: results }, at };
}

function runBranch(run: Run, path: ScopePath, { path: step, frame }: Branch, now: Date) {
  return runThread(run, [...path, step], frame, now);
}

/** The result of an expression. */
export const outputOf = (expression: string, input: Json = {}) =>
  endingOf(only({ Type: 'Pass', Output: `{% ${expression} %}` }), { input });

/** A text on which a regular expression that backtracks never ends. */
export const attack = `${'a'.repeat(47)}!`;
