import { describe, expect, test } from 'vitest';
import { convertDefinition } from '../../server/asl/convert/convert.ts';
import { onAws } from './converted.ts';
import { refusals } from './refusals.ts';

const processor = { StartAt: 'I', States: { I: { Type: 'Pass', End: true } } };
const recovering = {
  Retry: [{ ErrorEquals: ['A'] }],
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.e', Assign: { 'w.$': '$.Error' }, Next: 'E' }],
};
const flow = { InputPath: '$.a', OutputPath: '$.b', Next: 'E' };
const result = { ResultSelector: { 'x.$': '$.x' }, ResultPath: '$.b', Assign: { 'v.$': '$.x' } };

/** Together they have every field that a definition in JSONPath may have. */
const states: object[] = [
  { Type: 'Pass', ...flow, Parameters: { 'x.$': "States.Format('{}', $.x[0])" }, ResultPath: '$.b' },
  { Type: 'Pass', ...flow, Result: { x: 1 }, Assign: { 'v.$': '$.x' } },
  {
    Type: 'Task',
    ...flow,
    ...result,
    ...recovering,
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: 'f', 'Payload.$': '$' },
    TimeoutSecondsPath: '$.t',
    HeartbeatSecondsPath: '$.h',
    Credentials: { 'RoleArn.$': '$.r' },
  },
  { Type: 'Wait', ...flow, SecondsPath: '$.s' },
  { Type: 'Wait', ...flow, TimestampPath: '$.s' },
  {
    Type: 'Choice',
    InputPath: '$.a',
    OutputPath: '$.b',
    Choices: [
      {
        And: [
          { Variable: '$.n', NumericGreaterThanPath: '$.m' },
          { Not: { Variable: '$.s', StringMatches: 'a*' } },
        ],
        Next: 'E',
      },
      { Variable: '$.n', IsPresent: true, Next: 'E', Assign: { 'v.$': '$.n' } },
    ],
    Default: 'E',
  },
  { Type: 'Fail', ErrorPath: '$.e', CausePath: '$.c' },
  { Type: 'Fail', Error: 'e', Cause: 'c' },
  { Type: 'Parallel', ...flow, ...result, ...recovering, Parameters: { 'p.$': '$' }, Branches: [processor] },
  {
    Type: 'Map',
    ...flow,
    ...result,
    ...recovering,
    ItemsPath: '$.items',
    ItemSelector: { 'v.$': '$$.Map.Item.Value' },
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED' }, ...processor },
    MaxConcurrencyPath: '$.m',
    ToleratedFailureCountPath: '$.c',
    ToleratedFailurePercentagePath: '$.p',
  },
];

const values = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  '$',
  '$$',
  '$.',
  '$[',
  "$['",
  '{% 1 +',
  'States.Array(',
  [],
  [null],
  {},
  { a: 1 },
];

/** Copies of a value that differ from it in one place: removed or replaced. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield* values;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const variant of variantsOf(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), variant) : { ...value, [key]: variant };
    }
    if (!Array.isArray(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield others;
    }
  }
}

describe('a definition that is wrong in one place', () => {
  test.each(states.map((state) => [(state as { Type: string }).Type, state] as const))(
    'in a %s is converted or reported, and its other states are converted',
    (_, state) => {
      for (const variant of variantsOf(state)) {
        const rest = { Type: 'Pass', OutputPath: '$.z', End: true };
        const { definition } = convertDefinition(onAws({ S: variant as object, E: rest }));
        const plain = JSON.parse(JSON.stringify(definition));
        const others = refusals(plain).filter(([path]) => path.startsWith('/States/E/'));
        expect(others, JSON.stringify(variant)).toEqual([]);
      }
    },
  );

  test.each([
    ['null', null],
    ['an array', []],
    ['an empty object', {}],
    ['states that are no object', { StartAt: 'A', States: [] }],
    ['a start that does not exist', { StartAt: 1, States: { A: { Type: 'Pass', End: true } } }],
    [
      'too many levels',
      onAws({
        A: { Type: 'Pass', Result: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`), End: true },
      }),
    ],
  ])('that is %s is not valid after the conversion', (_, document) => {
    expect(refusals(convertDefinition(document).definition)).not.toEqual([]);
  });
});
