import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute } from './run.ts';

const task = { Type: 'Task', Resource: 'wrp:http:call' };
const succeed = (Output: unknown) => ({ Type: 'Succeed', Output });

describe('Assign', () => {
  test.each<[what: string, fields: object, value: unknown]>([
    ['a literal', { Assign: { v: [1, { a: 'x' }] } }, [1, { a: 'x' }]],
    ['an expression', { Assign: { v: '{% $states.input.n + 1 %}' } }, 6],
    ['null', { Assign: { v: null } }, null],
    ['parts of an object', { Assign: { v: { a: '{% $states.input.n %}', b: 2 } } }, { a: 5, b: 2 }],
    ['a name of any script', { Assign: { größe_1: 4, v: 1 } }, 1],
    ['a name that objects have of themselves', { Assign: { constructor: 1, v: 2 } }, 2],
  ])('sets a variable to %s', async (_, fields, value) => {
    const definition = definitionOf({ S: { Type: 'Pass', ...fields, Next: 'E' }, E: succeed('{% $v %}') });
    expect(await endingOf(definition, { input: { n: 5 } })).toEqual({ output: value });
  });

  test('treats the variable __proto__ like any other', async () => {
    const Assign = JSON.parse('{"__proto__": 3}');
    const definition = definitionOf({
      S: { Type: 'Pass', Assign, Next: 'E' },
      E: succeed('{% $__proto__ %}'),
    });
    expect(await endingOf(definition)).toEqual({ output: 3 });
  });

  test('evaluates all new values before it sets any: two variables can be swapped', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1, y: 2 }, Next: 'B' },
      B: { Type: 'Pass', Assign: { x: '{% $y %}', y: '{% $x %}' }, Next: 'E' },
      E: succeed(['{% $x %}', '{% $y %}']),
    });
    expect(await endingOf(definition)).toEqual({ output: [2, 1] });
  });

  test('takes effect in the next state: Output sees the previous values', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 'old' }, Next: 'B' },
      B: { Type: 'Pass', Assign: { x: 'new' }, Output: '{% $x %}', Next: 'E' },
      E: succeed(['{% $states.input %}', '{% $x %}']),
    });
    expect(await endingOf(definition)).toEqual({ output: ['old', 'new'] });
  });

  test('a variable that no state has set yet is undefined', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1 }, Output: '{% $x %}', Next: 'E' },
      E: succeed('{% $x %}'),
    });
    expect(await endingOf(definition)).toMatchObject({ error: 'States.QueryEvaluationError' });
  });

  test('keeps its value through all states until it is set again', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1, keep: 'k' }, Output: {}, Next: 'B' },
      B: { Type: 'Wait', Seconds: 1, Assign: { x: '{% $x + 1 %}' }, Next: 'C' },
      C: { ...task, Assign: { x: '{% $x + $states.result.add %}' }, Next: 'E' },
      E: succeed(['{% $x %}', '{% $keep %}']),
    });
    expect(await endingOf(definition, { tasks: { C: [{ result: { add: 10 } }] } })).toEqual({
      output: [12, 'k'],
    });
  });

  test('does not happen if the state fails', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1 }, Next: 'B' },
      B: { ...task, Assign: { x: 2 }, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'E' }], Next: 'E' },
      E: succeed('{% $x %}'),
    });
    expect(await endingOf(definition, { tasks: { B: [{ error: 'Mine' }] } })).toEqual({ output: 1 });
  });

  test('sees result and input in a Task', async () => {
    const definition = definitionOf({
      A: {
        ...task,
        Assign: { r: '{% $states.result.a %}', i: '{% $states.input.n %}' },
        Output: 'out',
        Next: 'E',
      },
      E: succeed(['{% $r %}', '{% $i %}', '{% $states.input %}']),
    });
    expect(await endingOf(definition, { input: { n: 5 }, tasks: { A: [{ result: { a: 7 } }] } })).toEqual({
      output: [7, 5, 'out'],
    });
  });

  test('a variable of an expression is not a variable of the execution', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1 }, Next: 'B' },
      B: { Type: 'Pass', Output: '{% ($x := 5; $x) %}', Next: 'E' },
      E: succeed(['{% $states.input %}', '{% $x %}']),
    });
    expect(await endingOf(definition)).toEqual({ output: [5, 1] });
  });

  test('fails with States.QueryEvaluationError and sets nothing if a value fails', async () => {
    const definition = definitionOf({
      S: { Type: 'Pass', Assign: { a: 1, b: '{% $states.input.missing %}' }, End: true },
    });
    const { ending, variables } = await execute(definition);
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    expect(variables).toEqual({});
  });
});

describe('scopes of variables', () => {
  const inner = (states: Record<string, object>) => ({ StartAt: Object.keys(states)[0], States: states });

  /** A Parallel and a Map, whose branches and iterations must behave alike. */
  const forks: [name: string, fork: (states: Record<string, object>) => object][] = [
    ['Parallel', (states) => ({ Type: 'Parallel', Branches: [inner(states)] })],
    ['Map', (states) => ({ Type: 'Map', Items: [1], ItemProcessor: inner(states) })],
  ];

  test.each(forks)('a state inside a %s reads the variables around it', async (_, fork) => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 'outer' }, Next: 'F' },
      F: { ...fork({ I: succeed('{% $x %}') }), End: true },
    });
    expect(await endingOf(definition)).toEqual({ output: ['outer'] });
  });

  test.each(forks)('variables set inside a %s exist only there', async (_, fork) => {
    const definition = definitionOf({
      F: {
        ...fork({ I: { Type: 'Pass', Assign: { y: 1 }, Next: 'J' }, J: succeed('{% $y %}') }),
        Next: 'E',
      },
      E: succeed(['{% $states.input %}', '{% $exists($y) %}']),
    });
    expect(await endingOf(definition)).toEqual({ output: [[1], false] });
  });

  test.each(forks)('a %s sets variables of its own scope from the result', async (_, fork) => {
    const definition = definitionOf({
      F: { ...fork({ I: succeed('inner') }), Assign: { x: '{% $states.result[0] %}' }, Next: 'E' },
      E: succeed('{% $x %}'),
    });
    expect(await endingOf(definition)).toEqual({ output: 'inner' });
  });

  test.each(forks)('a state inside a %s cannot set a variable around it', async (_, fork) => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 'outer' }, Next: 'F' },
      F: { ...fork({ I: { Type: 'Pass', Assign: { x: 'inner' }, End: true } }), End: true },
    });
    expect(await endingOf(definition)).toMatchObject({ error: 'States.Runtime' });
  });

  test('branches and iterations do not see each other’s variables', async () => {
    const branch = (name: string) =>
      inner({
        [name]: { Type: 'Pass', Assign: { y: name }, Next: `${name}2` },
        [`${name}2`]: succeed('{% $y %}'),
      });
    const parallel = definitionOf({
      F: { Type: 'Parallel', Branches: [branch('A'), branch('B')], End: true },
    });
    expect(await endingOf(parallel)).toEqual({ output: ['A', 'B'] });
    const map = definitionOf({
      F: {
        Type: 'Map',
        Items: [1, 2],
        ItemProcessor: inner({
          I: { Type: 'Pass', Output: '{% $exists($y) %}', Assign: { y: 1 }, Next: 'J' },
          J: { Type: 'Succeed' },
        }),
        End: true,
      },
    });
    expect(await endingOf(map)).toEqual({ output: [false, false] });
  });

  test('variables are read through every scope in between', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { x: 1 }, Next: 'F' },
      F: {
        Type: 'Parallel',
        Branches: [
          inner({
            B: { Type: 'Pass', Assign: { y: 2 }, Next: 'M' },
            M: {
              Type: 'Map',
              Items: ['{% $x + $y %}'],
              ItemProcessor: inner({ I: succeed(['{% $x %}', '{% $y %}', '{% $states.input %}']) }),
              End: true,
            },
          }),
        ],
        End: true,
      },
    });
    expect(await endingOf(definition)).toEqual({ output: [[[1, 2, 3]]] });
  });
});
