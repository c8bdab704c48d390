import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute } from './run.ts';

const input = { n: 1 };

/** A Task with this Catch, and the states that a Catcher leads to. */
function catching(Catch: object[], fields: object = {}) {
  return definitionOf({
    S: { Type: 'Task', Resource: 'wrp:http:call', Catch, ...fields, Next: 'Fine' },
    Fine: { Type: 'Succeed', Output: 'fine' },
    A: { Type: 'Pass', Output: ['A', '{% $states.input %}'], End: true },
    B: { Type: 'Pass', Output: ['B', '{% $states.input %}'], End: true },
  });
}
const failing = (error: string, cause = 'refused') => ({ input, tasks: { S: [{ error, cause }] } });

describe('Catch', () => {
  test.each<[what: string, Catch: object[], error: string, output: unknown]>([
    [
      'gives the Error Output on',
      [{ ErrorEquals: ['Mine'], Next: 'A' }],
      'Mine',
      ['A', { Error: 'Mine', Cause: 'refused' }],
    ],
    [
      'takes the first Catcher that names the error',
      [
        { ErrorEquals: ['Other'], Next: 'A' },
        { ErrorEquals: ['Mine'], Next: 'B', Output: 'second' },
        { ErrorEquals: ['States.ALL'], Next: 'A' },
      ],
      'Mine',
      ['B', 'second'],
    ],
    [
      'shapes the output with $states.errorOutput and the state’s input',
      [
        {
          ErrorEquals: ['States.ALL'],
          Output: {
            e: '{% $states.errorOutput.Error %}',
            c: '{% $states.errorOutput.Cause %}',
            n: '{% $states.input.n %}',
          },
          Next: 'A',
        },
      ],
      'Mine',
      ['A', { e: 'Mine', c: 'refused', n: 1 }],
    ],
    [
      'names wildcards as Retry does',
      [
        { ErrorEquals: ['States.TaskFailed'], Next: 'A' },
        { ErrorEquals: ['States.Timeout'], Output: 'late', Next: 'B' },
      ],
      'States.Timeout',
      ['B', 'late'],
    ],
    [
      'can name States.DataLimitExceeded',
      [{ ErrorEquals: ['States.DataLimitExceeded'], Output: 'large', Next: 'A' }],
      'States.DataLimitExceeded',
      ['A', 'large'],
    ],
  ])('%s', async (_, Catch, error, output) => {
    expect(await endingOf(catching(Catch), failing(error))).toEqual({ output });
  });

  test.each<[what: string, names: string[], error: string]>([
    ['an error that no Catcher names', ['Other'], 'Mine'],
    ['States.DataLimitExceeded by States.ALL', ['States.ALL'], 'States.DataLimitExceeded'],
    ['States.Runtime by States.ALL', ['States.ALL'], 'States.Runtime'],
    ['States.Runtime by its name', ['States.Runtime'], 'States.Runtime'],
  ])('does not catch %s', async (_, ErrorEquals, error) => {
    expect(await endingOf(catching([{ ErrorEquals, Next: 'A' }]), failing(error))).toEqual({
      error,
      cause: 'refused',
    });
  });

  test('applies after Retry has given up', async () => {
    const definition = catching([{ ErrorEquals: ['States.ALL'], Output: 'caught', Next: 'A' }], {
      Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2 }],
    });
    const { ending, calls } = await execute(definition, failing('Mine'));
    expect(ending).toEqual({ output: ['A', 'caught'] });
    expect(calls).toHaveLength(3);
  });

  test('assigns its own variables, not those of the state', async () => {
    const definition = catching(
      [{ ErrorEquals: ['States.ALL'], Assign: { why: '{% $states.errorOutput.Error %}' }, Next: 'A' }],
      { Assign: { result: '{% $states.result %}' } },
    );
    const { variables } = await execute(definition, failing('Mine'));
    expect(variables).toEqual({ why: 'Mine' });
  });

  test('catches errors of the state’s own expressions', async () => {
    const definition = catching(
      [
        {
          ErrorEquals: ['States.QueryEvaluationError'],
          Output: '{% $states.errorOutput.Error %}',
          Next: 'A',
        },
      ],
      { Arguments: '{% $states.input.missing %}' },
    );
    expect(await endingOf(definition, { input })).toEqual({ output: ['A', 'States.QueryEvaluationError'] });
  });

  test('fails with States.QueryEvaluationError, uncaught, when the Catcher’s own expressions fail', async () => {
    const definition = catching([
      { ErrorEquals: ['Mine'], Output: '{% $states.errorOutput.Missing %}', Next: 'A' },
      { ErrorEquals: ['States.QueryEvaluationError'], Next: 'B' },
    ]);
    expect(await endingOf(definition, failing('Mine'))).toEqual({
      error: 'States.QueryEvaluationError',
      cause: '‘ $states.errorOutput.Missing ’ in Catch/0/Output returns nothing (undefined).',
      expression: { field: 'Catch/0/Output' },
    });
  });

  const smileys = '😀'.repeat(100);

  test.each<[what: string, fields: object, cause: RegExp]>([
    ['NUL', { Output: '{% $error($decodeUrlComponent("%00")) %}' }, /failed: \ufffd \(D3137\)$/],
    ['a long expression', { Output: `{%$error("${smileys}")%}` }, /^‘\$error\("(😀){95}…’ in Output failed/u],
    ['a long value', { TimeoutSeconds: `{% "a${smileys}" %}` }, /, not "a(😀){28}…\.$/u],
  ])('has a cause without NUL and half surrogate pairs: %s', async (_, fields, cause) => {
    const definition = catching([{ ErrorEquals: ['States.ALL'], Next: 'A' }], fields);
    const Cause = expect.stringMatching(cause);
    expect(await endingOf(definition, { input })).toEqual({
      output: ['A', { Error: 'States.QueryEvaluationError', Cause }],
    });
  });

  test('there is no $states.result in a Catcher and no $states.errorOutput outside', async () => {
    const result = catching([{ ErrorEquals: ['Mine'], Output: '{% $exists($states.result) %}', Next: 'A' }]);
    expect(await endingOf(result, failing('Mine'))).toEqual({ output: ['A', false] });
    const errorOutput = catching([], { Output: '{% $exists($states.errorOutput) %}', Next: 'A' });
    expect(await endingOf({ ...errorOutput, States: { ...errorOutput.States } }, { input })).toEqual({
      output: 'fine',
    });
  });
});
