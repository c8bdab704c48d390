import { describe, expect, test } from 'vitest';
import type { ExecutionContext } from '../../server/asl/actions.ts';
import type { Frame } from '../../server/asl/checkpoints.ts';
import { openMachine } from '../../server/asl/machine.ts';
import { definitionOf, start } from './run.ts';

const context: ExecutionContext = {
  execution: { id: 'e', input: {}, name: 'E', startTime: start.toISOString() },
  stateMachine: { id: 'd', name: 'D' },
};
const later = new Date(start.getTime() + 60_000);

const definition = definitionOf({
  A: { Type: 'Pass', Assign: { x: 1 }, Next: 'T' },
  T: { Type: 'Task', Resource: 'wrp:mail:send', Retry: [{ ErrorEquals: ['E'] }], Next: 'W' },
  W: { Type: 'Wait', Seconds: 5, Next: 'P' },
  P: {
    Type: 'Parallel',
    Branches: [
      { StartAt: 'B0', States: { B0: { Type: 'Succeed' } } },
      {
        StartAt: 'B1',
        States: { B1: { Type: 'Pass', Assign: { y: 2 }, Next: 'B2' }, B2: { Type: 'Succeed' } },
      },
    ],
    End: true,
  },
});
const machine = openMachine(definition);
const at = (state: string, more: Partial<Frame> = {}): Frame => ({
  state,
  input: { in: 1 },
  variables: {},
  outerVariables: {},
  enteredAt: start.toISOString(),
  retries: [],
  ...more,
});

describe('a machine', () => {
  test('starts at StartAt with the input and without variables', () => {
    expect(machine.begin({ a: 1 }, start)).toEqual({
      state: 'A',
      input: { a: 1 },
      variables: {},
      outerVariables: {},
      enteredAt: '2027-03-01T09:00:00.000Z',
      retries: [],
    });
  });

  test('continues to the next state with a new frame', async () => {
    const frame = at('A', { retries: [2], variables: { old: 1 } });
    expect(await machine.run([], frame, context, later)).toEqual({
      kind: 'next',
      output: { in: 1 },
      assigned: { x: 1 },
      via: '',
      frame: at('T', { variables: { old: 1, x: 1 }, enteredAt: later.toISOString() }),
    });
  });

  test('does not change its input frame', async () => {
    const frame = at('A');
    const before = structuredClone(frame);
    await machine.run([], frame, context, later);
    expect(frame).toEqual(before);
  });

  test('requests a task and continues with its result', async () => {
    const asked = await machine.run([], at('T'), context, later);
    expect(asked).toEqual({
      kind: 'task',
      frame: at('T'),
      resource: 'wrp:mail:send',
      arguments: { in: 1 },
      timeoutSeconds: 60,
      heartbeatSeconds: undefined,
    });
    const outcome = { kind: 'succeeded', result: { messageId: 'm' } } as const;
    expect(await machine.resume([], at('T'), outcome, context, later)).toMatchObject({
      kind: 'next',
      frame: { state: 'W', input: { messageId: 'm' } },
    });
  });

  test('requests a failed task again, with the delay and count of Retry', async () => {
    const failure = { error: 'E', cause: 'c' };
    expect(await machine.resume([], at('T'), { kind: 'failed', failure }, context, later)).toEqual({
      kind: 'retry',
      frame: at('T', { retries: [1] }),
      at: new Date(later.getTime() + 1_000),
      failure,
      retrier: 0,
    });
    const used = at('T', { retries: [3] });
    expect(await machine.resume([], used, { kind: 'failed', failure }, context, later)).toEqual({
      kind: 'fail',
      failure,
    });
  });

  test('waits until a time that stays the same when the step is repeated', async () => {
    const until = new Date(later.getTime() + 5_000);
    expect(await machine.run([], at('W'), context, later)).toEqual({ kind: 'wait', frame: at('W'), until });
    expect(await machine.resume([], at('W'), { kind: 'elapsed' }, context, until)).toMatchObject({
      kind: 'next',
      frame: { state: 'P' },
    });
  });

  test('forks into frames with all readable outer variables', async () => {
    const frame = at('P', { variables: { a: 1 }, outerVariables: { a: 0, b: 0 } });
    const branch = (index: number, state: string) => ({
      path: { state: 'P', branch: index },
      frame: at(state, { outerVariables: { a: 1, b: 0 }, enteredAt: later.toISOString() }),
    });
    expect(await machine.run([], frame, context, later)).toEqual({
      kind: 'fork',
      frame,
      branches: [branch(0, 'B0'), branch(1, 'B1')],
      maxConcurrency: 0,
      toleratedFailures: 0,
    });
  });

  test('runs a branch by the path to it', async () => {
    const path = [{ state: 'P', branch: 1 }];
    expect(machine.state(path, 'B2')).toEqual({ Type: 'Succeed' });
    expect(await machine.run(path, at('B1'), context, later)).toMatchObject({
      kind: 'next',
      frame: { state: 'B2', variables: { y: 2 } },
    });
    expect(await machine.run(path, at('B2'), context, later)).toEqual({
      kind: 'end',
      output: { in: 1 },
      variables: {},
    });
  });

  test.each<[what: string, call: () => unknown]>([
    ['an unknown state', () => machine.state([], 'Nowhere')],
    ['a state that every object has', () => machine.state([], 'constructor')],
    ['a branch that is not there', () => machine.state([{ state: 'P', branch: 2 }], 'B0')],
    ['a path through a state without branches', () => machine.state([{ state: 'A', branch: 0 }], 'B0')],
  ])('throws for %s, which is not a failure of an execution', (_, call) => {
    expect(call).toThrow();
  });

  test.each<[state: string, outcome: { kind: 'elapsed' } | { kind: 'succeeded'; result: null }]>([
    ['A', { kind: 'elapsed' }],
    ['T', { kind: 'elapsed' }],
    ['W', { kind: 'succeeded', result: null }],
  ])('throws when %s gets %j', async (state, outcome) => {
    await expect(machine.resume([], at(state), outcome, context, later)).rejects.toThrow();
  });
});
