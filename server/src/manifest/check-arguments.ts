import { isExpression, maxDepth } from '../../asl/index.ts';
import { isDeeperThan, isObject, type Json, type JsonObject } from '../../json/index.ts';
import { checkedUrl, OutboundRefused } from '../../outbound/index.ts';
import { argumentsFailure } from '../workflows/simulation/arguments.ts';
import type { Attempt } from '../workflows/tasks/task.ts';
import type { Path, Problem } from './platform-file.ts';

/** An accepted value for each argument. It stands for an expression while the literals beside it are checked. */
const accepted: Record<string, JsonObject> = {
  'wrp:http:call': { url: 'https://example.com', method: 'POST', headers: {}, query: {}, body: '' },
  'wrp:resource:create': { name: 'a.txt', contentType: 'text/plain', text: '', base64: '', json: '' },
  'wrp:attachment:create': {
    resourceId: '00000000-0000-4000-8000-000000000001',
    recordId: '00000000-0000-4000-8000-000000000001',
    name: 'a.txt',
    contentType: 'text/plain',
    text: '',
    base64: '',
    json: '',
    tags: [],
  },
  'wrp:mail:send': { to: 'ada@example.com', subject: 'a', text: 'a', html: 'a' },
  'wrp:callback:wait': { request: { url: 'https://example.com' } },
};

/** An attempt in an execution with a record. The checks read no more of it. */
const attempt = {
  execution: { recordId: '00000000-0000-4000-8000-000000000001' },
  idempotencyKey: '',
  now: new Date(0),
} as unknown as Attempt;

interface ArgumentProblems {
  errors: Problem[];
  /** What is valid, but does not work yet. */
  warnings: Problem[];
}

/**
 * Checks the names and literal values of all tasks' arguments as the tasks do when they run; expressions are not
 * evaluated. The definition need not be valid.
 *
 * @param path the path of the definition in its file
 */
export async function checkArguments(document: unknown, path: Path = []): Promise<ArgumentProblems> {
  const found: ArgumentProblems = { errors: [], warnings: [] };
  if (!isObject(document) || isDeeperThan(document, maxDepth)) return found;
  for (const { resource, args, at, isFirst } of tasksIn(document, path, true)) {
    if (args === undefined) add(await withoutArguments(resource, at, isFirst));
    else if (isObject(args)) await addGiven(resource, args as JsonObject, [...at, 'Arguments']);
    else if (!isExpression(args)) add({ path: [...at, 'Arguments'], message: 'Arguments must be an object' });
  }
  return found;

  function add(problem: Problem) {
    found[problem.warning ? 'warnings' : 'errors'].push(problem);
  }

  async function addGiven(resource: string, args: JsonObject, at: Path) {
    found.errors.push(...(await errorsIn(resource, args, at)));
    found.warnings.push(...unfinishedIn(args, at), ...refusedUrls(args, at));
    if (resource === 'wrp:callback:wait' && Object.keys(args).length === 0) {
      const message = 'Without a request, nobody receives the callback URL: the task only times out';
      add({ path: at, message, warning: true });
    }
  }
}

/** A part of every input of an execution. No task has an argument of this name. */
const executionInput = { parameters: {} };

/** The arguments are then the input of the state, which is known for the first state only. */
async function withoutArguments(resource: string, path: Path, isFirst: boolean): Promise<Problem> {
  const message = 'Arguments is missing, so they are the input of the';
  if (!isFirst)
    return { path, message: `${message} state: it must have the fields of the task alone`, warning: true };
  const failure = await argumentsFailure(resource, executionInput, attempt);
  return { path, message: `${message} execution. ${failure?.cause.replace(/\.$/, '')}` };
}

interface CheckedTask {
  resource: string;
  /** The field Arguments. */
  args: unknown;
  /** The path of the state. */
  at: Path;
  /** Whether the execution starts with it. */
  isFirst: boolean;
}

function* tasksIn(scope: Record<string, unknown>, path: Path, isOutermost = false): Generator<CheckedTask> {
  const { States: states, StartAt: start } = scope;
  for (const [name, state] of Object.entries(isObject(states) ? states : {})) {
    if (!isObject(state)) continue;
    const at = [...path, 'States', name];
    const { Resource: resource, Arguments: args, ItemProcessor: processor, Branches: branches } = state;
    const known = typeof resource === 'string' && Object.hasOwn(accepted, resource);
    if (state['Type'] === 'Task' && known) {
      yield { resource, args, at, isFirst: isOutermost && name === start };
    }
    if (isObject(processor)) yield* tasksIn(processor, [...at, 'ItemProcessor']);
    for (const [index, branch] of (Array.isArray(branches) ? branches : []).entries()) {
      if (isObject(branch)) yield* tasksIn(branch, [...at, 'Branches', index]);
    }
  }
}

async function errorsIn(resource: string, given: JsonObject, path: Path): Promise<Problem[]> {
  const { request } = given;
  if (resource !== 'wrp:callback:wait' || Object.keys(given).length === 0)
    return refused(resource, given, path);
  const { request: sample = null } = accepted[resource] as JsonObject;
  return [
    ...(await refused(
      resource,
      { ...given, request: isObject(request) ? sample : (request ?? sample) },
      path,
    )),
    ...(isObject(request) ? await refused('wrp:http:call', request, [...path, 'request']) : []),
  ];
}

/** What the task refuses. It is checked again without the argument that was refused, until the rest is accepted. */
async function refused(resource: string, given: JsonObject, path: Path): Promise<Problem[]> {
  const samples = accepted[resource] as JsonObject;
  const args = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      withoutExpressions(value, Object.hasOwn(samples, name) ? (samples[name] as Json) : ''),
    ]),
  );
  const errors: Problem[] = [];
  const seen = new Set<string>();
  for (;;) {
    const failure = await argumentsFailure(resource, args, attempt);
    // The cause names the argument first.
    const [, name = ''] = /^[^‘]*‘([^’]+)’/.exec(failure?.cause ?? '') ?? [];
    // A URL that is refused is a warning: the state may catch it.
    if (failure?.error !== 'Wrp.InvalidArguments' || seen.has(name)) return errors;
    seen.add(name);
    const message = failure.cause.replace(/\.$/, '');
    const atKey = !Object.hasOwn(samples, name);
    errors.push(Object.hasOwn(given, name) ? { path: [...path, name], message, atKey } : { path, message });
    if (atKey) delete args[name];
    else args[name] = samples[name] as Json;
  }
}

/** Stands for an expression within an argument: a header, also the type of an object as body, or a tag. */
const inner = 'application/json';

function withoutExpressions(value: Json, sample: Json): Json {
  if (isExpression(value)) return sample;
  if (Array.isArray(value)) return value.map((each) => withoutExpressions(each, inner));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutExpressions(each, inner)]),
  );
}

/** What `wrp definition convert` leaves to be replaced: hosts that never exist (RFC 6761), and placeholders. */
const unfinished: [pattern: RegExp, message: string][] = [
  [/\/\/[^/?#'"\s]*\.invalid(?![\w.-])/i, 'The host does not exist: names that end in .invalid never do'],
  [/\$\{\w+\}/, 'The placeholder is not replaced'],
];

function unfinishedIn(value: Json, path: Path): Problem[] {
  if (typeof value === 'string') {
    return unfinished.flatMap(([pattern, message]) => {
      const [found] = pattern.exec(value) ?? [];
      return found === undefined
        ? []
        : [{ path, message: `${message}: ${found.replace(/^\/\//, '')}`, warning: true }];
    });
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    unfinishedIn(each as Json, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Literal URLs that are never called. */
function refusedUrls(args: JsonObject, path: Path): Problem[] {
  const { url, request } = args;
  if (isObject(request)) return refusedUrls(request as JsonObject, [...path, 'request']);
  if (typeof url !== 'string' || isExpression(url) || url.includes('${')) return [];
  try {
    checkedUrl(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    const message = `The call fails with Http.Refused: ${error.message.replace(/\.$/, '')}`;
    return [{ path: [...path, 'url'], message, warning: true }];
  }
}
