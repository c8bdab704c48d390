import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute, only } from './run.ts';

const input = { n: 2 };

/** A branch of one state. */
function branch(name: string, state: object) {
  const ends = !['Succeed', 'Fail'].includes((state as { Type: string }).Type);
  return { StartAt: name, States: { [name]: ends ? { ...state, End: true } : state } };
}
const failing = (error: string) => branch('F', { Type: 'Fail', Error: error, Cause: 'refused' });

describe('Parallel', () => {
  const two = [
    branch('A', { Type: 'Pass', Output: { a: '{% $states.input %}' } }),
    branch('B', { Type: 'Pass', Output: 'b' }),
  ];

  test.each<[what: string, fields: object, output: unknown]>([
    ['gives the array of its branches’ outputs, in their order', {}, [{ a: input }, 'b']],
    [
      'gives every branch its Arguments',
      { Arguments: { m: '{% $states.input.n * 2 %}' } },
      [{ a: { m: 4 } }, 'b'],
    ],
    ['shapes the result with Output', { Output: '{% $states.result[1] %}' }, 'b'],
    [
      'sees its own input in Output, not the Arguments',
      { Arguments: 'other', Output: ['{% $states.input.n %}', '{% $states.result[0].a %}'] },
      [2, 'other'],
    ],
  ])('%s', async (_, fields, output) => {
    expect(await endingOf(only({ Type: 'Parallel', Branches: two, ...fields }), { input })).toEqual({
      output,
    });
  });

  test('keeps the order of the branches, whichever ends first', async () => {
    const Branches = [branch('A', { Type: 'Wait', Seconds: 9 }), branch('B', { Type: 'Pass', Output: 'b' })];
    const definition = definitionOf({ S: { Type: 'Parallel', Branches, Next: 'E' }, E: { Type: 'Succeed' } });
    const { ending, entered } = await execute(definition, { input });
    expect(ending).toEqual({ output: [input, 'b'] });
    expect(entered.at(-1)).toEqual(['E', 9]);
  });

  test('starts its branches concurrently, none of which may fail', async () => {
    const { forks } = await execute(only({ Type: 'Parallel', Branches: two }), { input });
    expect(forks).toEqual([{ state: 'S', threads: 2, maxConcurrency: 0, toleratedFailures: 0 }]);
  });

  test('has branches with transitions of their own, including nested Parallels', async () => {
    const inner = {
      StartAt: 'Go',
      States: {
        Go: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.n = 2 %}', Next: 'Both' }] },
        Both: { Type: 'Parallel', Branches: two, End: true },
      },
    };
    const definition = only({
      Type: 'Parallel',
      Branches: [inner, branch('C', { Type: 'Succeed', Output: 'c' })],
    });
    expect(await endingOf(definition, { input })).toEqual({ output: [[{ a: input }, 'b'], 'c'] });
  });

  test('fails with the error of a branch', async () => {
    const definition = only({ Type: 'Parallel', Branches: [two[0], failing('Mine')] });
    expect(await endingOf(definition, { input })).toEqual({ error: 'Mine', cause: 'refused' });
  });

  test.each<[name: string, caught: boolean]>([
    ['Mine', true],
    ['States.BranchFailed', true],
    ['States.ALL', true],
    ['States.TaskFailed', true],
    ['States.Timeout', false],
    ['Other', false],
  ])('a branch that fails with Mine is caught by %s: %s', async (name, caught) => {
    const definition = definitionOf({
      S: {
        Type: 'Parallel',
        Branches: [failing('Mine')],
        Catch: [{ ErrorEquals: [name], Next: 'E' }],
        End: true,
      },
      E: { Type: 'Succeed', Output: '{% $states.input.Error %}' },
    });
    const expected = caught ? { output: 'Mine' } : { error: 'Mine', cause: 'refused' };
    expect(await endingOf(definition, { input })).toEqual(expected);
  });

  test('States.BranchFailed is not the error of the Parallel’s own fields', async () => {
    const definition = definitionOf({
      S: {
        Type: 'Parallel',
        Arguments: '{% $states.input.missing %}',
        Branches: two,
        Catch: [{ ErrorEquals: ['States.BranchFailed'], Next: 'E' }],
        End: true,
      },
      E: { Type: 'Succeed' },
    });
    expect(await endingOf(definition, { input })).toMatchObject({ error: 'States.QueryEvaluationError' });
  });

  test('runs all branches again when it is retried', async () => {
    const task = (name: string) => branch(name, { Type: 'Task', Resource: 'wrp:http:call' });
    const definition = only({
      Type: 'Parallel',
      Branches: [task('A'), task('B')],
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 4 }],
    });
    const tasks = { B: [{ error: 'Once' }, { result: 'b' }] };
    const { ending, calls, delays } = await execute(definition, { input, tasks });
    expect(ending).toEqual({ output: [input, 'b'] });
    expect(calls.map((call) => call.state)).toEqual(['A', 'B', 'A', 'B']);
    expect(delays).toEqual([4]);
  });
});
