import type { MachineError, Outcome } from '../../../asl/index.ts';
import { isObject, type Json, type JsonObject } from '../../../json/index.ts';
import type { SupportedResource, Task } from '../tasks/task.ts';
import { callLimitOf, missedBy } from '../tasks/timeouts.ts';

/** An error by its name, or with its cause and, for `Http.Status.<code>`, its response. */
export type MockedError =
  | string
  | {
      name: string;
      /** Default: empty. */
      cause?: string;
      /** Default: the code of the name, no headers, an empty body. */
      response?: { statusCode?: number; headers?: JsonObject; body?: Json };
    };

/** What a task does instead of its call. */
export type Mock =
  | {
      /** The result. For `wrp:http:call`, `statusCode` defaults to 200 and `headers` to `{}`. */
      output: Json;
      /** Seconds that the call takes. Default: 0. A call that takes longer than its timeout fails. */
      duration?: number;
    }
  /** Of a callback task: the error of its request. */
  | { error: MockedError; duration?: number }
  /** No response, and no callback: the task fails after its TimeoutSeconds or HeartbeatSeconds. */
  | { timeout: true }
  | {
      /** As the other system posts it. */
      callback: { output: Json } | { error: MockedError; cause?: string };
      /** Seconds until the callback arrives. Default: 0. */
      duration?: number;
      /** Seconds between two heartbeats. Default: there are none. */
      heartbeat?: number;
    };

/** A task that is to be mocked. */
export interface MockedCall {
  state: string;
  resource: string;
  arguments: Json;
  /** Calls of this state in the execution, this one included: retries, rounds of a loop, and items of a Map count. */
  call: number;
  /** Attempts of this visit of the state, this one included. */
  attempt: number;
  /** The item of a Map. */
  item?: { Index: number; Value: Json };
}

/**
 * Mocks by the name of a Task state, wherever it is. A list has one mock for each call, in order; a single mock is for
 * every call; a function decides.
 */
export type Mocks = Record<string, Mock | Mock[] | ((call: MockedCall) => Mock)>;

interface Limits {
  timeoutSeconds: number;
  heartbeatSeconds: number | null;
}

const outcomes = ['output', 'error', 'timeout', 'callback'] as const;

/** The fields of a result. */
const resultFields: Partial<Record<SupportedResource, readonly string[]>> = {
  'wrp:http:call': ['statusCode', 'headers', 'body'],
  'wrp:resource:create': ['resourceId', 'resourcePath', 'resourceName'],
  'wrp:attachment:create': ['id', 'recordId', 'name', 'type', 'size', 'tags', 'createdDateTime'],
  'wrp:mail:send': ['to', 'subject'],
};

/** Why a mock does not fit a task: a JSON Pointer into the mock and the reason; undefined if it does. */
export function mockProblem(
  mock: object,
  resource: string,
  kind: Task['kind'],
): { pointer: string; message: string } | undefined {
  const given = outcomes.filter((name) => name in mock);
  const problem = (pointer: string, message: string) => ({ pointer, message });
  if (given.length !== 1) return problem('', `must have exactly one of ${outcomes.join(', ')}`);
  if (kind === 'callback' && 'output' in mock) {
    return problem('/output', `is not the result of ${resource}: use callback: { output: … }`);
  }
  if (kind !== 'callback' && 'callback' in mock) {
    return problem('/callback', `is only for wrp:callback:wait; the Resource is ${resource}`);
  }
  const inCallback = 'callback' in mock ? problemOfCallback(mock.callback) : undefined;
  if (inCallback) return problem(`/callback${inCallback.pointer}`, inCallback.message);
  if ('heartbeat' in mock && !('callback' in mock)) return problem('/heartbeat', 'is only for a callback');
  if (kind === 'change') {
    const timed = ['duration', 'timeout'].find((name) => name in mock);
    if (timed) return problem(`/${timed}`, `is not possible: ${resource} takes no time`);
  }
  const fields = resultFields[resource as SupportedResource];
  if (!('output' in mock) || !fields) return undefined;
  if (!isObject(mock.output)) {
    return problem('/output', `must be an object: the result of ${resource} has ${fields.join(', ')}`);
  }
  const unknown = Object.keys(mock.output).find((name) => !fields.includes(name));
  if (unknown === undefined) return undefined;
  const message = `is not a field of the result of ${resource}, which has ${fields.join(', ')}`;
  return problem(`/output/${unknown}`, message);
}

const callbackForms = '{ output: … } or { error: Name, cause: … }';

function problemOfCallback(callback: unknown): { pointer: string; message: string } | undefined {
  if (!isObject(callback) || 'output' in callback === 'error' in callback) {
    return { pointer: '', message: `must be ${callbackForms}` };
  }
  if ('cause' in callback && typeof callback['error'] !== 'string') {
    return { pointer: '/cause', message: `is only beside the name of an error: ${callbackForms}` };
  }
  return undefined;
}

/** When a mocked task ends, in seconds, and how. */
export function outcomeOfMock(
  mock: Mock,
  { resource, kind, limits }: { resource: string; kind: Task['kind']; limits: Limits },
): { seconds: number; outcome: Outcome } {
  const isCallback = kind === 'callback' && !('error' in mock);
  const limit = isCallback ? callbackLimit(mock, limits) : callLimit(limits, kind);
  const seconds = 'duration' in mock ? (mock.duration ?? 0) : 0;
  if ('timeout' in mock || seconds > limit.seconds) {
    return { seconds: limit.seconds, outcome: { kind: 'failed', failure: limit.failure } };
  }
  const ending = 'callback' in mock ? mock.callback : mock;
  if ('error' in ending) {
    const failure = failureOf(ending.error);
    const cause = 'cause' in ending && ending.cause !== undefined ? { cause: ending.cause } : {};
    return { seconds, outcome: { kind: 'failed', failure: { ...failure, ...cause } } };
  }
  const { output } = ending;
  const isCall = resource === 'wrp:http:call' && isObject(output);
  const result = isCall ? { statusCode: 200, headers: {}, body: '', ...output } : output;
  return { seconds, outcome: { kind: 'succeeded', result } };
}

function callLimit(limits: Limits, kind: Task['kind']) {
  const task = { resource: '', arguments: null, ...limits };
  const call = kind === 'callback' ? 'callback' : 'call';
  const { seconds, timeoutFailure } = callLimitOf({ task, timeoutAt: null }, call, new Date(0));
  return { seconds, failure: timeoutFailure };
}

/** A heartbeat restarts HeartbeatSeconds; so those that arrive in time leave only TimeoutSeconds. */
function callbackLimit(mock: Mock, { timeoutSeconds, heartbeatSeconds }: Limits) {
  const every = 'heartbeat' in mock ? (mock.heartbeat ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const missed = heartbeatSeconds !== null && every > heartbeatSeconds;
  return missed
    ? { seconds: heartbeatSeconds, failure: missedBy('heartbeat') }
    : { seconds: timeoutSeconds, failure: missedBy('callback') };
}

function failureOf(mocked: MockedError): MachineError {
  const { name: error, cause = '', response } = typeof mocked === 'string' ? { name: mocked } : mocked;
  const [, code] = /^Http\.Status\.(\d{3})$/.exec(error) ?? [];
  if (!code) return { error, cause };
  return { error, cause, response: { statusCode: Number(code), headers: {}, body: '', ...response } };
}
