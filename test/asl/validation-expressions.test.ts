import { describe, expect, test } from 'vitest';
import { warningsOf } from '../../server/asl/validate.ts';
import { expectRefused, having, inner, type Refused, refusals, task } from './refusals.ts';

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

describe('warningsOf reports a field that the context object never has', () => {
  /** A task within a Map, which has all fields of the context object. */
  const inMap = (state: object) =>
    having({
      Type: 'Map',
      ItemProcessor: inner({ I: { ...task, Next: 'F', ...state }, F: { Type: 'Succeed' } }),
    });
  const execution =
    '$states.context.Execution has no field ‘RoleArn’; the fields here are Id, Input, Name, StartTime';

  test.each<[expression: string, message: string]>([
    ['$states.context.Execution.RoleArn', execution],
    ["'as ' & $states.context.Execution.RoleArn", execution],
    ['$map([1], function($n) { $states.context.Execution.RoleArn })', execution],
    ['$states.context.`Execution`."RoleArn"', execution],
    [
      '$states.context.Execution.Redrive.Count',
      '$states.context.Execution has no field ‘Redrive’; the fields here are Id, Input, Name, StartTime',
    ],
    [
      '$states.context.Region',
      '$states.context has no field ‘Region’; the fields here are Execution, State, StateMachine, Task, Map',
    ],
    ['$states.context.Task.Tokn', '$states.context.Task has no field ‘Tokn’; the fields here are Token'],
    [
      '$states.context.Map.Item.Key',
      '$states.context.Map.Item has no field ‘Key’; the fields here are Index, Value',
    ],
  ])('%s', (expression, message) => {
    const document = inMap({ Catch: [{ ErrorEquals: ['A'], Output: [`{% ${expression} %}`], Next: 'F' }] });
    const path = '/States/S/ItemProcessor/States/I/Catch/0/Output/0';
    expect(warningsOf(document)).toEqual([{ path, message }]);
    expect(refusals(document)).toEqual([]);
  });

  test.each([
    '$states.context',
    '$states.context.Execution',
    '$states.context.Execution.Input.parameters.x',
    '$states.context.Execution.Id.x',
    '$states.context.Execution.StartTime & $states.context.Execution.Name',
    '$states.context.State.(Name & EnteredTime & RetryCount)',
    '$states.context.StateMachine.(Id & Name)',
    '$states.context.Task.Token',
    '$states.context.Map.Item.(Index & Value.x)',
    '$states.context.*.Id',
    '$states.input.context.Execution.RoleArn',
    '$lookup($states.context.Execution, "RoleArn")',
  ])('but not %s', (expression) => {
    expect(warningsOf(inMap({ Output: `{% ${expression} %}` }))).toEqual([]);
  });

  test('nor what does not compile', () => {
    expect(warningsOf(having({ Type: 'Pass', Output: '{% $states.context.Region. %}' }))).toEqual([]);
  });
});
