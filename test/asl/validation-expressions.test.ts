import { describe, test } from 'vitest';
import { expectRefused, having, inner, type Refused, task } from './refusals.ts';

describe('validateDefinition refuses wrong expressions and variables', () => {
  const wrong = '{% $states.input. %}';

  test.each<Refused>([
    [
      'an expression that does not compile',
      having({ Type: 'Pass', Output: { a: [wrong] } }),
      '/States/S/Output/a/0',
      /does not compile at character \d+: /,
    ],
    [
      'text around an expression',
      having({ Type: 'Pass', Output: '{% 1 %} ' }),
      '/States/S/Output',
      /must start with/,
    ],
    ['half an expression', having({ Type: 'Pass', Output: '{% 1' }), '/States/S/Output', /must start with/],
    [
      '$states.result where there is none',
      having({ Type: 'Pass', Output: '{% $states.result %}' }),
      '/States/S/Output',
      /\$states\.result is available/,
    ],
    [
      '$states.result in Arguments',
      having({ ...task, Arguments: ['{% $states.result.a %}'] }),
      '/States/S/Arguments/0',
      /\$states\.result is available/,
    ],
    [
      '$states.errorOutput in the Output of a Task',
      having({ ...task, Output: '{% $states.errorOutput %}' }),
      '/States/S/Output',
      /\$states\.errorOutput is available/,
    ],
    [
      '$states.result in a Catcher',
      having({ ...task, Catch: [{ ErrorEquals: ['A'], Output: '{% $states.result %}', Next: 'E' }] }),
      '/States/S/Catch/0/Output',
      /\$states\.result is available/,
    ],
    [
      'a field that $states has not',
      having({ Type: 'Pass', Output: '{% $states.inputs %}' }),
      '/States/S/Output',
      /no field ‘inputs’/,
    ],
    ['$$', having({ Type: 'Pass', Output: '{% $$.a %}' }), '/States/S/Output', /\$\$ is undefined/],
    [
      '$ at the top level',
      having({ Type: 'Pass', Output: '{% $.a %}' }),
      '/States/S/Output',
      /\$ is undefined/,
    ],
    [
      'an unqualified name',
      having({ Type: 'Pass', Output: '{% { "a": [order.total] } %}' }),
      '/States/S/Output',
      /‘order’ is undefined/,
    ],
    [
      'a wildcard of nothing',
      having({ Type: 'Pass', Output: '{% **.id %}' }),
      '/States/S/Output',
      /is undefined/,
    ],
    [
      '$eval',
      having({ Type: 'Pass', Output: "{% $eval('1') %}" }),
      '/States/S/Output',
      /\$eval is not available/,
    ],
    [
      'a variable that nothing assigns',
      having({ Type: 'Pass', Output: '{% $oder %}' }),
      '/States/S/Output',
      /\$oder is neither/,
    ],
    [
      'an Assign that is no object',
      having({ Type: 'Pass', Assign: '{% {} %}' }),
      '/States/S/Assign',
      /Assign must be an object/,
    ],
    [
      'a variable named states',
      having({ Type: 'Pass', Assign: { states: 1 } }),
      '/States/S/Assign/states',
      /reserved/,
    ],
    [
      'an invalid name',
      having({ Type: 'Pass', Assign: { 'a-b': 1 } }),
      '/States/S/Assign/a-b',
      /not a valid variable name/,
    ],
    [
      'a long name',
      having({ Type: 'Pass', Assign: { ['a'.repeat(81)]: 1 } }),
      `/States/S/Assign/${'a'.repeat(81)}`,
      /80/,
    ],
    [
      'a variable of an outer scope assigned inside',
      having({
        Type: 'Map',
        Assign: { x: 1 },
        ItemProcessor: inner({ I: { Type: 'Pass', Assign: { x: 2 }, End: true } }),
      }),
      '/States/S/ItemProcessor/States/I/Assign/x',
      /outer scope/,
    ],
    [
      'a variable of an inner scope read outside',
      having({
        Type: 'Map',
        Output: '{% $y %}',
        ItemProcessor: inner({ I: { Type: 'Pass', Assign: { y: 2 }, End: true } }),
      }),
      '/States/S/Output',
      /\$y is neither/,
    ],
  ])('%s', expectRefused);
});
