import type { Definition, Scope, ScopePath, State } from '../../../asl/index.ts';
import { pointerTo } from '../../../json/index.ts';
import type { Step } from './simulate.ts';

/** A state with its scope, and the JSON Pointer to it in the definition. */
export interface PlacedState {
  name: string;
  state: State;
  scope: ScopePath;
  pointer: string;
  inMap: boolean;
}

/** Every state of a definition, those of branches and iterations included. */
export function statesOf(definition: Definition): PlacedState[] {
  return [...placed(definition, { scope: [], pointer: '', inMap: false })];
}

type Place = Pick<PlacedState, 'scope' | 'pointer' | 'inMap'>;

function* placed(inner: Scope, place: Place): Generator<PlacedState> {
  for (const [name, state] of Object.entries(inner.States)) {
    const pointer = `${place.pointer}/States${pointerTo(name)}`;
    yield { ...place, name, state, pointer };
    const within = (branch: number) => [...place.scope, { state: name, branch }];
    if (state.Type === 'Map') {
      const processor = { scope: within(0), pointer: `${pointer}/ItemProcessor`, inMap: true };
      yield* placed(state.ItemProcessor, processor);
    }
    if (state.Type !== 'Parallel') continue;
    for (const [branch, each] of state.Branches.entries()) {
      const { inMap } = place;
      yield* placed(each, { scope: within(branch), pointer: `${pointer}/Branches/${branch}`, inMap });
    }
  }
}

/** Something that a run can reach, with the JSON Pointer to it in the definition. */
interface Reachable {
  pointer: string;
  /** What it is, for a reader: `state ‘Fetch’`, `Choices[1] of ‘Large?’`. */
  name: string;
}

export interface Coverage {
  states: Covered;
  /** The rules and the Default of each Choice, each Catcher, and each Retrier that retries. */
  transitions: Covered;
}

export interface Covered {
  total: number;
  reached: number;
  missing: Reachable[];
}

/** What the steps of some runs reached of a definition. */
export function coverageOf(definition: Definition, steps: Iterable<Pick<Step, 'state' | 'via'>>): Coverage {
  const states = new Set<string>();
  const transitions = new Set<string>();
  for (const { state, via } of steps) {
    states.add(state);
    if (via) transitions.add(`${state}/${via}`);
  }
  const all = statesOf(definition);
  return {
    states: covered(
      all.map(({ name, pointer }) => ({ pointer, name: `state ‘${name}’`, reached: states.has(name) })),
    ),
    transitions: covered(
      all.flatMap(({ name, state, pointer }) =>
        transitionsOf(state).map((via) => ({
          pointer: `${pointer}/${via}`,
          name: `${via.replace(/\/(\d+)$/, '[$1]')} of ‘${name}’`,
          reached: transitions.has(`${name}/${via}`),
        })),
      ),
    ),
  };
}

function covered(all: (Reachable & { reached: boolean })[]): Covered {
  const missing = all.filter(({ reached }) => !reached).map(({ pointer, name }) => ({ pointer, name }));
  return { total: all.length, reached: all.length - missing.length, missing };
}

function transitionsOf(state: State): string[] {
  const indexed = (name: string, list: readonly object[] = []) => list.map((_, index) => `${name}/${index}`);
  if (state.Type === 'Choice') {
    return [...indexed('Choices', state.Choices), ...(state.Default === undefined ? [] : ['Default'])];
  }
  if (!('Retry' in state || 'Catch' in state)) return [];
  // A Retrier without attempts only keeps the following ones from its errors.
  const retriers = (state.Retry ?? []).flatMap(({ MaxAttempts }, index) =>
    MaxAttempts === 0 ? [] : [`Retry/${index}`],
  );
  return [...retriers, ...indexed('Catch', state.Catch)];
}
