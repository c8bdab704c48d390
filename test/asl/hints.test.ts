import { describe, expect, test } from 'vitest';
import { bounds } from '../../server/asl/fields.ts';
import { ends, having, inner, refusals, task } from './refusals.ts';
import { definitionOf, endingOf, only } from './run.ts';

const output = (source: string) => having({ Type: 'Pass', Output: `{% ${source} %}` });
const assigning = (source: string) =>
  definitionOf({
    A: { Type: 'Pass', Assign: { order: { total: 1 } }, Next: 'S' },
    S: { Type: 'Pass', Output: `{% ${source} %}`, Next: 'E' },
    ...ends,
  });

describe('what a message proposes is accepted', () => {
  test.each<[what: string, refused: object, message: string | RegExp, followed: object[]]>([
    [
      'a plain name',
      output('order.total'),
      '‘order’ is undefined here: use $states.input.order, or $order for a variable or function of that name',
      [output('$states.input.order.total'), assigning('$order.total')],
    ],
    [
      'a function without $',
      output('sum([1])'),
      '‘sum’ is undefined here: use $states.input.sum, or $sum for a variable or function of that name',
      [output('$sum([1])')],
    ],
    [
      'a name with a space',
      output('`order id`'),
      '‘order id’ is undefined here: use $states.input.`order id`',
      [output('$states.input.`order id`')],
    ],
    ['a wildcard', output('*'), '‘*’ is undefined here: use $states.input.*', [output('$states.input.*')]],
    [
      'a wildcard of all levels',
      output('**.id'),
      '‘**’ is undefined here: use $states.input.**',
      [output('$states.input.**.id')],
    ],
    [
      'undefined as an argument',
      output('$fromMillis(0, undefined, "+0500")'),
      'JSONata has no ‘undefined’: write () for an argument that is left out',
      [output('$fromMillis(0, (), "+0500")')],
    ],
    ['$$', output('$$.a'), /\$\$ is undefined: .*; use \$states\.input$/, [output('$states.input.a')]],
    ['$', output('$.a'), '$ is undefined here: use $states.input', [output('$states.input.a')]],
    ['$eval', output("$eval('1')"), '$eval is not available; use $parse for JSON', [output("$parse('1')")]],
    [
      'an unknown field of $states',
      output('$states.inputs'),
      '$states has no field ‘inputs’; the fields here are input, context',
      [output('$states.input'), output('$states.context')],
    ],
    [
      'an unknown field of $states in the Output of a Task',
      having({ ...task, Output: '{% $states.output %}' }),
      '$states has no field ‘output’; the fields here are input, context, result',
      ['input', 'context', 'result'].map((field) => having({ ...task, Output: `{% $states.${field} %}` })),
    ],
    [
      '$states.result where there is none',
      output('$states.result'),
      '$states.result is available in the Output and Assign of Task, Parallel and Map only',
      [
        having({ ...task, Output: '{% $states.result %}', Assign: { r: '{% $states.result %}' } }),
        having({
          Type: 'Map',
          ItemProcessor: inner({ I: { Type: 'Succeed' } }),
          Output: '{% $states.result %}',
        }),
      ],
    ],
    [
      '$states.errorOutput where there is none',
      output('$states.errorOutput'),
      '$states.errorOutput is available in the Output and Assign of a Catcher only',
      [
        having({
          ...task,
          Catch: [
            {
              ErrorEquals: ['A'],
              Output: '{% $states.errorOutput %}',
              Assign: { e: '{% $states.errorOutput %}' },
              Next: 'E',
            },
          ],
        }),
      ],
    ],
    ...[
      'Hello {% 1+1 %}',
      'Hello {% 1+1 %} items',
      '{% 1+1 %} items',
      '{% 1 %} and {% 2 %}',
      '{% 1',
      '50 %}',
    ].map((text): [string, object, RegExp, object[]] => [
      text,
      having({ Type: 'Pass', Output: { text } }),
      /^A JSONata string must start with \{% and end with %\}; put text into the expression/,
      [output("'Hello ' & (1+1) & ' items'"), output("'50 %}'"), output("'Hello {% 1+1 %} items'")],
    ]),
    [
      'no end',
      definitionOf({ A: { Type: 'Pass', Next: 'A' } }),
      'No state ends the scope: add "End": true, or a Succeed or Fail state',
      [
        definitionOf({ A: { Type: 'Pass', End: true } }),
        definitionOf({ A: { Type: 'Pass', Next: 'E' }, ...ends }),
        definitionOf({ A: { Type: 'Pass', Next: 'E' }, E: { Type: 'Fail' } }),
      ],
    ],
    [
      'no query language',
      { StartAt: 'E', States: ends },
      /add "QueryLanguage": "JSONata"/,
      [{ QueryLanguage: 'JSONata', StartAt: 'E', States: ends }],
    ],
    [
      'a distributed Map',
      having({
        Type: 'Map',
        ItemProcessor: { ...inner({ I: { Type: 'Succeed' } }), ProcessorConfig: { Mode: 'DISTRIBUTED' } },
      }),
      'Must be {"Mode": "INLINE"}; the distributed Map is not supported',
      [
        having({
          Type: 'Map',
          ItemProcessor: { ...inner({ I: { Type: 'Succeed' } }), ProcessorConfig: { Mode: 'INLINE' } },
        }),
      ],
    ],
    [
      'a timestamp without a zone',
      having({ Type: 'Wait', Timestamp: '2027-03-01T09:00:00' }),
      'Must be an RFC 3339 timestamp such as 2027-03-01T09:00:00Z, or a JSONata string',
      ['2027-03-01T09:00:00Z', '{% $now() %}'].map((Timestamp) => having({ Type: 'Wait', Timestamp })),
    ],
    [
      'seconds out of bounds',
      having({ Type: 'Wait', Seconds: -1 }),
      /^Must be an integer from 0 to 2592000, /,
      [bounds.waitSeconds.minimum, bounds.waitSeconds.maximum].map((Seconds) =>
        having({ Type: 'Wait', Seconds }),
      ),
    ],
  ])('%s', (_, refused, message, followed) => {
    expect(refusals(refused).map(([, found]) => found)).toContainEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(followed.flatMap(refusals)).toEqual([]);
  });

  test('() leaves out an argument', async () => {
    const state = { Type: 'Pass', Output: '{% $fromMillis(0, (), "+0500") %}' };
    expect(await endingOf(only(state))).toEqual({ output: '1970-01-01T05:00:00.000+05:00' });
  });
});

describe('the alternative to a field that is not supported is a field of the state', () => {
  const states: Record<string, object> = {
    Task: task,
    Pass: {},
    Choice: { Choices: [{ Condition: true, Next: 'E' }] },
    Wait: { Seconds: 1 },
    Succeed: {},
    Fail: {},
    Parallel: { Branches: [inner({ I: { Type: 'Succeed' } })] },
    Map: { ItemProcessor: inner({ I: { Type: 'Succeed' } }) },
  };
  const paths =
    `Seconds Timestamp TimeoutSeconds HeartbeatSeconds Error Cause MaxConcurrency ToleratedFailureCount
    ToleratedFailurePercentage`.split(/\s+/);
  const fields =
    `InputPath OutputPath ResultPath ResultSelector Parameters Result ItemsPath Variable And Or Not
    NumericEquals ${paths.map((field) => `${field}Path`).join(' ')}`.split(/\s+/);
  const sampleOf = (field: string) => {
    if (field.endsWith('Seconds')) return field === 'HeartbeatSeconds' ? 1 : 2;
    if (field === 'Items') return [];
    if (field === 'Assign') return {};
    if (field === 'Timestamp') return '{% $now() %}';
    if (/^(Max|Tolerated)/.test(field)) return 1;
    return 'x';
  };
  const definition = (Type: string, more: object): object => {
    const state = { Type, ...states[Type], ...more };
    const isEnd = Type === 'Succeed' || Type === 'Fail';
    return definitionOf({
      S: isEnd || Type === 'Choice' ? state : { ...state, Next: 'E' },
      ...(!isEnd && ends),
    });
  };

  test.each(Object.keys(states).flatMap((type) => fields.map((field) => [type, field] as const)))(
    '%s: %s',
    (type, field) => {
      const found = refusals(definition(type, { [field]: '$.x' }));
      expect(found).toEqual([[`/States/S/${field}`, expect.stringMatching(/which is not supported; /)]]);
      const advice = found[0]?.[1].replace(/^.*not supported; /, '') ?? '';
      const [, alternative] = /^(?:use|use Assign or|write a JSONata string in) (\w+)$/.exec(advice) ?? [];
      if (alternative === undefined) {
        expect(['leave it out', 'read $states.input in expressions']).toContain(advice);
        expect(refusals(definition(type, {}))).toEqual([]);
        return;
      }
      // One of the two fields of a Wait is in the state already.
      const value = alternative === 'Timestamp' ? { Seconds: undefined } : {};
      const followed = JSON.parse(
        JSON.stringify(definition(type, { ...value, [alternative]: sampleOf(alternative) })),
      );
      expect(refusals(followed)).toEqual([]);
    },
  );

  test('Parameters become what the state calls its arguments', () => {
    const advice = (type: string) =>
      refusals(definition(type, { Parameters: {} }))[0]?.[1].replace(/^.*; /, '');
    expect(['Task', 'Parallel', 'Map', 'Pass', 'Wait', 'Fail'].map(advice)).toEqual([
      'use Arguments',
      'use Arguments',
      'use ItemSelector',
      'use Output',
      'use Output',
      'leave it out',
    ]);
  });
});
