import { reservedErrors } from '../validation/recovery.ts';
import { Expr, membersOf, type Value } from './values.ts';

/** A task of AWS as a task of the platform. */
export interface Task {
  resource: string;
  arguments: Value;
  /** What the result of AWS is here, for the paths that read it. */
  result: Value;
  /** What the author must do, if anything: one sentence. */
  todo?: string;
  /** Seconds, if the task has no TimeoutSeconds of its own and the default is too short. */
  timeoutSeconds?: number;
}

const result = new Expr('$states.result');
const [body, statusCode, headers] = ['body', 'statusCode', 'headers'].map(
  (field) => new Expr(`$states.result.${field}`),
) as [Expr, Expr, Expr];

/** 30 days: AWS waits for a callback without a limit. */
const callbackSeconds = 2_592_000;
/** The longest run of a Lambda function. */
const functionSeconds = 900;

/** Whether a Resource is one of AWS, or a placeholder for one. */
export const isForeign = (resource: unknown): resource is string =>
  typeof resource === 'string' && !resource.startsWith('wrp:');

/**
 * Finds the task that replaces a Resource of AWS Step Functions.
 *
 * @param given the arguments of the task on AWS
 */
export function taskFor(resource: string, given: Value): Task {
  const [, service = '', action = '', pattern = ''] =
    /:states:[^:]*:[^:]*:(?!activity:)(.+?):([^:.]+)(\.[\w:]+)?$/.exec(resource) ?? [];
  if (service === 'http' && action === 'invoke') return httpCall(given);
  if (pattern === '.waitForTaskToken') return callback(`${service}:${action}`, payloadOf(service, given));
  const activity = /:activity:(.+)$|^\$\{(.*activity.*)\}$/i.exec(resource)?.slice(1).find(Boolean);
  if (activity !== undefined) return callback(`the activity ${activity}`, given);
  const isInvocation = membersOf(given)?.['FunctionName'] !== undefined && resource.startsWith('${');
  if ((service === 'lambda' && action === 'invoke') || isInvocation) {
    return {
      ...call(`the function ${functionName(given)}`, payloadOf('lambda', given)),
      result: { Payload: body, StatusCode: statusCode },
      timeoutSeconds: functionSeconds,
    };
  }
  if (service !== '') {
    const waits = pattern.startsWith('.sync') ? ' and responds when the work is done' : '';
    return call(`${service}:${action}`, given, waits);
  }
  const name = /:function:([^:]+)/.exec(resource)?.[1] ?? resource;
  return { ...call(`the function ${name}`, given), timeoutSeconds: functionSeconds };
}

/** The input of a function; the arguments of another service. */
function payloadOf(service: string, given: Value): Value {
  const members = membersOf(given);
  return service === 'lambda' && members ? (members['Payload'] ?? {}) : given;
}

function functionName(given: Value): string {
  const name = membersOf(given)?.['FunctionName'];
  return typeof name === 'string' ? (/:function:([^:]+)/.exec(name)?.[1] ?? name) : 'of the input';
}

/** A reserved domain, so that a definition without its endpoints reaches nobody (RFC 6761). */
const placeholderUrl = (what: string) =>
  `https://endpoint.invalid/${encodeURIComponent(what.replace(/^the (function|activity) /, ''))}`;

function call(what: string, payload: Value, waits = ''): Task {
  return {
    resource: 'wrp:http:call',
    arguments: { url: placeholderUrl(what), method: 'POST', body: payload },
    result: body,
    todo: `set the url and headers of an HTTP endpoint that runs ${what}${waits}; it receives the arguments as its body`,
  };
}

function callback(what: string, payload: Value): Task {
  return {
    resource: 'wrp:callback:wait',
    arguments: { request: { url: placeholderUrl(what), method: 'POST', body: payload } },
    result,
    todo: `set the url and headers of an HTTP endpoint that replaces ${what}; it completes the task at the URL in the header Callback-Url`,
    timeoutSeconds: callbackSeconds,
  };
}

const httpFields: Record<string, string> = {
  ApiEndpoint: 'url',
  Method: 'method',
  Headers: 'headers',
  QueryParameters: 'query',
  RequestBody: 'body',
};

function httpCall(given: Value): Task {
  const members = membersOf(given);
  const entries = Object.entries(members ?? {});
  const converted = entries.flatMap(([name, value]) =>
    Object.hasOwn(httpFields, name) ? [[httpFields[name], value] as const] : [],
  );
  const others = entries.map(([name]) => name).filter((name) => !Object.hasOwn(httpFields, name));
  const todo = !members
    ? 'the arguments are one expression: return url, method, headers, query and body from it'
    : `replace ${others.join(', ')}: send the credentials of the connection in headers`;
  return {
    resource: 'wrp:http:call',
    arguments: members ? Object.fromEntries(converted) : given,
    result: { ResponseBody: body, StatusCode: statusCode, Headers: headers },
    ...((!members || others.length > 0) && { todo }),
  };
}

/** The default timeout here is 60 seconds, on AWS practically none. */
export function timeoutField(
  state: Record<string, unknown>,
  seconds: number | undefined,
): Record<string, unknown> {
  if (state['TimeoutSeconds'] !== undefined || state['TimeoutSecondsPath'] !== undefined) return {};
  const heartbeat = state['HeartbeatSeconds'];
  const least = typeof heartbeat === 'number' && heartbeat >= (seconds ?? 60) ? heartbeat + 1 : seconds;
  return least === undefined ? {} : { TimeoutSeconds: least };
}

const errorNames = new Map([
  ['States.ParameterPathFailure', 'States.QueryEvaluationError'],
  ['States.ResultPathMatchFailure', 'States.QueryEvaluationError'],
  ['States.IntrinsicFailure', 'States.QueryEvaluationError'],
  ['States.Http.Socket', 'Http.Failed'],
]);

/**
 * The name of an error of AWS Step Functions here. There, a definition may use names of its own that start with
 * `States.`; here it is without this prefix.
 */
export function errorName(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  const known = errorNames.get(name) ?? name.replace(/^States\.Http\.StatusCode\./, 'Http.Status.');
  return reservedErrors.has(known) ? known : ownErrorName(known);
}

/** The name of an error with which a Fail fails. */
export const ownErrorName = (name: string) => name.replace(/^States\./, '');

/** Whether an error name is that of a service of AWS, which no task here reports. */
export const isServiceError = (name: unknown): name is string =>
  typeof name === 'string' &&
  /^(Lambda|SQS|SNS|DynamoDB|DynamoDb|ECS|Batch|Glue|StepFunctions|ApiGateway|S3|SageMaker)\./.test(name);
