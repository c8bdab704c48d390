import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute } from './run.ts';

const input = { n: 5, kind: 'b', flag: true };

/** Three next states, each of which outputs its name and input. */
function choosing(choice: object) {
  const branch = (name: string) => ({
    Type: 'Pass',
    Output: { branch: name, input: '{% $states.input %}' },
    End: true,
  });
  return definitionOf({ S: { Type: 'Choice', ...choice }, X: branch('X'), Y: branch('Y'), Z: branch('Z') });
}

describe('Choice', () => {
  test.each<[what: string, choice: object, branch: string]>([
    [
      'takes the first rule that holds',
      {
        Choices: [
          { Condition: '{% $states.input.n > 9 %}', Next: 'X' },
          { Condition: '{% $states.input.n > 4 %}', Next: 'Y' },
          { Condition: '{% $states.input.n > 3 %}', Next: 'Z' },
        ],
      },
      'Y',
    ],
    [
      'takes Default when none holds',
      { Choices: [{ Condition: '{% false %}', Next: 'X' }], Default: 'Z' },
      'Z',
    ],
    ['takes a literal condition', { Choices: [{ Condition: true, Next: 'X' }], Default: 'Z' }, 'X'],
    [
      'combines conditions with and, or and $not',
      {
        Choices: [
          {
            Condition: "{% $states.input.flag and ($not($states.input.n = 5) or $states.input.kind = 'b') %}",
            Next: 'X',
          },
        ],
        Default: 'Z',
      },
      'X',
    ],
    [
      'asks for what may be missing with $exists',
      { Choices: [{ Condition: '{% $exists($states.input.no) %}', Next: 'X' }], Default: 'Y' },
      'Y',
    ],
    [
      'takes a comparison with something missing for false',
      { Choices: [{ Condition: '{% $states.input.no = 5 %}', Next: 'X' }], Default: 'Y' },
      'Y',
    ],
  ])('%s', async (_, choice, branch) => {
    expect(await endingOf(choosing(choice), { input })).toEqual({ output: { branch, input } });
  });

  test('does not evaluate the rules after the first true one', async () => {
    const choice = {
      Choices: [
        { Condition: '{% true %}', Next: 'X' },
        { Condition: "{% $error('never asked') %}", Next: 'Y' },
      ],
    };
    expect(await endingOf(choosing(choice), { input })).toEqual({ output: { branch: 'X', input } });
  });

  test('fails with States.NoChoiceMatched if no rule is true and there is no Default', async () => {
    const ending = await endingOf(choosing({ Choices: [{ Condition: '{% false %}', Next: 'X' }] }), {
      input,
    });
    expect(ending).toMatchObject({ error: 'States.NoChoiceMatched' });
  });

  test.each<[what: string, condition: string]>([
    ['a number', '{% 1 %}'],
    ['a string', "{% 'true' %}"],
    ['null', '{% null %}'],
    ['an array', '{% [true] %}'],
    ['nothing', '{% $states.input.missing %}'],
    ['an error', '{% $states.input.n + $states.input.kind %}'],
  ])('fails with States.QueryEvaluationError when a condition gives %s', async (_, Condition) => {
    const ending = await endingOf(choosing({ Choices: [{ Condition, Next: 'X' }], Default: 'Y' }), { input });
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
  });

  test('uses the Output and Assign of the true rule, not those of the state', async () => {
    const { ending, variables } = await execute(
      choosing({
        Choices: [{ Condition: '{% true %}', Next: 'X', Output: { by: 'rule' }, Assign: { a: 'rule' } }],
        Default: 'Z',
        Output: { by: 'state' },
        Assign: { a: 'state' },
      }),
    );
    expect(ending).toEqual({ output: { branch: 'X', input: { by: 'rule' } } });
    expect(variables).toEqual({ a: 'rule' });
  });

  test('uses the Output and Assign of the state on the way to Default', async () => {
    const { ending, variables } = await execute(
      choosing({
        Choices: [{ Condition: '{% false %}', Next: 'X', Output: { by: 'rule' }, Assign: { a: 'rule' } }],
        Default: 'Z',
        Output: { by: 'state' },
        Assign: { a: 'state' },
      }),
    );
    expect(ending).toEqual({ output: { branch: 'Z', input: { by: 'state' } } });
    expect(variables).toEqual({ a: 'state' });
  });

  test('makes a loop with a variable that counts', async () => {
    const definition = definitionOf({
      Begin: { Type: 'Pass', Assign: { i: 0 }, Next: 'Again' },
      Again: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $i < 3 %}', Assign: { i: '{% $i + 1 %}' }, Next: 'Again' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed', Output: '{% $i %}' },
    });
    const { ending, entered } = await execute(definition);
    expect(ending).toEqual({ output: 3 });
    expect(entered.filter(([state]) => state === 'Again')).toHaveLength(4);
  });
});
