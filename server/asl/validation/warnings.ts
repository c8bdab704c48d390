import { isObject, type Json } from '../../json/index.ts';
import { isExpression } from '../expressions.ts';
import { type Bounds, bounds, describeBounds, fitsBounds, parseTimestamp, shown } from '../fields.ts';
import { isCovered } from '../recovery.ts';
import { constantOf, contextPathsOf } from './expressions.ts';
import { at, type Problem } from './problems.ts';

type Fields = Record<string, unknown>;

/** Where a scope of states stands. */
interface Place {
  inMap: boolean;
  isOutermost: boolean;
}

/**
 * What is valid in a state, but certain to fail or to do nothing. The definition need not be valid.
 *
 * @param path the pointer to the scope
 */
export function* warningsInStates(
  scope: unknown,
  path = '',
  place: Place = { inMap: false, isOutermost: true },
): Generator<Problem> {
  for (const [name, state] of entriesOf(isObject(scope) ? scope['States'] : undefined)) {
    if (!isObject(state)) continue;
    const where = at(at(path, 'States'), name);
    const { ItemProcessor, Branches, ...own } = state;
    for (const [field, value] of Object.entries(own)) {
      const hasMap = place.inMap || field === 'ItemSelector';
      yield* undefinedInContext(value, at(where, field), { Map: hasMap, Task: own['Type'] === 'Task' });
      yield* pathsAsText(value, at(where, field));
    }
    yield* wrongConstants(own, where);
    for (const field of ['Retry', 'Catch']) yield* coveredIn(own[field], at(where, field));
    if (place.isOutermost) yield* wrongResult(own, where);
    yield* warningsInStates(ItemProcessor, at(where, 'ItemProcessor'), { inMap: true, isOutermost: false });
    for (const [index, branch] of entriesOf(Branches)) {
      yield* warningsInStates(branch, at(at(where, 'Branches'), index), { ...place, isOutermost: false });
    }
  }
}

/** The members of an object or array. */
function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const absent = {
  Map: '$states.context.Map is undefined here: it is available in ItemSelector and within an ItemProcessor only',
  Task: '$states.context.Task is undefined here: it is available in Task states only',
};

function* undefinedInContext(
  value: unknown,
  path: string,
  has: Record<keyof typeof absent, boolean>,
): Generator<Problem> {
  if (isExpression(value)) {
    const read = new Set(contextPathsOf(value).map(([name]) => name));
    for (const name of ['Map', 'Task'] as const) {
      if (read.has(name) && !has[name]) yield { path, message: absent[name] };
    }
  }
  for (const [key, member] of entriesOf(value)) yield* undefinedInContext(member, at(path, key), has);
}

/**
 * `"a.$": "$.b"`, as in the payloads of JSONPath. Other values may be meant: MongoDB has the key `a.$`, too, and the value `$b`.
 */
function* pathsAsText(value: unknown, path: string): Generator<Problem> {
  for (const [key, member] of entriesOf(value)) {
    if (key.endsWith('.$') && typeof member === 'string' && /^(?:\$(?:$|[.[$])|States\.)/.test(member)) {
      const message = `This is JSONPath, and sent as it is: name the field ‘${key.slice(0, -2)}’ and use {% %}`;
      yield { path: at(path, key), message };
    }
    yield* pathsAsText(member, at(path, key));
  }
}

interface Rule {
  expected: string;
  fits(value: Json): boolean;
}

const within = (limits: Bounds): Rule => ({
  expected: describeBounds(limits),
  fits: (value) => fitsBounds(value, limits),
});
const isText: Rule = { expected: 'a string', fits: (value) => typeof value === 'string' };

/** What the value of an expression must be. Other values are checked as literals. */
const rules: Record<string, Rule> = {
  Condition: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
  Seconds: within(bounds.waitSeconds),
  TimeoutSeconds: within(bounds.taskSeconds),
  HeartbeatSeconds: within(bounds.taskSeconds),
  MaxConcurrency: within(bounds.count),
  ToleratedFailureCount: within(bounds.count),
  ToleratedFailurePercentage: within(bounds.percentage),
  Timestamp: {
    expected: 'an RFC 3339 timestamp',
    fits: (value) => typeof value === 'string' && parseTimestamp(value) !== undefined,
  },
  Items: { expected: 'an array', fits: Array.isArray },
  Error: isText,
  Cause: isText,
};

function* wrongConstants(state: Fields, path: string, when = ''): Generator<Problem> {
  for (const [field, { expected, fits }] of Object.entries(rules)) {
    const value = isExpression(state[field]) ? constantOf(state[field]) : undefined;
    if (value === undefined || fits(value)) continue;
    const message = `The state fails${when}: ${field} must be ${expected}, not ${shown(value)}`;
    yield { path: at(path, field), message };
  }
  for (const [index, rule] of entriesOf(state['Choices'])) {
    if (isObject(rule))
      yield* wrongConstants(
        rule,
        at(at(path, 'Choices'), index),
        index === '0' ? '' : ' unless an earlier rule matches',
      );
  }
}

/** Retriers or Catchers of which none of the errors gets so far: the first that matches decides. */
function* coveredIn(list: unknown, path: string): Generator<Problem> {
  const earlier = new Set<string>();
  for (const [index, each] of entriesOf(list)) {
    const names = isObject(each) ? each['ErrorEquals'] : undefined;
    if (!Array.isArray(names)) continue;
    if (names.length > 0 && names.every((name) => isCovered(String(name), earlier))) {
      yield { path: at(path, index), message: 'Never applies: those before it match the same errors' };
    }
    for (const name of names) earlier.add(String(name));
  }
}

/** An Output that ends the execution, and is never an object. */
function* wrongResult({ Type, End, Output }: Fields, path: string): Generator<Problem> {
  if (Output === undefined || (End !== true && Type !== 'Succeed')) return;
  const value = isExpression(Output) ? constantOf(Output) : (Output as Json);
  if (value === undefined || isObject(value)) return;
  const message = `An execution that ends here fails with Wrp.ResultNotAnObject: its result must be an object, not ${shown(value)}`;
  yield { path: at(path, 'Output'), message };
}
