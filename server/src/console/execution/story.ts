import {
  type Outline,
  type OutlinedState,
  outlineOf,
  type Scope,
  type Transition,
} from '../../../asl/index.ts';

/** What happened in an execution, by state of its definition. */
export interface ExecutionStory {
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The end, or the time of reading if it still runs. */
  until: number;
  root: ScopeStory;
  /** In the order of their first start. */
  states: StateStory[];
}

/** The states of a definition, of a branch or of the items of a Map. */
export interface ScopeStory {
  /** The state that it is in; undefined for that of the definition. */
  parent?: StateStory;
  outline: Outline;
  /** By name; states of another revision, which are not in the outline, included. */
  states: Map<string, StateStory>;
  /** How often a state followed another, by `transitionKey`. */
  transitions: Map<string, number>;
}

export interface StateStory extends Pick<OutlinedState, 'name' | 'type' | 'detail'> {
  /** Unique in the page, and the same for the same definition. */
  id: string;
  /** The names of the states around it, outermost first. */
  around: string[];
  scopes: ScopeStory[];
  counts: Record<Outcome, number>;
  retries: number;
  spans: Span[];
  /** Some of its visits: the first ones, and the first ones with errors. */
  shown: Visit[];
}

/**
 * - `caught`: its error was caught, and the execution continued
 * - `stopped`: the execution, or a branch beside it, ended first
 */
export type Outcome = 'completed' | 'caught' | 'failed' | 'stopped' | 'running';

/** When a thread was in a state, in milliseconds since the epoch. */
export interface Span {
  from: number;
  to: number;
  outcome: Outcome;
}

/** One time that a thread was in a state. */
export interface Visit extends Span {
  /** The name of the thread; empty for the root. */
  branch: string;
  /** Times in which nothing ran: of a Wait, a callback or the delay before a retry. */
  waits: Pick<Span, 'from' | 'to'>[];
  /** Those that failed, in order. */
  attempts: FailedAttempt[];
  /** What it waits for, if it runs. */
  activity?: string;
  /** By name, such as `input`. */
  values: Map<string, Shown>;
}

export interface FailedAttempt {
  at: number;
  error: string;
  cause: string;
  /** Undefined if it was the last one. */
  retryAt?: number;
}

/** A value as text, shortened; or the number of bytes of one that was not stored. */
export type Shown = { text: string; isShortened: boolean } | { bytes: number };

/** Visits of a state that are shown with their values. */
const [firstVisits, visitsWithErrors] = [3, 3];

export const totalOf = ({ counts }: StateStory): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Adds a visit that is over, or that runs now, to its state. */
export function addVisit(state: StateStory, visit: Visit): void {
  const { from, to, outcome, attempts } = visit;
  state.counts[outcome]++;
  state.retries += attempts.filter(({ retryAt }) => retryAt !== undefined).length;
  state.spans.push({ from, to, outcome });
  if (mayShow(state, visit)) state.shown.push(visit);
}

/** Whether a visit is one of those that are shown. */
export function mayShow({ shown }: Pick<StateStory, 'shown'>, { attempts, outcome }: Visit): boolean {
  const isFailure = attempts.length > 0 || outcome === 'failed' || outcome === 'caught';
  return shown.length < (isFailure ? firstVisits + visitsWithErrors : firstVisits);
}

export const transitionKey = (from: string, to: string) => JSON.stringify([from, to]);

/** How often the scope ended after a state. */
export function endsAfter(scope: ScopeStory, { name, counts }: StateStory): number {
  const left = [...scope.states.keys()].reduce(
    (sum, to) => sum + (scope.transitions.get(transitionKey(name, to)) ?? 0),
    0,
  );
  return Math.max(0, counts.completed - left);
}

/** How often a transition of a state was taken. */
export function timesTaken(scope: ScopeStory, state: OutlinedState, { to, caught }: Transition): number {
  const story = scope.states.get(state.name);
  if (!story) return 0;
  const key = to === undefined ? undefined : transitionKey(state.name, to);
  const total = key === undefined ? endsAfter(scope, story) : (scope.transitions.get(key) ?? 0);
  // Where Next and a Catch lead to the same state, the number of caught errors tells them apart.
  const byCatch = Math.min(total, story.counts.caught);
  if (caught) return byCatch;
  const isShared = state.transitions.some((other) => other.caught && other.to === to);
  return total - (isShared ? byCatch : 0);
}

/** The states of a definition before anything happened. */
export function scopeStoryOf(definition: Scope): ScopeStory {
  return scopeOf(outlineOf(definition), 's', []);
}

function scopeOf(outline: Outline, id: string, around: string[]): ScopeStory {
  const states = new Map<string, StateStory>();
  for (const [index, state] of outline.states.entries()) {
    const inner = `${id}${index}`;
    const scopes = state.scopes.map((scope, branch) =>
      scopeOf(scope, `${inner}-${branch}-`, [
        ...around,
        state.type === 'Parallel' ? `${state.name}[${branch}]` : state.name,
      ]),
    );
    const story = { ...newState(inner, around, state), scopes };
    for (const scope of scopes) scope.parent = story;
    states.set(state.name, story);
  }
  return { outline, states, transitions: new Map() };
}

/** A state that nothing has entered. */
function newState(
  id: string,
  around: string[],
  { name, type, detail }: Pick<OutlinedState, 'name' | 'type' | 'detail'>,
): StateStory {
  const counts = { completed: 0, caught: 0, failed: 0, stopped: 0, running: 0 };
  return { id, around, name, type, detail, scopes: [], counts, retries: 0, spans: [], shown: [] };
}

/** The state of a scope; one of another revision is added. */
export function stateIn(scope: ScopeStory, name: string): StateStory {
  const known = scope.states.get(name);
  if (known) return known;
  const [sibling] = scope.states.values();
  const { id = 's', around = [] } = sibling ?? {};
  const added = newState(`${id}-other-${scope.states.size}`, around, { name, type: 'Pass', detail: '' });
  scope.states.set(name, added);
  return added;
}

/**
 * The scope of a thread, by its name in the history: `Map[3]/Parallel[0]`. Names of states may contain the same
 * characters, so the definition decides.
 *
 * @returns undefined if no scope has this name
 */
export function scopeNamed(scope: ScopeStory, label: string): ScopeStory | undefined {
  if (label === '') return scope;
  for (const { name, type, scopes } of scope.states.values()) {
    if (scopes.length === 0 || !label.startsWith(`${name}[`)) continue;
    const [matched, position] = /^\[(\d+)\](?:\/|$)/.exec(label.slice(name.length)) ?? [];
    if (matched === undefined) continue;
    const inner = scopes[type === 'Map' ? 0 : Number(position)];
    const found = inner && scopeNamed(inner, label.slice(name.length + matched.length));
    if (found) return found;
  }
  return undefined;
}
