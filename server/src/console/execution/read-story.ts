import type { Scope } from '../../../asl/index.ts';
import { shortened, startOf } from '../../../json/index.ts';
import type { ThreadHistoryEntry } from '../../store/execution-history.ts';
import type { DescribedExecution, LiveThread } from '../../store/execution-list.ts';
import {
  addVisit,
  type ExecutionStory,
  mayShow,
  type ScopeStory,
  type Shown,
  type StateStory,
  scopeNamed,
  scopeStoryOf,
  stateIn,
  transitionKey,
  type Visit,
} from './story.ts';

interface Source {
  execution: Pick<DescribedExecution, 'createdAt' | 'endedAt'>;
  definition: Scope;
  history: AsyncIterable<ThreadHistoryEntry>;
  threads(): Promise<LiveThread[]>;
  now: Date;
}

/** Characters of a value, of all values of a page, and of those of visits that have not ended. */
export const valueLimits = { each: 4_000, page: 1_500_000, open: 8_000_000 };

/** Characters that are left of `valueLimits`. */
type Budget = Record<'page' | 'open', number>;

/** A visit that has not ended, and its state. */
interface OpenVisit {
  state: StateStory;
  visit: Visit;
}

interface Thread {
  scope: ScopeStory;
  open?: OpenVisit;
  /** The state that it left last, and when. */
  left?: { name: string; at: number; hasFailed: boolean };
}

/** The kinds of entries about a state. An entry of another kind is about the execution, such as its retry. */
const stateKinds: readonly string[] = ['state', 'waiting', 'task', 'forked', 'retry', 'failed'];

/** Reads the history of an execution once. Keeps counts and times of everything, but values of a few visits. */
export async function readStory({
  execution,
  definition,
  history,
  threads: live,
  now,
}: Source): Promise<ExecutionStory> {
  const root = scopeStoryOf(definition);
  const startedAt = execution.createdAt.getTime();
  const until = (execution.endedAt ?? now).getTime();
  const scopes = new Map<string, ScopeStory>();
  const scopeOf = (label: string) => {
    const scope = scopes.get(label) ?? scopeNamed(root, label) ?? root;
    scopes.set(label, scope);
    return scope;
  };
  const threads = new Map<string, Thread>();
  const budget: Budget = { ...valueLimits };
  let resumedAt = startedAt;

  for await (const entry of history) {
    const detail = entry.detail as Detail;
    if (!stateKinds.includes(entry.kind)) {
      resumedAt = entry.at.getTime();
      continue;
    }
    const branch = String(detail['branch'] ?? '');
    const thread = threads.get(entry.threadId) ?? { scope: scopeOf(branch) };
    threads.set(entry.threadId, thread);
    const open = openIn(thread, entry, { branch, detail, resumedAt });
    record(open, entry, { detail, budget });
    if (entry.kind !== 'state' && entry.kind !== 'failed') continue;
    show(open, budget);
    delete thread.open;
    thread.left = { name: entry.state, at: entry.at.getTime(), hasFailed: entry.kind === 'failed' };
  }

  const running = execution.endedAt ? [] : await live();
  closeOpen(threads, { running, until, scopeOf, budget });
  const states = statesIn(root).filter(({ spans }) => spans.length > 0);
  for (const { spans, shown } of states) for (const list of [spans, shown]) list.sort(byStart);
  states.sort((one, other) => firstStart(one) - firstStart(other));
  return { startedAt, until, root, states };
}

type Detail = Record<string, unknown>;

const byStart = (one: { from: number }, other: { from: number }) => one.from - other.from;
const firstStart = ({ spans }: StateStory) => spans[0]?.from ?? 0;

/** The visit of an entry: the open one of its thread, or a new one that began when the thread left its last state. */
function openIn(
  thread: Thread,
  { state: name, at }: ThreadHistoryEntry,
  { branch, detail, resumedAt }: { branch: string; detail: Detail; resumedAt: number },
): OpenVisit {
  const { scope, left } = thread;
  const entered = Date.parse(String(detail['enteredAt']));
  if (thread.open?.state.name !== name) {
    if (left && !left.hasFailed) count(scope.transitions, transitionKey(left.name, name));
    const start = branch === '' ? resumedAt : at.getTime();
    const from = Math.min(Math.max(left?.at ?? start, resumedAt), at.getTime());
    const state = stateIn(scope, name);
    const visit: Visit = {
      branch,
      from,
      to: from,
      outcome: 'running',
      waits: [],
      attempts: [],
      values: new Map(),
    };
    thread.open = { state, visit };
  }
  if (!Number.isNaN(entered)) thread.open.visit.from = entered;
  return thread.open;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Adds what an entry says to its visit. Entries of unknown kinds say nothing. */
function record(
  { state, visit }: OpenVisit,
  { kind, at: time }: ThreadHistoryEntry,
  { detail, budget }: { detail: Detail; budget: Budget },
): void {
  const at = time.getTime();
  visit.to = at;
  const keep = (...names: string[]) => {
    if (!mayShow(state, visit)) return discard(visit.values, budget);
    for (const name of names) keepValue(visit.values, { name, detail, budget });
  };
  switch (kind) {
    case 'waiting':
      visit.waits.push({ from: at, to: Date.parse(String(detail['until'])) });
      break;
    case 'task':
      keep('arguments');
      break;
    case 'retry': {
      const retryAt = Date.parse(String(detail['at']));
      visit.attempts.push({ at, ...failureOf(detail), retryAt });
      visit.waits.push({ from: at, to: retryAt });
      break;
    }
    case 'state': {
      const failure = detail['failure'] as Detail | undefined;
      visit.outcome = failure ? 'caught' : 'completed';
      if (failure) visit.attempts.push({ at, ...failureOf(failure) });
      keep('input', 'result', 'assigned', 'output');
      break;
    }
    case 'failed':
      visit.outcome = 'failed';
      visit.attempts.push({ at, ...failureOf(detail) });
      keep('input');
      break;
  }
}

/** A cause may have 25,000 characters. */
const causeLength = 2_000;

const failureOf = ({ error, cause }: Detail) => ({
  error: String(error ?? 'Unknown'),
  cause: shortened(String(cause ?? ''), causeLength),
});

const lengthOf = (value: Shown | undefined) => (value && 'text' in value ? value.text.length : 0);

/** Keeps a value of a visit that has not ended: whether the visit is shown, its end decides. */
function keepValue(
  values: Visit['values'],
  { name, detail, budget }: { name: string; detail: Detail; budget: Budget },
): void {
  budget.open += lengthOf(values.get(name));
  values.delete(name);
  const bytes = detail[`${name}Size`];
  if (name in detail) values.set(name, shownText(detail[name], Math.min(valueLimits.each, budget.open)));
  else if (typeof bytes === 'number') values.set(name, { bytes });
  budget.open -= lengthOf(values.get(name));
}

function discard(values: Visit['values'], budget: Budget): void {
  for (const value of values.values()) budget.open += lengthOf(value);
  values.clear();
}

/** Adds a visit to its state. Its values, if they are shown, count among those of the page. */
function show({ state, visit }: OpenVisit, budget: Budget): void {
  const kept = [...visit.values];
  discard(visit.values, budget);
  if (mayShow(state, visit)) {
    for (const [name, value] of kept) {
      visit.values.set(name, 'text' in value ? shortenedTo(value, budget.page) : value);
      budget.page -= lengthOf(visit.values.get(name));
    }
  }
  addVisit(state, visit);
}

/** A value as indented JSON, of at most this number of characters. */
export function shownText(value: unknown, length = valueLimits.each): ShownText {
  return shortenedTo({ text: JSON.stringify(value, null, 2) ?? 'null', isShortened: false }, length);
}

type ShownText = Extract<Shown, { text: string }>;

function shortenedTo(value: ShownText, length: number): ShownText {
  if (value.text.length <= length) return value;
  // A copy: a slice would keep the whole text in memory.
  return { text: Buffer.from(startOf(value.text, length)).toString(), isShortened: true };
}

/** Visits that have not ended: they run, or ended with the execution or with the fork around them. */
function closeOpen(
  threads: Map<string, Thread>,
  {
    running,
    until,
    scopeOf,
    budget,
  }: { running: LiveThread[]; until: number; scopeOf(label: string): ScopeStory; budget: Budget },
): void {
  const open = [...threads.values()].flatMap((thread) => (thread.open ? [thread.open] : []));
  const keyOf = (label: string, state: string) => JSON.stringify([label, state]);
  const byThread = new Map(open.map((one) => [keyOf(one.visit.branch, one.state.name), one]));
  for (const { label, state: name, status, awaiting, enteredAt, suspended } of running) {
    if (name === null || status === 'queued') continue;
    const from = enteredAt ? Date.parse(enteredAt) : until;
    const state = stateIn(scopeOf(label), name);
    const known = byThread.get(keyOf(label, name))?.visit;
    const visit: Visit = known ?? {
      ...{ branch: label, from, to: until, outcome: 'running' },
      ...{ waits: [], attempts: [], values: new Map() },
    };
    byThread.delete(keyOf(label, name));
    if (suspended) visit.activity = 'pause';
    else if (status === 'waiting' && awaiting) visit.activity = awaiting;
    show({ state, visit: { ...visit, to: until, outcome: 'running' } }, budget);
  }
  // Forks before their branches: the history begins with the root thread.
  for (const { state, visit } of byThread.values()) {
    const fork = scopeOf(visit.branch).parent;
    const ends = fork?.spans.flatMap(({ from, to }) => (from <= visit.from && visit.to <= to ? [to] : []));
    const to = Math.max(visit.to, Math.min(until, ...(ends ?? [])));
    show({ state, visit: { ...visit, to, outcome: 'stopped' } }, budget);
  }
}

/** All states, those of inner scopes after the state that they belong to. */
export function statesIn(scope: ScopeStory): StateStory[] {
  return [...scope.states.values()].flatMap((state) => [state, ...state.scopes.flatMap(statesIn)]);
}
