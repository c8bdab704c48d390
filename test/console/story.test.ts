import { describe, expect, test } from 'vitest';
import type { Definition } from '../../server/asl/index.ts';
import { lookOf, statusOf } from '../../server/src/console/execution/drawing.ts';
import { readStory, valueLimits } from '../../server/src/console/execution/read-story.ts';
import {
  type ExecutionStory,
  endsAfter,
  type StateStory,
  type Visit,
} from '../../server/src/console/execution/story.ts';
import { merged } from '../../server/src/console/execution/timeline.ts';
import type { ThreadHistoryEntry } from '../../server/src/store/execution-history.ts';
import type { LiveThread } from '../../server/src/store/execution-list.ts';
import { definitionOf } from '../support/definitions.ts';

const start = Date.parse('2026-11-27T08:00:00Z');
const at = (second: number) => new Date(start + second * 1000);

/** An entry of the root thread, or of the branch in `detail`. */
const entry = (
  second: number,
  kind: string,
  state: string,
  detail: Record<string, unknown> = {},
): ThreadHistoryEntry => ({
  sequence: 0,
  threadId: String(detail['branch'] ?? 'root'),
  at: at(second),
  kind: kind as ThreadHistoryEntry['kind'],
  state,
  detail,
});

interface Told {
  states: object;
  history: ThreadHistoryEntry[];
  /** Seconds; undefined: it runs. */
  end?: number;
  threads?: Partial<LiveThread>[];
}

async function tell({ states, history, end, threads = [] }: Told): Promise<ExecutionStory> {
  async function* entries() {
    yield* history;
  }
  const live = {
    label: '',
    state: null,
    status: 'waiting',
    awaiting: null,
    enteredAt: null,
    timeoutAt: null,
    suspended: false,
    heartbeatUntil: null,
  };
  return readStory({
    execution: { createdAt: at(0), endedAt: end === undefined ? null : at(end) },
    definition: definitionOf(states as never) as unknown as Definition,
    history: entries(),
    threads: async () => threads.map((thread) => ({ ...live, ...thread })),
    now: at(100),
  });
}

const stateNamed = ({ states }: ExecutionStory, name: string): StateStory => {
  const found = states.find((state) => state.name === name);
  if (!found) throw new Error(`Nothing entered ${name}.`);
  return found;
};

const chain = { A: { Type: 'Task', Resource: 'wrp:http:call', Next: 'B' }, B: { Type: 'Pass', End: true } };
const map = {
  M: {
    Type: 'Map',
    Items: [],
    ItemProcessor: definitionOf({ I: { Type: 'Pass', Next: 'J' }, J: { Type: 'Pass', End: true } }),
    End: true,
  },
};

describe('the story of an execution', () => {
  test('begins each state when its thread left the one before', async () => {
    const story = await tell({
      states: chain,
      history: [
        entry(1, 'task', 'A', { resource: 'wrp:http:call', arguments: { n: 1 } }),
        entry(4, 'state', 'A', { type: 'Task', input: 1, output: 2 }),
        entry(5, 'state', 'B', { type: 'Pass', input: 2, output: 2 }),
      ],
      end: 5,
    });
    expect(story.states.map(({ name, spans }) => [name, ...spans])).toEqual([
      ['A', { from: start, to: start + 4_000, outcome: 'completed' }],
      ['B', { from: start + 4_000, to: start + 5_000, outcome: 'completed' }],
    ]);
    expect([...(stateNamed(story, 'A').shown[0]?.values ?? [])]).toEqual([
      ['arguments', { text: '{\n  "n": 1\n}', isShortened: false }],
      ['input', { text: '1', isShortened: false }],
      ['output', { text: '2', isShortened: false }],
    ]);
    expect(endsAfter(story.root, stateNamed(story, 'B'))).toBe(1);
    expect(endsAfter(story.root, stateNamed(story, 'A'))).toBe(0);
  });

  test.each<[string, ThreadHistoryEntry[], string, string]>([
    ['completed', [entry(1, 'state', 'A', {})], 'completed', 'completed'],
    [
      'retried',
      [entry(1, 'retry', 'A', { error: 'E', cause: 'c', at: at(3).toISOString() }), entry(4, 'state', 'A')],
      'retried',
      'completed, 1 retry',
    ],
    ['caught', [entry(1, 'state', 'A', { failure: { error: 'E', cause: 'c' } })], 'caught', 'caught'],
    ['failed', [entry(1, 'failed', 'A', { error: 'E', cause: 'c' })], 'failed', 'failed'],
    ['stopped', [entry(1, 'task', 'A', { arguments: {} })], 'stopped', 'stopped'],
  ])('shows a state as %s', async (_what, history, look, status) => {
    const story = await tell({ states: chain, history, end: 9 });
    const state = stateNamed(story, 'A');
    expect([lookOf(state), statusOf(state)]).toEqual([look, status]);
  });

  test('ends a state that was stopped with the execution, and one in a fork with the fork', async () => {
    const cancelled = await tell({ states: chain, history: [entry(1, 'task', 'A')], end: 9 });
    expect(stateNamed(cancelled, 'A').spans).toEqual([
      { from: start, to: start + 9_000, outcome: 'stopped' },
    ]);
    const failed = await tell({
      states: map,
      history: [
        entry(1, 'forked', 'M', { threads: 2 }),
        entry(2, 'waiting', 'I', { branch: 'M[0]', until: at(50).toISOString() }),
        entry(3, 'failed', 'I', { branch: 'M[1]', error: 'E', cause: '' }),
        entry(4, 'failed', 'M', { error: 'E', cause: '' }),
      ],
      end: 5,
    });
    expect(stateNamed(failed, 'I').spans).toContainEqual({
      from: start + 2_000,
      to: start + 4_000,
      outcome: 'stopped',
    });
  });

  test('shows what runs, with what it waits for, and not what is queued', async () => {
    const story = await tell({
      states: map,
      history: [
        entry(1, 'forked', 'M', { threads: 3 }),
        entry(2, 'state', 'I', { branch: 'M[0]', enteredAt: at(1).toISOString() }),
      ],
      threads: [
        { state: 'M', awaiting: 'fork', enteredAt: at(0).toISOString() },
        { label: 'M[0]', state: 'J', awaiting: 'callback', enteredAt: at(2).toISOString() },
        { label: 'M[1]', state: 'I', status: 'queued' },
      ],
    });
    expect(statusOf(stateNamed(story, 'M'))).toBe('running');
    expect(stateNamed(story, 'J').shown).toMatchObject([
      { branch: 'M[0]', activity: 'callback', to: at(100).getTime() },
    ]);
    expect(statusOf(stateNamed(story, 'I'))).toBe('completed');
  });

  test('counts the items of a Map, and keeps the first ones and those with errors', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => {
      const detail = { branch: `M[${index}]`, input: index, output: index };
      if (index % 100 === 99)
        return [entry(index, 'failed', 'I', { ...detail, error: 'E', cause: `item ${index}` })];
      return [entry(index, 'state', 'I', detail), entry(index, 'state', 'J', detail)];
    });
    const story = await tell({
      states: map,
      history: [entry(0, 'forked', 'M'), ...items.flat()],
      end: 1_000,
    });
    const state = stateNamed(story, 'I');
    expect(statusOf(state)).toBe('10 failed, 990 completed');
    expect(state.shown.map(({ branch }) => branch)).toEqual([
      'M[0]',
      'M[1]',
      'M[2]',
      'M[99]',
      'M[199]',
      'M[299]',
    ]);
    const scope = stateNamed(story, 'M').scopes[0];
    expect([...(scope?.transitions ?? [])]).toEqual([['["I","J"]', 990]]);
    const bars = merged(state.spans, { startedAt: start, length: 1_000_000 });
    expect(bars.length).toBeLessThanOrEqual(200);
    expect(bars.filter(({ outcome }) => outcome === 'failed')).toHaveLength(10);
  });

  test('counts the rounds of a loop and its way', async () => {
    const states = { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Choice', Choices: [], Default: 'A' } };
    const history = [1, 2, 3].flatMap((round) => [entry(round, 'state', 'A'), entry(round, 'state', 'B')]);
    const story = await tell({ states, history, end: 4 });
    expect([...story.root.transitions]).toEqual([
      ['["A","B"]', 3],
      ['["B","A"]', 2],
    ]);
    expect(endsAfter(story.root, stateNamed(story, 'B'))).toBe(1);
  });

  test('tells the branch of a thread by the definition, whatever the names of its states', async () => {
    const inner = definitionOf({ 'x[0]/y': { Type: 'Pass', End: true } });
    const fork = (name: string) =>
      definitionOf({ [name]: { Type: 'Parallel', Branches: [inner, inner], End: true } });
    const states = {
      a: { Type: 'Parallel', Branches: [fork('b'), fork('b')], Next: 'a[1]/b' },
      'a[1]/b': { Type: 'Parallel', Branches: [inner, inner], End: true },
    };
    const story = await tell({
      states,
      history: [
        entry(1, 'state', 'x[0]/y', { branch: 'a[1]/b[0]' }),
        entry(2, 'state', 'x[0]/y', { branch: 'a[1]/b[1]' }),
      ],
      end: 3,
    });
    expect(story.states.map(({ around }) => around)).toEqual([
      ['a[1]', 'b[0]'],
      ['a[1]', 'b[1]'],
    ]);
  });

  test('continues after a retry of the execution, which is not a visit of a state', async () => {
    const story = await tell({
      states: chain,
      history: [
        entry(1, 'failed', 'A', { error: 'E', cause: '' }),
        entry(50, 'retried', 'A', { by: 'ada' }),
        entry(52, 'state', 'A', { output: 1 }),
        entry(53, 'state', 'B', { output: 1 }),
      ],
      end: 53,
    });
    expect(stateNamed(story, 'A').spans).toEqual([
      { from: start, to: start + 1_000, outcome: 'failed' },
      { from: start + 50_000, to: start + 52_000, outcome: 'completed' },
    ]);
    expect([...story.root.transitions]).toEqual([['["A","B"]', 1]]);
  });

  test('shows states that the definition does not have', async () => {
    const story = await tell({ states: chain, history: [entry(1, 'state', 'Gone', { output: 1 })], end: 2 });
    expect(statusOf(stateNamed(story, 'Gone'))).toBe('completed');
  });

  test('bounds every value, and all of them together', async () => {
    const input = 'x'.repeat(60_000);
    const names = Array.from({ length: 600 }, (_, index) => `S${index}`);
    const states = Object.fromEntries(names.map((name) => [name, { Type: 'Pass', End: true }]));
    const history = names.map((name) => entry(1, 'state', name, { input, output: input }));
    const values = (await tell({ states, history, end: 2 })).states.flatMap(({ shown }) =>
      shown.flatMap((visit) => [...visit.values.values()]),
    );
    const lengths = values.map((value) => ('text' in value ? value.text.length : 0));
    expect(Math.max(...lengths)).toBe(valueLimits.each);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(valueLimits.page);
  });

  describe.each([200, 1_400, 60_000])('with arguments of %i characters', (length) => {
    const value = 'x'.repeat(length);
    const expected = Math.min(length + 2, valueLimits.each);
    const lengthsOf = (visit: Visit | undefined) =>
      [...(visit?.values ?? [])].map(([name, one]) => [name, 'text' in one ? one.text.length : one]);
    const all = (...names: string[]) => names.map((name) => [name, expected]);
    const of = (kind: string, detail: object) =>
      Array.from({ length: 1_000 }, (_, index) => entry(2, kind, 'I', { branch: `M[${index}]`, ...detail }));
    const tasks = of('task', { arguments: value });
    const ended = of('state', { input: value, result: value, output: value });

    test.each<[string, ThreadHistoryEntry[], unknown[]]>([
      ['end in their order', [...tasks, ...ended], ['M[0]', 'M[1]', 'M[2]']],
      ['end in reverse order', [...tasks, ...ended.toReversed()], ['M[999]', 'M[998]', 'M[997]']],
      [
        'end one after another',
        tasks.flatMap((task, index) => [task, ended[index] as typeof task]),
        ['M[0]', 'M[1]', 'M[2]'],
      ],
      ['are called three times', [...tasks, ...tasks, ...tasks, ...ended], ['M[0]', 'M[1]', 'M[2]']],
    ])('shows every value of the first of 1,000 items that %s', async (_what, history, branches) => {
      const story = await tell({ states: map, history: [entry(1, 'forked', 'M'), ...history], end: 3 });
      const { shown } = stateNamed(story, 'I');
      expect(shown.map(({ branch }) => branch)).toEqual(branches);
      for (const visit of shown)
        expect(lengthsOf(visit)).toEqual(all('arguments', 'input', 'result', 'output'));
    });

    test('shows every value of the last attempt of 1,000', async () => {
      const attempts = tasks.flatMap(() => [
        entry(1, 'task', 'A', { arguments: value }),
        entry(1, 'retry', 'A', { error: 'E', cause: '', at: at(1).toISOString() }),
      ]);
      const last = entry(2, 'state', 'A', { output: value });
      const story = await tell({ states: chain, history: [...attempts, last], end: 3 });
      expect(lengthsOf(stateNamed(story, 'A').shown[0])).toEqual(all('arguments', 'output'));
    });

    test('shows the arguments of the first of 1,000 items that run', async () => {
      const threads = tasks.map((_, index) => ({
        label: `M[${index}]`,
        state: 'I',
        awaiting: 'callback' as const,
      }));
      const story = await tell({ states: map, history: [entry(1, 'forked', 'M'), ...tasks], threads });
      const { shown } = stateNamed(story, 'I');
      expect(shown.map(lengthsOf)).toEqual([all('arguments'), all('arguments'), all('arguments')]);
    });
  });

  test('has the size of a value that the history does not have', async () => {
    const story = await tell({
      states: chain,
      history: [entry(1, 'state', 'A', { inputSize: 70_000 })],
      end: 2,
    });
    expect(stateNamed(story, 'A').shown[0]?.values.get('input')).toEqual({ bytes: 70_000 });
  });
});
