import { isObject } from '../../../domain/objects.ts';
import type { Checker } from './checker.ts';
import { at } from './problems.ts';
import { stateTypes } from './states.ts';

interface Way {
  /** The pointer to the field that names the next state. */
  path: string;
  to: string;
}

/**
 * The ways between the states of one scope: each leads to a state of the same scope, each state can be reached, and
 * one at least ends (specification: Transitions; Parallel and Map State: no way leads out of a branch).
 */
export function checkWays(
  startAt: unknown,
  states: Record<string, unknown>,
  path: string,
  { report }: Checker,
): void {
  const ways = new Map<string, Way[]>();
  for (const [name, state] of Object.entries(states)) {
    ways.set(name, isObject(state) ? waysOf(state, at(at(path, 'States'), name)) : []);
  }
  const start = typeof startAt === 'string' ? [{ path: at(path, 'StartAt'), to: startAt }] : [];
  const astray = [start, ...ways.values()].flat().filter(({ to }) => !ways.has(to));
  for (const way of astray) report(way.path, `There is no state ‘${way.to}’ in this scope`);
  if (typeof startAt === 'string' && ways.has(startAt)) {
    const reached = reachable(startAt, ways);
    for (const name of ways.keys()) {
      if (!reached.has(name)) report(at(at(path, 'States'), name), 'No way leads to this state');
    }
  }
  const all = Object.entries(states);
  const goesOn = ([name, state]: [string, unknown]) => isOfAType(state) && ways.get(name)?.length !== 0;
  // Where a way or a type is mistyped, that is what keeps the states from ending, and it has been told.
  if (astray.length === 0 && all.every(goesOn) && !all.some(([, state]) => isEnd(state))) {
    report(at(path, 'States'), 'None of the states ends: one has "End": true or is a Succeed or Fail');
  }
}

function waysOf(state: Record<string, unknown>, path: string): Way[] {
  const direct = ['Next', 'Default'].map((field) => [at(path, field), state[field]] as const);
  const listed = ['Choices', 'Catch'].flatMap((field) => {
    const list = state[field];
    if (!Array.isArray(list)) return [];
    return list.map(
      (each, index) =>
        [at(at(at(path, field), index), 'Next'), isObject(each) ? each['Next'] : undefined] as const,
    );
  });
  return [...direct, ...listed].flatMap(([place, to]) =>
    typeof to === 'string' ? [{ path: place, to }] : [],
  );
}

function reachable(start: string, ways: Map<string, Way[]>): Set<string> {
  const reached = new Set([start]);
  // A set's iteration goes on to what is added on the way.
  for (const name of reached) for (const { to } of ways.get(name) ?? []) reached.add(to);
  return reached;
}

function isOfAType(state: unknown): boolean {
  return isObject(state) && stateTypes.has(String(state['Type']));
}

function isEnd(state: unknown): boolean {
  return (
    isObject(state) && (state['End'] === true || state['Type'] === 'Succeed' || state['Type'] === 'Fail')
  );
}
