import { isObject, pointerTo } from '../../json/index.ts';
import { isExpression, sourceOf } from '../expressions.ts';
import { compile } from '../realm.ts';
import type { Fields } from './flow.ts';
import type { Reporter } from './templates.ts';
import { delimited } from './values.ts';

/** What is known about a value: that it is an object, that it is none, or neither. */
type Kind = 'object' | 'other' | 'unknown';

/**
 * The converted states of a definition, of which those that end it return an object, as an execution here must: another
 * output, which AWS allows, becomes the field `result` of one. States whose output is known to be an object stay as they
 * are.
 */
export function withObjectResults(scope: Fields, report: Reporter): Fields {
  const states = scope['States'];
  if (!isObject(states)) return scope;
  const inputs = inputKinds(String(scope['StartAt']), states);
  const entries = Object.entries(states).map(([name, state]) => {
    if (!isObject(state) || (state['End'] !== true && state['Type'] !== 'Succeed')) return [name, state];
    const input = inputs.get(name) ?? 'unknown';
    const kind = outputKind(state, state['Output'], input);
    if (kind === 'object') return [name, state];
    report.note(
      `/States${pointerTo(name)}`,
      'the output of an execution here must be an object: another one becomes its field result',
    );
    return [name, withOutput(state, wrapped(outputOf(state, state['Output']), kind))];
  });
  return { ...scope, States: Object.fromEntries(entries) };
}

/** `Output` comes before the transition, as in the other converted states. */
function withOutput({ Output: _, Assign, Retry, Catch, End, ...state }: Fields, output: unknown): Fields {
  const others = Object.entries({ Assign, Retry, Catch, End }).filter(([, value]) => value !== undefined);
  return { ...state, Output: output, ...Object.fromEntries(others) };
}

function wrapped(output: unknown, kind: Kind): unknown {
  if (kind === 'other' || !isExpression(output)) return { result: output };
  const source = sourceOf(output).trim();
  // A comparison with a missing value is false: the state still fails if there is no output.
  const choose = (value: string) => `$type(${value}) != "object" ? {"result": ${value}} : ${value}`;
  if (/^\$[\w.]+$/.test(source)) return delimited(choose(source));
  return delimited(`($output := ${source}; ${choose('$output')})`);
}

/** By default, the output is the result, or the input of a state without a result. */
function outputOf({ Type }: Fields, output: unknown): unknown {
  if (output !== undefined) return output;
  return delimited(['Task', 'Parallel', 'Map'].includes(String(Type)) ? '$states.result' : '$states.input');
}

/** The kind of the input of each state, from the outputs of those before it. The input of the first one is an object. */
function inputKinds(start: string, states: Fields): Map<string, Kind> {
  const kinds = new Map<string, Kind>([[start, 'object']]);
  const pending = [start];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const state = states[name];
    if (!isObject(state)) continue;
    for (const [next, kind] of transitions(state, kinds.get(name) as Kind)) {
      const known = kinds.get(next);
      const joined = known === undefined || known === kind ? kind : 'unknown';
      if (joined === known) continue;
      kinds.set(next, joined);
      pending.push(next);
    }
  }
  return kinds;
}

/** The states that may follow, with the kinds of their inputs. */
function transitions(state: Fields, input: Kind): [next: string, kind: Kind][] {
  const listed = (name: string) => (Array.isArray(state[name]) ? state[name].filter(isObject) : []);
  const choices = listed('Choices').map((rule) => [rule['Next'], outputKind(state, rule['Output'], input)]);
  const catchers = listed('Catch').map(({ Next, Output }) => [
    Next,
    Output === undefined ? 'object' : outputKind(state, Output, input),
  ]);
  const own = [state['Next'], state['Default']].map((next) => [
    next,
    outputKind(state, state['Output'], input),
  ]);
  return [...choices, ...catchers, ...own].filter(([next]) => typeof next === 'string') as [string, Kind][];
}

function outputKind(state: Fields, output: unknown, input: Kind): Kind {
  const value = outputOf(state, output);
  if (!isExpression(value)) return isObject(value) ? 'object' : 'other';
  const source = sourceOf(value).trim();
  if (source === '$states.input') return input;
  if (source === '$states.errorOutput') return 'object';
  if (source !== '$states.result') return expressionKind(source);
  if (state['Type'] !== 'Task') return 'other';
  return state['Resource'] === 'wrp:callback:wait' ? 'unknown' : 'object';
}

/** A node of the syntax tree. */
interface Syntax {
  type: string;
  value?: unknown;
  procedure?: { value?: unknown };
}

/** What the form of an expression says about its value. */
function expressionKind(source: string): Kind {
  try {
    const { type, value, procedure } = compile(source).ast() as Syntax;
    if (type === 'unary') return value === '{' ? 'object' : 'other';
    return type === 'function' && procedure?.value === 'merge' ? 'object' : 'unknown';
  } catch {
    return 'unknown';
  }
}
