import { maximumCallSeconds } from '../fields.ts';
import { asOperand, asSource, Expr, membersOf, quoted, type Value } from './values.ts';

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

/**
 * 29 days: AWS waits for a callback without a limit. It is a day less than an execution runs, so that the state fails
 * with States.Timeout, which its Catch can handle, before the execution expires.
 */
export const callbackSeconds = 2_505_600;
/** The longest run of a Lambda function. */
const functionSeconds = 900;
/** The longest run of an Express workflow. */
const expressSeconds = 300;

/** Whether a Resource is one of AWS, or a placeholder for one. */
export const isForeign = (resource: unknown): resource is string =>
  typeof resource === 'string' && !resource.startsWith('wrp:');

/** The parts of `arn:aws:states:::aws-sdk:sns:publish.waitForTaskToken`: service `aws-sdk:sns`, action `publish`. */
function integrationIn(resource: string) {
  const [, rest = ''] = resource.split(/:states:([\s\S]*)/, 2);
  const [, , ...parts] = rest.split(':');
  const [called = '', ...pattern] = parts[0] === 'activity' ? [] : parts.join(':').split('.');
  const colon = called.lastIndexOf(':');
  return {
    service: called.slice(0, Math.max(colon, 0)),
    action: called.slice(colon + 1),
    pattern: pattern.map((each) => `.${each}`).join(''),
  };
}

/** The name in the ARN of an activity, or a placeholder that says it is one. */
function activityIn(resource: string): string | undefined {
  const [, name] = resource.split(/:activity:([\s\S]*)/, 2);
  if (name) return name;
  const isPlaceholder = resource.startsWith('${') && resource.endsWith('}') && /activity/i.test(resource);
  return isPlaceholder ? resource.slice(2, -1) : undefined;
}

/**
 * Finds the task that replaces a Resource of AWS Step Functions.
 *
 * @param given the arguments of the task on AWS
 */
export function taskFor(resource: string, given: Value): Task {
  const { service, action, pattern } = integrationIn(resource);
  if (service === 'http' && action === 'invoke') return httpCall(given);
  const invokes = service === 'lambda' && action === 'invoke';
  const waitsForToken = pattern === '.waitForTaskToken';
  const activity = activityIn(resource);
  if (activity !== undefined) return callback(named('activity', activity), given);
  const isInvocation = membersOf(given)?.['FunctionName'] !== undefined && resource.startsWith('${');
  if (invokes || isInvocation) {
    const work = named('function', functionName(given));
    if (waitsForToken) return callback(work, payloadOf(given));
    return {
      ...call(work, payloadOf(given)),
      result: { Payload: body, StatusCode: statusCode },
      timeoutSeconds: functionSeconds,
    };
  }
  if (service !== '') {
    const name = `${service}:${action}`;
    const work = { text: name, url: placeholderUrl(name) };
    if (waitsForToken) return callback(work, given);
    const timeoutSeconds = longestOf(service, action, pattern);
    const timeout = timeoutSeconds === undefined ? {} : { timeoutSeconds };
    return { ...call(work, given, pattern.startsWith('.sync') ? untilDone : ''), ...timeout };
  }
  const name = /:function:([^:]+)/.exec(resource)?.[1] ?? resource;
  return { ...call(named('function', name), given), timeoutSeconds: functionSeconds };
}

const untilDone = ` and responds when the work is done, within ${maximumCallSeconds / 60} minutes (use wrp:callback:wait for longer work)`;

/** Seconds that a call of a service may take; undefined if it responds at once, so that the default is enough. */
function longestOf(service: string, action: string, pattern: string): number | undefined {
  if (pattern.startsWith('.sync')) return maximumCallSeconds;
  if (service === 'aws-sdk:lambda' && action === 'invoke') return functionSeconds;
  return action === 'startSyncExecution' ? expressSeconds : undefined;
}

/** Whether the task of AWS waits for a callback here. */
export const isCallback = (resource: string) => taskFor(resource, {}).resource === 'wrp:callback:wait';

/** The input of a function. */
function payloadOf(given: Value): Value {
  const members = membersOf(given);
  return members ? (members['Payload'] ?? {}) : given;
}

function functionName(given: Value): Value {
  const members = membersOf(given);
  const name = members ? (members['FunctionName'] ?? '') : new Expr(`${asOperand(given)}.FunctionName`);
  return typeof name === 'string' ? (/:function:([^:]+)/.exec(name)?.[1] ?? name) : name;
}

/** What an endpoint does in place of AWS: in words, and its placeholder. */
interface Work {
  text: string;
  url: Value;
}

const named = (kind: 'function' | 'activity', name: Value): Work => ({
  text: name instanceof Expr ? `the ${kind} that ${name.source} names` : `the ${kind} ${name}`,
  url: placeholderUrl(name),
});

/** A reserved domain, so that a definition without its endpoints reaches nobody (RFC 6761). */
const domain = 'https://endpoint.invalid/';

/** Placeholders of deployment tools in a name stay as they are. */
function placeholderUrl(name: Value): Value {
  if (name instanceof Expr) {
    const source = `${quoted(domain)} & $encodeUrlComponent(${asSource(name)})`;
    return new Expr(source, { atomic: false, single: true });
  }
  const parts = String(name).split(/(\$\{[^{}]*\})/);
  return domain + parts.map((part, index) => (index % 2 ? part : encodeURIComponent(part))).join('');
}

function call({ text, url }: Work, payload: Value, waits = ''): Task {
  return {
    resource: 'wrp:http:call',
    arguments: { url, method: 'POST', body: payload },
    result: body,
    todo: `set the url and headers of an HTTP endpoint that runs ${text}${waits}; it receives the arguments as its body`,
  };
}

function callback({ text, url }: Work, payload: Value): Task {
  return {
    resource: 'wrp:callback:wait',
    arguments: { request: { url, method: 'POST', body: payload } },
    result,
    todo: `set the url and headers of an HTTP endpoint that replaces ${text}; it completes the task at the URL in the header Callback-Url`,
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
