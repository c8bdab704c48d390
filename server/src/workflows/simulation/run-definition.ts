import { type Definition, type Frame, validateDefinition } from '../../../asl/index.ts';
import { isObject, type Json, type JsonObject } from '../../../json/index.ts';
import { expiryBounds } from '../start.ts';
import { supportedResources } from '../tasks/task.ts';
import { argumentsFailure, taskOf } from './arguments.ts';
import { type PlacedState, statesOf } from './coverage.ts';
import { type Mock, type MockedCall, type Mocks, mockProblem, outcomeOfMock } from './mocks.ts';
import { type Ending, type StartedTask, type Step, simulate } from './simulate.ts';
import { stepsOf, type TakeStep } from './steps.ts';

/** What an execution knows about itself. Everything has a default. */
export interface RunContext {
  workflowId?: string;
  /** When it starts (RFC 3339). Default: 2026-01-01T00:00:00.000Z. */
  createdDate?: string;
  /** When it expires. Default: 30 days after the start. */
  expiresAt?: string;
  /** Who started it. Default: a user. */
  origin?: JsonObject;
  /** Default: `en`. */
  locale?: string;
  recordId?: string;
  workflowDefinitionId?: string;
  /** The name of the definition. */
  name?: string;
  /** `$states.context.Task.Token` */
  taskToken?: string;
}

export interface RunOptions {
  /** The parameters of the execution. With `state`, the input of that state. Default: `{}`. */
  input?: Json;
  mocks?: Mocks;
  context?: RunContext;
  /** Runs this state alone, until it leads to another state, ends or fails. */
  state?: string;
  /** With `state`: the variables that it can read. */
  variables?: JsonObject;
  /** With `state`: the parameters of the execution. Default: `{}`. */
  parameters?: JsonObject;
}

export interface DefinitionRun extends Ending {
  /** The states in the order in which they were entered, those of branches and iterations included. */
  path: string[];
  /** The variables of the execution at its end, without those of branches and iterations. */
  variables: JsonObject;
  /** Seconds from start to end. */
  waited: number;
  /** Every attempt of a state. */
  steps: Step[];
}

/** A definition with the errors that `wrp definition check` reports. */
export class DefinitionError extends Error {
  override name = 'DefinitionError';
}

/** A task has no mock, or one that does not fit it. `pointer` leads into the mocks. */
export class MockError extends Error {
  override name = 'MockError';
  readonly state: string;
  readonly pointer: string;

  constructor(state: string, pointer: string, message: string) {
    super(message);
    this.state = state;
    this.pointer = pointer;
  }
}

/**
 * Runs a definition, or one of its states, as the platform does, with mocked tasks and in virtual time: a wait takes no
 * time. The same arguments always have the same result: time starts at `createdDate`, `$random` and `$uuid` return the
 * same values, and a Retrier with `JitterStrategy` `FULL` waits its longest delay.
 *
 * @param document the definition, as an object
 * @throws DefinitionError if the definition is not valid; MockError if a task has no mock that fits
 */
export async function runDefinition(document: object, options: RunOptions = {}): Promise<DefinitionRun> {
  const { definition, take } = opened(document);
  return runWith(definition, take, options);
}

interface Opened {
  definition: Definition;
  take: TakeStep;
}

const open = new WeakMap<object, Opened>();

/** A definition is checked and compiled once. */
function opened(document: object): Opened {
  const known = open.get(document);
  if (known) return known;
  const checked = validateDefinition(document, supportedResources);
  if ('problems' in checked) {
    const lines = checked.problems.map(({ path, message }) => `${path} ${message}`.trimStart());
    throw new DefinitionError(`The definition is not valid:\n${lines.join('\n')}`);
  }
  const fresh = { definition: checked.definition, take: stepsOf(checked.definition) };
  open.set(document, fresh);
  return fresh;
}

/** The same with steps that are taken elsewhere, for a valid definition. */
export async function runWith(
  definition: Definition,
  take: TakeStep,
  { input = {}, mocks = {}, context = {}, state, variables = {}, parameters = {} }: RunOptions,
): Promise<DefinitionRun> {
  if (state === undefined && !isObject(input)) throw new DefinitionError('The input must be an object.');
  const createdAt = new Date(context.createdDate ?? '2026-01-01T00:00:00.000Z');
  const execution = {
    id: context.workflowId ?? '00000000-0000-4000-8000-000000000001',
    parameters: JSON.stringify(state === undefined ? input : parameters),
    createdAt,
    resultOrigin: context.origin ?? defaultOrigin,
    locale: context.locale ?? 'en',
    recordId: context.recordId ?? null,
    definitionId: context.workflowDefinitionId ?? '00000000-0000-4000-8000-000000000002',
    name: context.name ?? 'definition',
  };
  const { TimeoutSeconds } = definition;
  const found = state === undefined ? undefined : stateNamed(definition, state);
  if (state !== undefined && !found) throw new DefinitionError(`The definition has no state ‘${state}’.`);
  const frame = (): Frame => ({
    state: state as string,
    input,
    variables,
    outerVariables: {},
    enteredAt: createdAt.toISOString(),
    retries: [],
    ...(found?.inMap && { mapItem: { Index: 0, Value: input } }),
  });
  const ran = await simulate({
    take,
    runTask: mockedTasks(definition, mocks, execution),
    execution,
    taskToken: context.taskToken ?? 'task-token',
    from: found
      ? { scope: found.scope, frame: JSON.stringify(frame()), alone: true }
      : { scope: [], frame: null, alone: false },
    expiresAt: context.expiresAt
      ? new Date(context.expiresAt)
      : new Date(createdAt.getTime() + expiryBounds.max),
    timeoutAt:
      TimeoutSeconds === undefined || state !== undefined
        ? undefined
        : new Date(createdAt.getTime() + TimeoutSeconds * 1_000),
  });
  const path = ran.steps.filter(({ attempt }) => attempt === 1).map((step) => step.state);
  return { ...ran, path };
}

const defaultOrigin = {
  userId: '00000000-0000-4000-8000-000000000003',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  type: 'USER',
};

function mockedTasks(
  definition: Definition,
  mocks: Mocks,
  { id, recordId }: { id: string; recordId: string | null },
) {
  const calls = new Map<string, number>();
  for (const [name, mock] of Object.entries(mocks)) assertMocks(definition, name, mock);
  return async ({ details, action, attempt, now }: StartedTask) => {
    const { state } = details;
    const { resource, arguments: args, timeoutSeconds, heartbeatSeconds = null } = action;
    const call = (calls.get(state) ?? 0) + 1;
    calls.set(state, call);
    const { kind } = taskOf(resource);
    const mock = mockOf(mocks, { state, resource, arguments: args, call, attempt, ...itemOf(action.frame) });
    // The functions of a task read no more of its execution.
    const execution = { recordId, workspaceId: id, organizationId: id, startedBy: id } as never;
    const failure = await argumentsFailure(resource, args, { execution, idempotencyKey: id, now });
    if (failure) return { seconds: 0, outcome: { kind: 'failed' as const, failure } };
    return outcomeOfMock(mock, { resource, kind, limits: { timeoutSeconds, heartbeatSeconds } });
  };
}

function itemOf(frame: string): Pick<MockedCall, 'item'> {
  const { mapItem: item } = JSON.parse(frame) as Frame;
  return item ? { item } : {};
}

function mockOf(mocks: Mocks, call: MockedCall): Mock {
  const { state, resource } = call;
  const given = Object.hasOwn(mocks, state) ? mocks[state] : undefined;
  const mock =
    typeof given === 'function' ? given(call) : Array.isArray(given) ? given[call.call - 1] : given;
  const args = () => `Its arguments are ${JSON.stringify(call.arguments).slice(0, 500)}.`;
  if (given === undefined) {
    const message = `The task ‘${state}’ (${resource}) has no mock: add one under mocks. ${args()}`;
    throw new MockError(state, '', message);
  }
  if (!mock) {
    const count = Array.isArray(given) ? `: the list has ${given.length}` : '';
    const message = `The task ‘${state}’ (${resource}) has no mock for its call ${call.call}${count}. ${args()}`;
    throw new MockError(state, '', message);
  }
  const problem = mockProblem(mock, resource, taskOf(resource).kind);
  if (!problem) return mock;
  const pointer = Array.isArray(given) ? `/${call.call - 1}${problem.pointer}` : problem.pointer;
  throw new MockError(state, pointer, `The mock of ‘${state}’${pointer}: ${problem.message}.`);
}

function assertMocks(definition: Definition, name: string, mock: Mocks[string]): void {
  const problem = problemsOfMocks(definition, name, mock)[0];
  if (!problem) return;
  const { pointer, message } = problem;
  throw new MockError(name, pointer, `The mock of ‘${name}’${pointer} ${message}.`);
}

/** Why mocks do not fit the state with their name, each with a JSON Pointer into them. */
export function problemsOfMocks(definition: Definition, name: string, mock: Mocks[string]) {
  const state = stateNamed(definition, name)?.state;
  if (!state) return [{ pointer: '', message: `is not a state of the definition, ${tasksOf(definition)}` }];
  if (state.Type !== 'Task') return [{ pointer: '', message: `is a ${state.Type}: only a Task has mocks` }];
  const { Resource } = state;
  const list = Array.isArray(mock) ? mock : [mock];
  return list.flatMap((each, index) => {
    if (!isObject(each)) return [];
    const problem = mockProblem(each, Resource, taskOf(Resource).kind);
    return problem
      ? [{ ...problem, pointer: `${Array.isArray(mock) ? `/${index}` : ''}${problem.pointer}` }]
      : [];
  });
}

function tasksOf(definition: Definition): string {
  const names = statesOf(definition).flatMap(({ name, state }) => (state.Type === 'Task' ? [name] : []));
  return names.length === 0 ? 'which has no tasks' : `whose tasks are ${names.join(', ')}`;
}

function stateNamed(definition: Definition, name: string): PlacedState | undefined {
  return statesOf(definition).find((placed) => placed.name === name);
}
