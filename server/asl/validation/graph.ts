import { isObject } from '../../json/index.ts';
import { suggestion } from '../suggestion.ts';
import type { Checker } from './checker.ts';
import { at } from './problems.ts';
import { stateTypes } from './states.ts';

interface Transition {
  /** The pointer to the field that names the next state. */
  path: string;
  to: string;
}

/**
 * Checks the transitions of a scope: each leads to a state of the same scope, every state is reachable, and at least
 * one state ends the scope (specification: Transitions; Parallel and Map State).
 */
export function checkTransitions(
  startAt: unknown,
  states: Record<string, unknown>,
  path: string,
  { report }: Checker,
): void {
  const transitions = new Map<string, Transition[]>();
  for (const [name, state] of Object.entries(states)) {
    transitions.set(name, isObject(state) ? transitionsOf(state, at(at(path, 'States'), name)) : []);
  }
  const start = typeof startAt === 'string' ? [{ path: at(path, 'StartAt'), to: startAt }] : [];
  const dangling = [start, ...transitions.values()].flat().filter(({ to }) => !transitions.has(to));
  for (const each of dangling) {
    report(each.path, `There is no state ‘${each.to}’ in this scope${meant(each.to, transitions.keys())}`);
  }
  const isMissing = ([name, state]: [string, unknown]) =>
    !isEnd(state) && transitions.get(name)?.length === 0;
  // A transition that is wrong or missing has already been reported, and may be why states are unreachable.
  const complete = dangling.length === 0 && !Object.entries(states).some(isMissing);
  if (complete && typeof startAt === 'string' && transitions.has(startAt)) {
    const reached = reachable(startAt, transitions);
    for (const name of transitions.keys()) {
      if (!reached.has(name)) report(at(at(path, 'States'), name), 'The state is unreachable');
    }
  }
  const all = Object.entries(states);
  const continues = ([name, state]: [string, unknown]) =>
    hasKnownType(state) && transitions.get(name)?.length !== 0;
  // A misspelled transition or type has already been reported, and may be why no state ends.
  if (dangling.length === 0 && all.every(continues) && !all.some(([, state]) => isEnd(state))) {
    report(at(path, 'States'), 'No state ends the scope: add "End": true, or a Succeed or Fail state');
  }
}

function meant(name: string, names: Iterable<string>): string {
  const text = suggestion(name, names);
  return text && `.${text}`;
}

function transitionsOf(state: Record<string, unknown>, path: string): Transition[] {
  const direct = ['Next', 'Default'].map((field) => [at(path, field), state[field]] as const);
  const listed = ['Choices', 'Catch'].flatMap((field) => {
    const list = state[field];
    if (!Array.isArray(list)) return [];
    return list.map(
      (each, index) =>
        [at(at(at(path, field), index), 'Next'), isObject(each) ? each['Next'] : undefined] as const,
    );
  });
  return [...direct, ...listed].flatMap(([pointer, to]) =>
    typeof to === 'string' ? [{ path: pointer, to }] : [],
  );
}

/** The names that the transitions from `startAt` lead to, whether such states exist or not. */
export function reachableFrom(startAt: string, states: Record<string, unknown>): Set<string> {
  const transitions = Object.entries(states).map(
    ([name, state]) => [name, isObject(state) ? transitionsOf(state, '') : []] as const,
  );
  return reachable(startAt, new Map(transitions));
}

function reachable(start: string, transitions: Map<string, Transition[]>): Set<string> {
  const reached = new Set([start]);
  // The iteration includes names added during it.
  for (const name of reached) for (const { to } of transitions.get(name) ?? []) reached.add(to);
  return reached;
}

function hasKnownType(state: unknown): boolean {
  return isObject(state) && stateTypes.has(String(state['Type']));
}

function isEnd(state: unknown): boolean {
  return (
    isObject(state) && (state['End'] === true || state['Type'] === 'Succeed' || state['Type'] === 'Fail')
  );
}
