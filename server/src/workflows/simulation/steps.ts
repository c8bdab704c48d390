import {
  type Action,
  type Definition,
  type Frame,
  type Machine,
  type MachineError,
  openMachine,
  type State,
} from '../../../asl/index.ts';
import type { Json, JsonObject } from '../../../json/index.ts';
import { type StepRequest, type StepResult, takeStep } from '../steps/step.ts';
import { attemptId } from '../tasks/task.ts';

/** What a step did, in more detail than the history of an execution keeps. */
export interface StepDetails {
  state: string;
  type: State['Type'];
  input: Json;
  /** The variables of the thread's scope after the step. */
  variables: JsonObject;
  /** Those that the step assigned. */
  assigned?: JsonObject;
  output?: Json;
  arguments?: Json;
  next?: string;
  /** The field of the state that decided: `Next`, `Choices/0`, `Default`, `Catch/0`, `Retry/0`. */
  via?: string;
  failure?: MachineError;
}

export type SimulatedStep = StepResult & { details: StepDetails };

/** Takes the step with this number, counted from 1. */
export type TakeStep = (request: StepRequest, number: number) => Promise<SimulatedStep>;

/** Takes steps in this process, with the limits of expressions alone. */
export function stepsOf(definition: Definition): TakeStep {
  let draw = (): string => '';
  // A step draws the same numbers wherever it runs, and however often.
  const machine = openMachine(definition, {
    random: () => Number.parseInt(draw().slice(0, 8), 16) / 2 ** 32,
    jitter: () => 1,
    uuid: () => draw(),
  });
  const take: TakeStep = async (request, number) => {
    let drawn = 0;
    draw = () => attemptId(`${number}-${drawn++}`);
    let details: StepDetails | undefined;
    const recording = recorded(machine, (found) => {
      details = found;
    });
    const result = await takeStep(recording, request);
    // The interpreter failed.
    if (result.stack || !details) throw new Error(result.stack ?? 'The step was not taken.');
    return { ...result, details };
  };
  // Executions that run at the same time must not draw each other's numbers.
  let last: Promise<unknown> = Promise.resolve();
  return (request, number) => {
    const taken = last.then(() => take(request, number));
    last = taken.catch(() => {});
    return taken;
  };
}

/** A machine that reports each action. */
function recorded(machine: Machine, report: (details: StepDetails) => void): Machine {
  const record = async (scope: Parameters<Machine['run']>[0], frame: Frame, running: Promise<Action>) => {
    const action = await running;
    report(detailsOf(machine.state(scope, frame.state), frame, action));
    return action;
  };
  return {
    ...machine,
    run: (scope, frame, ...rest) => record(scope, frame, machine.run(scope, frame, ...rest)),
    resume: (scope, frame, ...rest) => record(scope, frame, machine.resume(scope, frame, ...rest)),
    fail: (scope, frame, ...rest) => record(scope, frame, machine.fail(scope, frame, ...rest)),
  };
}

function detailsOf(state: State, frame: Frame, action: Action): StepDetails {
  const { input, variables } = frame;
  const details = { state: frame.state, type: state.Type, input, variables };
  switch (action.kind) {
    case 'next': {
      const { output, failure, via } = action;
      const after = action.frame.variables;
      const field = via === '' ? (state.Type === 'Choice' ? 'Default' : 'Next') : via.slice(0, -1);
      const next = { next: action.frame.state, via: field, ...(failure && { failure }) };
      return { ...details, output, ...assignedBy(state, via, after), variables: after, ...next };
    }
    case 'end': {
      const { output, variables: after } = action;
      return { ...details, output, ...assignedBy(state, '', after), variables: after };
    }
    case 'retry':
      return { ...details, failure: action.failure, via: `Retry/${action.retrier}` };
    case 'fail':
      return { ...details, failure: action.failure };
    case 'task':
      return { ...details, arguments: action.arguments };
    case 'wait':
    case 'fork':
      return details;
  }
}

/** The variables that the Assign of the deciding field sets. */
function assignedBy(state: State, via: string, variables: JsonObject): { assigned?: JsonObject } {
  const [list, index] = via.split('/');
  const owner = list ? (state as unknown as Record<string, State[]>)[list]?.[Number(index)] : state;
  if (!owner || !('Assign' in owner) || !owner.Assign) return {};
  const names = Object.keys(owner.Assign);
  return { assigned: Object.fromEntries(names.map((name) => [name, variables[name] as Json])) };
}
