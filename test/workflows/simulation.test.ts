import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import {
  coverageOf,
  type DefinitionRun,
  type RunOptions,
  runDefinition,
} from '../../server/src/workflows/simulation/index.ts';
import { definitionOf } from '../support/definitions.ts';

const call = { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: 'https://other.example' } };
const ask = { Type: 'Task', Resource: 'wrp:callback:wait', Arguments: {} };
const done = { Type: 'Succeed', Output: {} };

const runStates = (states: Record<string, Json>, options?: RunOptions) =>
  runDefinition(definitionOf(states), options);

const rest = (seconds: number | string) => ({ Type: 'Wait', Seconds: seconds });

describe('virtual time', () => {
  test('passes with waits, and the delays of retries without jitter or at their longest', async () => {
    const retry = { ErrorEquals: ['X'], IntervalSeconds: 2, MaxAttempts: 3, BackoffRate: 3 };
    for (const JitterStrategy of ['NONE', 'FULL']) {
      const run = await runStates(
        {
          Rest: { ...rest(100), Next: 'T' },
          T: { ...call, Retry: [{ ...retry, JitterStrategy }], Next: 'Done' },
          Done: done,
        },
        { mocks: { T: [{ error: 'X' }, { error: 'X', duration: 1 }, { output: {} }] } },
      );
      expect(run.waited).toBe(100 + 2 + 1 + 6);
      expect(run.steps.map(({ state, attempt, at, until, via }) => [state, attempt, at, until, via])).toEqual(
        [
          ['Rest', 1, 0, 100, 'Next'],
          ['T', 1, 100, 100, 'Retry/0'],
          ['T', 2, 102, 103, 'Retry/0'],
          ['T', 3, 109, 109, 'Next'],
          ['Done', 1, 109, 109, undefined],
        ],
      );
      expect(run.path).toEqual(['Rest', 'T', 'Done']);
    }
  });

  test('of branches passes concurrently, and events are in its order', async () => {
    const branch = (name: string, seconds: number) => ({
      StartAt: `${name}1`,
      States: {
        [`${name}1`]: { ...rest(seconds), Next: `${name}2` },
        [`${name}2`]: { Type: 'Pass', Output: name, End: true },
      },
    });
    const run = await runStates({
      Both: {
        Type: 'Parallel',
        Branches: [branch('a', 20), branch('b', 10)],
        Output: { all: '{% $states.result %}' },
        End: true,
      },
    });
    expect(run).toMatchObject({
      output: { all: ['a', 'b'] },
      waited: 20,
      path: ['Both', 'a1', 'b1', 'b2', 'a2'],
    });
    expect(run.steps.map(({ branch: of }) => of)).toEqual([
      undefined,
      'Both[0]',
      'Both[1]',
      'Both[1]',
      'Both[0]',
    ]);
  });

  test('of a Map depends on MaxConcurrency', async () => {
    const waitedWith = async (MaxConcurrency: number) => {
      const run = await runStates({
        Each: {
          Type: 'Map',
          Items: [1, 1, 1, 1, 1],
          MaxConcurrency,
          ItemProcessor: { StartAt: 'R', States: { R: { ...rest(10), End: true } } },
          Output: {},
          End: true,
        },
      });
      return run.waited;
    };
    expect(await Promise.all([0, 1, 2, 5].map(waitedWith))).toEqual([10, 50, 30, 10]);
  });

  test('starts at createdDate', async () => {
    const createdDate = '2027-03-01T09:00:00.000Z';
    const states = {
      Rest: { Type: 'Wait', Timestamp: '2027-03-01T10:00:00Z', Next: 'Say' },
      Say: { Type: 'Succeed', Output: { now: '{% $now() %}' } },
    };
    expect(await runStates(states, { context: { createdDate } })).toMatchObject({
      waited: 3600,
      output: { now: '2027-03-01T10:00:00.000Z' },
    });
  });

  test('ends an execution at its expiry, or at the TimeoutSeconds of its definition', async () => {
    const month = 30 * 86_400;
    const states = { Rest: { ...rest(month), Next: 'Done' }, Done: done };
    expect(await runStates(states)).toMatchObject({ status: 'EXPIRED', waited: month, path: ['Rest'] });
    const context = { expiresAt: '2026-01-01T01:00:00Z' };
    expect(await runStates(states, { context })).toMatchObject({ status: 'EXPIRED', waited: 3600 });
    expect(await runDefinition(definitionOf(states, { TimeoutSeconds: 60 }), { context })).toMatchObject({
      status: 'FAILED',
      error: 'States.Timeout',
      cause: 'The execution took longer than the TimeoutSeconds of its definition.',
      waited: 60,
    });
  });
});

describe('a run', () => {
  const failing = (name: string) => ({ Type: 'Fail', Error: name, Cause: 'It was to.' });

  test('fails with the failure of a branch, which stops the others', async () => {
    const run = await runStates({
      Both: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Long', States: { Long: { ...rest(3600), End: true } } },
          { StartAt: 'Short', States: { Short: { ...rest(5), Next: 'Stop' }, Stop: failing('Stopped') } },
        ],
        End: true,
      },
    });
    expect(run).toMatchObject({
      status: 'FAILED',
      error: 'Stopped',
      cause: 'It was to.',
      waited: 5,
      path: ['Both', 'Long', 'Short', 'Stop'],
    });
  });

  test.each([
    [1, { status: 'COMPLETED', output: { left: [0, 2] } }],
    [0, { status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' }],
  ])('tolerates %i failed items', async (ToleratedFailureCount, expected) => {
    const states = {
      C: { Type: 'Choice', Choices: [{ Condition: '{% $states.input = 1 %}', Next: 'F' }], Default: 'S' },
      F: failing('Odd'),
      S: { Type: 'Succeed' },
    };
    const run = await runStates({
      Each: {
        Type: 'Map',
        Items: [0, 1, 2],
        ToleratedFailureCount,
        ItemProcessor: { StartAt: 'C', States: states },
        Output: { left: '{% $states.result %}' },
        End: true,
      },
    });
    expect(run).toMatchObject(expected);
  });

  test('has the input, the context and the rules of an execution', async () => {
    const run = await runStates(
      { S: { Type: 'Succeed', Output: { input: '{% $states.input %}', context: '{% $states.context %}' } } },
      {
        input: { a: 1 },
        context: {
          workflowId: 'w',
          origin: { email: 'noor@mail.example', type: 'LINK' },
          locale: 'fr',
          recordId: 'r',
          workflowDefinitionId: 'd',
          name: 'claims',
        },
      },
    );
    const input = {
      parameters: { a: 1 },
      workflowId: 'w',
      createdDate: '2026-01-01T00:00:00.000Z',
      origin: { email: 'noor@mail.example', type: 'LINK' },
      locale: 'fr',
      recordId: 'r',
    };
    expect(run.output).toEqual({
      input,
      context: {
        Execution: { Id: 'w', Input: input, Name: 'w', StartTime: '2026-01-01T00:00:00.000Z' },
        State: { EnteredTime: '2026-01-01T00:00:00.000Z', Name: 'S', RetryCount: 0 },
        StateMachine: { Id: 'd', Name: 'claims' },
      },
    });
    expect(await runStates({ S: { Type: 'Succeed', Output: [] } })).toMatchObject({
      status: 'FAILED',
      error: 'Wrp.ResultNotAnObject',
      path: ['S'],
    });
    await expect(runStates({ S: done }, { input: 3 })).rejects.toThrow('The input must be an object.');
    await expect(runDefinition({ StartAt: 'S' })).rejects.toThrow(
      /^The definition is not valid:\n[\s\S]*^States is missing$/m,
    );
  });

  test('that never ends reaches the history limit', async () => {
    const again = { Type: 'Pass', Next: 'A' };
    const Choices = [{ Condition: '{% $states.input.x = 1 %}', Next: 'Done' }];
    const run = await runStates({ A: { Type: 'Choice', Choices, Default: 'B' }, B: again, Done: done });
    expect(run).toMatchObject({
      status: 'FAILED',
      error: 'States.Runtime',
      cause: 'The execution has reached the limit of 25000 history entries.',
    });
  });

  test('with an endless expression fails, and the execution can catch it', async () => {
    const endless = '{% ($f := function(){ $f() }; $f()) %}';
    const Catch = [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'Done' }];
    const run = await runStates(
      { T: { ...call, Arguments: { url: endless }, Catch, Next: 'Done' }, Done: { Type: 'Succeed' } },
      { mocks: { T: { output: {} } } },
    );
    expect(run).toMatchObject({ status: 'COMPLETED', output: { Error: 'States.QueryEvaluationError' } });
    expect(run.steps[0]?.failure).toMatchObject({ expression: { field: 'Arguments/url' } });
  });

  test('names the field and the position of an expression that fails', async () => {
    const run = await runStates({ P: { Type: 'Pass', Output: { a: ["{% 1 + 'x' %}"] }, End: true } });
    expect(run).toMatchObject({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      expression: { field: 'Output/a/0', position: 4 },
    });
  });

  test('is the same each time, also next to others', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { n: '{% [$random(), $random()] %}' }, Next: 'S' },
      S: { Type: 'Succeed', Output: { n: '{% $n %}', id: '{% [$uuid(), $uuid()] %}' } },
    });
    const runs = await Promise.all(Array.from({ length: 20 }, () => runDefinition(definition)));
    const [first] = runs as [DefinitionRun];
    for (const run of runs) expect(run).toEqual(first);
    const { n, id } = first.output as { n: number[]; id: string[] };
    expect(new Set([...n, ...id]).size).toBe(4);
    expect(n.every((number) => number >= 0 && number < 1)).toBe(true);
  });

  test('has the variables of the execution at its end, and those that each state assigned', async () => {
    const run = await runStates({
      A: { Type: 'Pass', Assign: { a: 1, b: 1 }, Next: 'Each' },
      Each: {
        Type: 'Map',
        Items: [1],
        ItemProcessor: {
          StartAt: 'I',
          States: { I: { Type: 'Pass', Assign: { c: 3 }, Output: '{% $a %}', End: true } },
        },
        Assign: { b: 2 },
        Output: {},
        End: true,
      },
    });
    expect(run.variables).toEqual({ a: 1, b: 2 });
    expect(Object.fromEntries(run.steps.map(({ state, assigned }) => [state, assigned]))).toEqual({
      A: { a: 1, b: 1 },
      Each: { b: 2 },
      I: { c: 3 },
    });
  });
});

describe('a state that is run alone', () => {
  const states: Record<string, Json> = {
    Ask: { ...ask, Arguments: { request: { url: '{% $base %}' } }, Next: 'Large?' },
    'Large?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.amount > $limit %}', Assign: { large: true }, Next: 'Each' }],
      Default: 'Done',
    },
    Each: {
      Type: 'Map',
      Items: [1, 2],
      ItemProcessor: {
        StartAt: 'Item',
        States: { Item: { Type: 'Pass', Output: '{% $states.context.Map.Item %}', End: true } },
      },
      Next: 'Done',
    },
    Done: { Type: 'Succeed', Output: { of: '{% $states.context.Execution.Input.parameters.id %}' } },
  };
  // In a complete definition, every variable is assigned somewhere.
  const complete = {
    First: { Type: 'Pass', Assign: { base: 'https://other.example', limit: 10 }, Next: 'Ask' },
    ...states,
  };

  test.each<[state: string, options: RunOptions, expected: object]>([
    [
      'Ask',
      { variables: { base: 'https://a.example' }, mocks: { Ask: { callback: { output: 7 }, duration: 9 } } },
      { output: 7, next: 'Large?', waited: 9, path: ['Ask'] },
    ],
    [
      'Large?',
      { input: { amount: 11 }, variables: { limit: 10 } },
      { output: { amount: 11 }, next: 'Each', variables: { limit: 10, large: true } },
    ],
    [
      'Large?',
      { input: { amount: 10 }, variables: { limit: 10 } },
      { next: 'Done', variables: { limit: 10 } },
    ],
    ['Each', {}, { next: 'Done', path: ['Each', 'Item', 'Item'] }],
    ['Item', { input: 5 }, { output: { Index: 0, Value: 5 } }],
    ['Done', { parameters: { id: 'C-1' } }, { output: { of: 'C-1' } }],
  ])('%s leads on', async (state, options, expected) => {
    expect(await runStates(complete, { state, ...options })).toMatchObject({
      status: 'COMPLETED',
      ...expected,
    });
  });

  test('must exist', async () => {
    await expect(runStates(complete, { state: 'Nowhere' })).rejects.toThrow(
      'The definition has no state ‘Nowhere’.',
    );
  });
});

test('coverage names the states and transitions that no run reached', async () => {
  const definition = definitionOf({
    T: {
      ...call,
      Retry: [{ ErrorEquals: ['Never'], MaxAttempts: 0 }, { ErrorEquals: ['A'] }, { ErrorEquals: ['B'] }],
      Catch: [
        { ErrorEquals: ['C'], Next: 'Each' },
        { ErrorEquals: ['D'], Next: 'Each' },
      ],
      Next: 'Which?',
    },
    'Which?': {
      Type: 'Choice',
      Choices: [
        { Condition: '{% $states.input.statusCode = 201 %}', Next: 'Done' },
        { Condition: '{% $states.input.statusCode = 202 %}', Next: 'Done' },
      ],
      Default: 'Done',
    },
    Each: {
      Type: 'Map',
      Items: [1],
      ItemProcessor: { StartAt: 'a/b', States: { 'a/b': { Type: 'Pass', End: true } } },
      Next: 'Done',
    },
    Done: done,
  });
  const first = await runDefinition(definition, {
    mocks: { T: [{ error: 'B' }, { output: { statusCode: 202 } }] },
  });
  expect(coverageOf(definition as never, first.steps)).toEqual({
    states: {
      total: 5,
      reached: 3,
      missing: [
        { pointer: '/States/Each', name: 'state ‘Each’' },
        { pointer: '/States/Each/ItemProcessor/States/a~1b', name: 'state ‘a/b’' },
      ],
    },
    transitions: {
      total: 7,
      reached: 2,
      missing: [
        { pointer: '/States/T/Retry/1', name: 'Retry[1] of ‘T’' },
        { pointer: '/States/T/Catch/0', name: 'Catch[0] of ‘T’' },
        { pointer: '/States/T/Catch/1', name: 'Catch[1] of ‘T’' },
        { pointer: '/States/Which?/Choices/0', name: 'Choices[0] of ‘Which?’' },
        { pointer: '/States/Which?/Default', name: 'Default of ‘Which?’' },
      ],
    },
  });
  const second = await runDefinition(definition, { mocks: { T: { error: 'D' } } });
  const both = coverageOf(definition as never, [...first.steps, ...second.steps]);
  expect(both.states.missing).toEqual([]);
  expect(both.transitions.reached).toBe(3);
});
