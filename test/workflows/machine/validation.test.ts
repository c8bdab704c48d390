import { describe, expect, test } from 'vitest';
import { validateDefinition } from '../../../server/src/workflows/machine/index.ts';
import { definitionOf } from './run.ts';

/** Where a document is refused, and why; nothing when it is accepted. */
function refusals(document: unknown): [path: string, message: string][] {
  const checked = validateDefinition(document);
  return 'problems' in checked ? checked.problems.map(({ path, message }) => [path, message]) : [];
}

const task = { Type: 'Task', Resource: 'wrp:http:call' };
const ends = { E: { Type: 'Succeed' } };
/** A definition whose first state, `S`, goes on to `E`. */
const having = (state: object) => definitionOf({ S: { Next: 'E', ...state }, ...ends });
const inner = (states: Record<string, object>) => ({ StartAt: Object.keys(states)[0], States: states });

describe('validateDefinition accepts', () => {
  test.each<[what: string, document: unknown]>([
    ['the smallest definition', { QueryLanguage: 'JSONata', ...inner(ends) }],
    [
      'all fields of a definition',
      { QueryLanguage: 'JSONata', Comment: 'c', Version: '1.0', TimeoutSeconds: 60, ...inner(ends) },
    ],
    [
      'a Task with everything',
      having({
        ...task,
        Comment: 'c',
        QueryLanguage: 'JSONata',
        Arguments: { url: '{% $states.input.url %}', States: 'not states', empty: '', lists: [[1, ['x']]] },
        TimeoutSeconds: 30,
        HeartbeatSeconds: '{% $states.input.beat %}',
        Assign: { code: '{% $states.result.statusCode %}' },
        Output: '{%\n  $states.result.body\n%}',
        Retry: [
          {
            ErrorEquals: ['Http.StatusCode.503', 'States.Timeout'],
            IntervalSeconds: 1,
            MaxAttempts: 0,
            BackoffRate: 1.5,
            MaxDelaySeconds: 60,
            JitterStrategy: 'FULL',
          },
          { ErrorEquals: ['States.ALL'], Comment: 'c' },
        ],
        Catch: [
          { ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Assign: { e: 1 }, Next: 'E' },
        ],
      }),
    ],
    ['every task', having({ ...task, Resource: 'wrp:callback:wait' })],
    [
      'a Choice',
      definitionOf({
        S: {
          Type: 'Choice',
          Choices: [
            { Condition: '{% $states.input.a = 1 %}', Assign: { a: 1 }, Output: 1, Next: 'E', Comment: 'c' },
            { Condition: true, Next: 'S' },
          ],
          Default: 'E',
        },
        ...ends,
      }),
    ],
    ['a Wait until a Timestamp', having({ Type: 'Wait', Timestamp: '2027-03-01T09:00:00Z' })],
    ['a Wait of an expression', having({ Type: 'Wait', Seconds: '{% $states.input.s %}' })],
    ['a Fail with expressions', definitionOf({ S: { Type: 'Fail', Error: "{% 'a' %}", Cause: 'b' } })],
    ['an Output that is an array or a number', having({ Type: 'Pass', Output: [1, ['{% 2 %}']] })],
    [
      'a Map and a Parallel in each other',
      having({
        Type: 'Map',
        Items: '{% $states.input %}',
        ItemSelector: '{% $states.context.Map.Item.Value %}',
        MaxConcurrency: 3,
        ToleratedFailureCount: '{% 1 %}',
        ToleratedFailurePercentage: 12.5,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          ...inner({
            P: {
              Type: 'Parallel',
              Arguments: [1],
              Branches: [
                { Comment: 'c', ...inner({ A: { Type: 'Pass', End: true } }) },
                inner({ B: { Type: 'Succeed' } }),
              ],
              End: true,
            },
          }),
        },
      }),
    ],
    [
      'variables that are read in the scopes inside, and equal names in scopes beside each other',
      definitionOf({
        A: { Type: 'Pass', Assign: { x: 1 }, Next: 'P' },
        P: {
          Type: 'Parallel',
          Branches: [
            inner({ B: { Type: 'Pass', Assign: { y: '{% $x %}' }, End: true } }),
            inner({ C: { Type: 'Pass', Assign: { y: '{% $x %}' }, End: true } }),
          ],
          End: true,
        },
      }),
    ],
    [
      'variables, functions and contexts of an expression’s own',
      having({
        Type: 'Pass',
        Output:
          '{% ($f := function($a, $b) { $a + $b }; $l := $states.input.list[price > 1 and $.open].(name & $f(1, 2)); $l ~> $map(function($v, $i) { $i })) %}',
      }),
    ],
    [
      'joins of JSONata',
      having({ Type: 'Pass', Output: '{% $states.input.a@$x.b#$i[$x.id = id].{"x": $x, "i": $i} %}' }),
    ],
    [
      'names that objects have of themselves',
      JSON.parse(
        '{"QueryLanguage":"JSONata","StartAt":"__proto__","States":{"__proto__":{"Type":"Pass","Assign":{"constructor":1,"__proto__":2},"Next":"toString"},"toString":{"Type":"Succeed","Output":"{% $constructor %}"}}}',
      ),
    ],
  ])('%s', (_, document) => {
    expect(refusals(document)).toEqual([]);
  });
});

describe('validateDefinition refuses', () => {
  const wrong = '{% $states.input. %}';

  test.each<[what: string, document: unknown, path: string, message: string | RegExp]>([
    ['what is no object', [], '', 'A definition is an object'],
    ['a definition without QueryLanguage', inner(ends), '', /JSONPath/],
    ['JSONPath', { QueryLanguage: 'JSONPath', ...inner(ends) }, '/QueryLanguage', /JSONPath is not/],
    [
      'JSONPath in a state',
      having({ Type: 'Pass', QueryLanguage: 'JSONPath' }),
      '/States/S/QueryLanguage',
      /JSONPath is not/,
    ],
    ['another version', { ...having({ Type: 'Pass' }), Version: '2.0' }, '/Version', 'Must be "1.0"'],
    ['a field that is none', { ...having({ Type: 'Pass' }), Sates: {} }, '/Sates', /no field Sates/],
    ['no StartAt', { QueryLanguage: 'JSONata', States: ends }, '', 'StartAt is missing'],
    ['a StartAt that is no state', definitionOf(ends, 'X'), '/StartAt', /no state ‘X’/],
    ['no States', { QueryLanguage: 'JSONata', StartAt: 'E' }, '', 'States is missing'],
    ['empty States', { QueryLanguage: 'JSONata', StartAt: 'E', States: {} }, '/States', /at least one state/],
    [
      'a state that is none',
      definitionOf({ ...ends, S: 'x' as unknown as object }, 'E'),
      '/States/S',
      'A state is an object',
    ],
    ['an unknown Type', having({ Type: 'Lambda' }), '/States/S/Type', /one of Task/],
    [
      'a name of more than 80 characters',
      definitionOf({ ['x'.repeat(81)]: { Type: 'Succeed' } }),
      `/States/${'x'.repeat(81)}`,
      /80/,
    ],
    [
      'a slash in a name: the pointer escapes it',
      definitionOf({ 'a/~b': { Type: 'Succeed', X: 1 } }),
      '/States/a~1~0b/X',
      /no field X/,
    ],
    ['a way to no state', having({ Type: 'Pass', Next: 'X' }), '/States/S/Next', /no state ‘X’/],
    [
      'a rule’s way to no state',
      definitionOf({
        S: { Type: 'Choice', Choices: [{ Condition: true, Next: 'X' }], Default: 'E' },
        ...ends,
      }),
      '/States/S/Choices/0/Next',
      /no state ‘X’/,
    ],
    [
      'a Catcher’s way to no state',
      having({ ...task, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'X' }] }),
      '/States/S/Catch/0/Next',
      /no state ‘X’/,
    ],
    [
      'a state that no way leads to',
      definitionOf({ E: { Type: 'Succeed' }, S: { Type: 'Pass', Next: 'E' } }),
      '/States/S',
      'No way leads to this state',
    ],
    [
      'states that only lead to each other',
      definitionOf({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } }),
      '/States',
      /None of the states ends/,
    ],
    ['both Next and End', having({ Type: 'Pass', End: true }), '/States/S', /exactly one of Next and End/],
    [
      'neither Next nor End',
      definitionOf({ S: { Type: 'Pass' } }),
      '/States/S',
      /exactly one of Next and End/,
    ],
    [
      'End that is not true',
      definitionOf({ S: { Type: 'Pass', End: false } }),
      '/States/S/End',
      'Must be true',
    ],
    [
      'a Choice with Next',
      definitionOf({ S: { Type: 'Choice', Choices: [{ Condition: true, Next: 'E' }], Next: 'E' }, ...ends }),
      '/States/S/Next',
      /no field Next/,
    ],
    [
      'a Succeed with End',
      definitionOf({ S: { Type: 'Succeed', End: true } }),
      '/States/S/End',
      /no field End/,
    ],
    [
      'a Fail with Output',
      definitionOf({ S: { Type: 'Fail', Output: 1 } }),
      '/States/S/Output',
      /no field Output/,
    ],
    [
      'a Pass with Arguments',
      having({ Type: 'Pass', Arguments: {} }),
      '/States/S/Arguments',
      /no field Arguments/,
    ],
    ['a Wait without a time', having({ Type: 'Wait' }), '/States/S', /exactly one of Seconds and Timestamp/],
    [
      'a Wait with two',
      having({ Type: 'Wait', Seconds: 1, Timestamp: '2027-03-01T09:00:00Z' }),
      '/States/S',
      /exactly one of Seconds and Timestamp/,
    ],
    [
      'negative Seconds',
      having({ Type: 'Wait', Seconds: -1 }),
      '/States/S/Seconds',
      'Must be an integer from 0 to 99999999',
    ],
    [
      'a Timestamp that is none',
      having({ Type: 'Wait', Timestamp: 'tomorrow' }),
      '/States/S/Timestamp',
      /RFC 3339/,
    ],
    [
      'a Choice without rules',
      definitionOf({ S: { Type: 'Choice', Choices: [], Default: 'E' }, ...ends }),
      '/States/S/Choices',
      /at least one rule/,
    ],
    [
      'a Condition that is a string',
      definitionOf({ S: { Type: 'Choice', Choices: [{ Condition: 'yes', Next: 'E' }] }, ...ends }),
      '/States/S/Choices/0/Condition',
      /JSONata string or a boolean/,
    ],
    [
      'another Resource',
      having({ ...task, Resource: 'arn:aws:states:::lambda:invoke' }),
      '/States/S/Resource',
      /no supported task: wrp:http:call/,
    ],
    [
      'a Resource that is an expression',
      having({ ...task, Resource: "{% 'wrp:http:call' %}" }),
      '/States/S/Resource',
      /no supported task/,
    ],
    ['no Resource', having({ Type: 'Task' }), '/States/S', 'Resource is missing'],
    ['a timeout of 0', having({ ...task, TimeoutSeconds: 0 }), '/States/S/TimeoutSeconds', /from 1/],
    [
      'a heartbeat above the timeout',
      having({ ...task, TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
      '/States/S/HeartbeatSeconds',
      /smaller than TimeoutSeconds/,
    ],
    [
      'a heartbeat above the timeout by default',
      having({ ...task, HeartbeatSeconds: 60 }),
      '/States/S/HeartbeatSeconds',
      /which is 60/,
    ],
    ['Credentials', having({ ...task, Credentials: {} }), '/States/S/Credentials', /not supported/],
    ['no ErrorEquals', having({ ...task, Retry: [{}] }), '/States/S/Retry/0', 'ErrorEquals is missing'],
    [
      'an empty ErrorEquals',
      having({ ...task, Retry: [{ ErrorEquals: [] }] }),
      '/States/S/Retry/0/ErrorEquals',
      /at least one/,
    ],
    [
      'States.ALL with others',
      having({ ...task, Retry: [{ ErrorEquals: ['States.ALL', 'A'] }] }),
      '/States/S/Retry/0/ErrorEquals',
      'States.ALL stands alone',
    ],
    [
      'States.ALL before others',
      having({ ...task, Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['A'] }] }),
      '/States/S/Retry/0',
      /last/,
    ],
    [
      'a reserved error that is none',
      having({ ...task, Retry: [{ ErrorEquals: ['States.TimeOut'] }] }),
      '/States/S/Retry/0/ErrorEquals/0',
      /no error States.TimeOut/,
    ],
    [
      'an interval of 0',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 0 }] }),
      '/States/S/Retry/0/IntervalSeconds',
      /from 1/,
    ],
    [
      'a BackoffRate below 1',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], BackoffRate: 0.5 }] }),
      '/States/S/Retry/0/BackoffRate',
      'Must be a number not below 1',
    ],
    [
      'another JitterStrategy',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], JitterStrategy: 'HALF' }] }),
      '/States/S/Retry/0/JitterStrategy',
      'Must be "FULL" or "NONE"',
    ],
    ['a Retry in a Pass', having({ Type: 'Pass', Retry: [] }), '/States/S/Retry', /no field Retry/],
    [
      'a Catcher without Next',
      having({ ...task, Catch: [{ ErrorEquals: ['A'] }] }),
      '/States/S/Catch/0',
      'Next is missing',
    ],
    [
      'a Fail with a reserved error',
      definitionOf({ S: { Type: 'Fail', Error: 'States.Mine' } }),
      '/States/S/Error',
      /language’s own/,
    ],
    [
      'a Parallel without branches',
      having({ Type: 'Parallel', Branches: [] }),
      '/States/S/Branches',
      /at least one branch/,
    ],
    [
      'a way out of a branch',
      having({
        Type: 'Parallel',
        Branches: [inner({ A: { Type: 'Pass', Next: 'E' }, B: { Type: 'Succeed' } })],
      }),
      '/States/S/Branches/0/States/A/Next',
      /no state ‘E’/,
    ],
    [
      'a name that is used in a branch again',
      having({ Type: 'Parallel', Branches: [inner(ends)] }),
      '/States/E',
      /unique in the whole definition/,
    ],
    ['a Map without ItemProcessor', having({ Type: 'Map' }), '/States/S', 'ItemProcessor is missing'],
    [
      'Items that are an object',
      having({ Type: 'Map', Items: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/Items',
      /array or a JSONata string/,
    ],
    [
      'a percentage above 100',
      having({
        Type: 'Map',
        ToleratedFailurePercentage: 101,
        ItemProcessor: inner({ I: { Type: 'Succeed' } }),
      }),
      '/States/S/ToleratedFailurePercentage',
      /to 100/,
    ],
    [
      'the distributed Map',
      having({
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          ...inner({ I: { Type: 'Succeed' } }),
        },
      }),
      '/States/S/ItemProcessor/ProcessorConfig',
      /distributed Map is not supported/,
    ],
    [
      'ItemReader',
      having({ Type: 'Map', ItemReader: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ItemReader',
      /distributed Map/,
    ],
    [
      'ItemBatcher',
      having({ Type: 'Map', ItemBatcher: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ItemBatcher',
      /distributed Map/,
    ],
    [
      'ResultWriter',
      having({ Type: 'Map', ResultWriter: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ResultWriter',
      /distributed Map/,
    ],
    [
      'Iterator',
      having({ Type: 'Map', Iterator: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/Iterator',
      /ItemProcessor/,
    ],
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
      /nothing around/,
    ],
    ['half an expression', having({ Type: 'Pass', Output: '{% 1' }), '/States/S/Output', /begins with/],
    [
      '$states.result where there is none',
      having({ Type: 'Pass', Output: '{% $states.result %}' }),
      '/States/S/Output',
      /\$states\.result is there/,
    ],
    [
      '$states.result in Arguments',
      having({ ...task, Arguments: ['{% $states.result.a %}'] }),
      '/States/S/Arguments/0',
      /\$states\.result is there/,
    ],
    [
      '$states.errorOutput in the Output of a Task',
      having({ ...task, Output: '{% $states.errorOutput %}' }),
      '/States/S/Output',
      /\$states\.errorOutput is there/,
    ],
    [
      '$states.result in a Catcher',
      having({ ...task, Catch: [{ ErrorEquals: ['A'], Output: '{% $states.result %}', Next: 'E' }] }),
      '/States/S/Catch/0/Output',
      /\$states\.result is there/,
    ],
    [
      'a field that $states has not',
      having({ Type: 'Pass', Output: '{% $states.inputs %}' }),
      '/States/S/Output',
      /no field ‘inputs’/,
    ],
    ['$$', having({ Type: 'Pass', Output: '{% $$.a %}' }), '/States/S/Output', /\$\$ refers to nothing/],
    [
      '$ at the top level',
      having({ Type: 'Pass', Output: '{% $.a %}' }),
      '/States/S/Output',
      /\$ refers to nothing/,
    ],
    [
      'an unqualified name',
      having({ Type: 'Pass', Output: '{% { "a": [order.total] } %}' }),
      '/States/S/Output',
      /‘order’ refers to nothing/,
    ],
    [
      'a wildcard of nothing',
      having({ Type: 'Pass', Output: '{% **.id %}' }),
      '/States/S/Output',
      /refers to nothing/,
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
      /Assign is an object/,
    ],
    [
      'a variable named states',
      having({ Type: 'Pass', Assign: { states: 1 } }),
      '/States/S/Assign/states',
      /reserved/,
    ],
    [
      'a name that is none',
      having({ Type: 'Pass', Assign: { 'a-b': 1 } }),
      '/States/S/Assign/a-b',
      /no name for a variable/,
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
  ])('%s', (_, document, path, message) => {
    const found = refusals(document);
    expect(found.map(([where]) => where)).toContain(path);
    expect(found.filter(([where]) => where === path).map(([, why]) => why)).toContainEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test.each(
    [
      [
        'InputPath',
        'OutputPath',
        'ResultPath',
        'ResultSelector',
        'Parameters',
        'Result',
        'SecondsPath',
        'TimestampPath',
      ],
      [
        'TimeoutSecondsPath',
        'HeartbeatSecondsPath',
        'ErrorPath',
        'CausePath',
        'ItemsPath',
        'MaxConcurrencyPath',
      ],
      [
        'ToleratedFailureCountPath',
        'ToleratedFailurePercentagePath',
        'Variable',
        'And',
        'StringEquals',
        'IsPresent',
      ],
    ].flat(),
  )('the JSONPath field %s, with what to use instead', (field) => {
    const found = refusals(having({ Type: 'Pass', [field]: '$.a' }));
    expect(found).toContainEqual([
      `/States/S/${field}`,
      expect.stringMatching(/JSONPath, which is not supported; (use|read|write)/),
    ]);
  });

  test('everything at once, with a pointer for each', () => {
    const found = refusals({
      StartAt: 'A',
      States: {
        A: { Type: 'Pass', Parameters: {}, Output: '{% 1 + %}', Next: 'B' },
        B: { Type: 'Task', Resource: 'arn:x', End: true, Retry: [{ ErrorEquals: [] }] },
        C: { Type: 'Wait', End: true },
      },
    });
    expect(found.map(([path]) => path)).toEqual([
      '',
      '/States/A/Parameters',
      '/States/A/Output',
      '/States/B/Resource',
      '/States/B/Retry/0/ErrorEquals',
      '/States/C',
      '/States/C',
    ]);
  });
});

describe('a hostile document is refused', () => {
  const nested = (levels: number, wrap: (value: unknown) => unknown) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  };

  test('nested 100,000 deep', () => {
    const document = having({ Type: 'Pass', Output: nested(100_000, (value) => [value]) });
    expect(refusals(document)).toEqual([['', 'A definition is not nested deeper than 100 levels']]);
  });

  test.each<[what: string, expression: string]>([
    ['parentheses', `{% ${'('.repeat(50_000)}1${')'.repeat(50_000)} %}`],
    ['arrays', `{% ${'['.repeat(50_000)}${']'.repeat(50_000)} %}`],
    ['signs', `{% ${'-'.repeat(100_000)}1 %}`],
  ])('an expression of nested %s', (_, Output) => {
    expect(refusals(having({ Type: 'Pass', Output }))).toEqual([
      ['/States/S/Output', expect.stringContaining('does not compile')],
    ]);
  });

  test.each([null, undefined, 1, 'x', true, [], [[]]])('%j', (document) => {
    expect(refusals(document)).toHaveLength(1);
  });

  test('with the wrong types everywhere: told, never thrown', () => {
    const values = [null, 1, 'x', [], {}, [1], { a: 1 }, ['x'], [{}], true];
    const fields =
      'Type Next End Output Assign Arguments Retry Catch Choices Default Branches ItemProcessor Items'.split(
        ' ',
      );
    for (const Type of ['Task', 'Pass', 'Choice', 'Wait', 'Succeed', 'Fail', 'Parallel', 'Map']) {
      for (const field of fields) {
        for (const value of values) {
          expect(() => validateDefinition(definitionOf({ S: { Type, [field]: value } }))).not.toThrow();
        }
      }
    }
    for (const value of values) {
      for (const field of ['StartAt', 'States', 'Comment', 'TimeoutSeconds', 'Version', 'QueryLanguage']) {
        expect(() => validateDefinition({ ...having({ Type: 'Pass' }), [field]: value })).not.toThrow();
      }
    }
  });
});

test('the tasks that are supported can be told', () => {
  const definition = having({ ...task, Resource: 'other:task' });
  expect(validateDefinition(definition, new Set(['other:task']))).toEqual({ definition });
});
