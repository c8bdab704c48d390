import { describe, expect, test } from 'vitest';
import { warningsOf } from '../../server/asl/validate.ts';
import { having, inner, refusals, task } from './refusals.ts';
import { definitionOf } from './run.ts';

const noMap =
  '$states.context.Map is undefined here: it is available in ItemSelector and within an ItemProcessor only';
const noTask = '$states.context.Task is undefined here: it is available in Task states only';
const readsMap = '{% $states.context.Map.Item.Value %}';
const readsToken = '{% $states.context.Task.Token %}';
const last = { End: true, Next: undefined };
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as object;
const map = (more: object, state: object = { Type: 'Pass', End: true }) => ({
  Type: 'Map',
  ItemProcessor: inner({ I: state }),
  ...more,
});
const parallel = (state: object) => ({ Type: 'Parallel', Branches: [inner({ B: { ...state, End: true } })] });
const retry = (...lists: string[][]) => ({ ...task, Retry: lists.map((ErrorEquals) => ({ ErrorEquals })) });
const covered = 'Never applies: those before it match the same errors';
const number = (field: string, expected: string, value: string) =>
  `The state fails: ${field} must be ${expected}, not ${value}`;
const days = ', which is 30 days, the longest that an execution runs';
const result = (value: string) =>
  `An execution that ends here fails with Wrp.ResultNotAnObject: its result must be an object, not ${value}`;
const jsonPath = 'This is JSONPath, and sent as it is: name the field ‘a’ and use {% %}';
const choice = (Condition: string) => ({
  Type: 'Choice',
  Choices: [{ Condition, Next: 'E' }],
  Next: undefined,
});

/** A definition with the state as S, which is followed by another one unless it is the last. */
function documentOf(state: object): object {
  const isLast = 'End' in state || ['Fail', 'Succeed'].includes(Object(state).Type);
  return plain(isLast ? definitionOf({ S: { ...state, Next: undefined } as never }) : having(state));
}

describe('warningsOf reports what is certain to fail or to do nothing', () => {
  test.each<[what: string, state: object, path: string, message: string]>([
    ['the item outside a Map', { Type: 'Pass', Output: { a: [readsMap] } }, '/Output/a/0', noMap],
    ['the item in Items', map({ Items: readsMap }), '/Items', noMap],
    ['the item in the Output of a Map', map({ Output: readsMap }), '/Output', noMap],
    [
      'the item in a Condition',
      choice('{% $states.context.Map.Item.Index > 1 %}'),
      '/Choices/0/Condition',
      noMap,
    ],
    [
      'the item in a branch',
      parallel({ Type: 'Pass', Assign: { a: readsMap } }),
      '/Branches/0/States/B/Assign/a',
      noMap,
    ],
    ['the token outside a Task', { Type: 'Pass', Output: readsToken }, '/Output', noTask],
    [
      'the token within a Map',
      map({}, { Type: 'Pass', Output: readsToken, End: true }),
      '/ItemProcessor/States/I/Output',
      noTask,
    ],
    [
      'a path in Arguments',
      { ...task, Arguments: { body: { 'a.$': '$.b' } } },
      '/Arguments/body/a.$',
      jsonPath,
    ],
    ['a path in Output', { Type: 'Pass', Output: { 'a.$': '$' } }, '/Output/a.$', jsonPath],
    ['a path in Assign', { Type: 'Pass', Assign: { x: [{ 'a.$': '$$.Map' }] } }, '/Assign/x/0/a.$', jsonPath],
    [
      'a path in ItemSelector',
      map({ ItemSelector: { 'a.$': 'States.UUID()' } }),
      '/ItemSelector/a.$',
      jsonPath,
    ],
    [
      'a path in a Catcher',
      { ...task, Catch: [{ ErrorEquals: ['A'], Output: { 'a.$': '$.b' }, Next: 'E' }] },
      '/Catch/0/Output/a.$',
      jsonPath,
    ],
    ['a Retrier like another', retry(['A', 'B'], ['B']), '/Retry/1', covered],
    ['a Retrier like two others', retry(['A'], ['B'], ['B', 'A']), '/Retry/2', covered],
    ['a Retrier after States.TaskFailed', retry(['States.TaskFailed'], ['Http.Failed']), '/Retry/1', covered],
    [
      'a heartbeat after States.Timeout',
      retry(['States.Timeout'], ['States.HeartbeatTimeout']),
      '/Retry/1',
      covered,
    ],
    [
      'a Catcher like another',
      { ...task, Catch: [0, 1].map(() => ({ ErrorEquals: ['A'], Next: 'E' })) },
      '/Catch/1',
      covered,
    ],
    [
      'a Condition that is a text',
      choice("{% 'yes' %}"),
      '/Choices/0/Condition',
      number('Condition', 'true or false', '"yes"'),
    ],
    [
      'a Condition that is a number',
      choice('{% (1) %}'),
      '/Choices/0/Condition',
      number('Condition', 'true or false', '1'),
    ],
    [
      'negative Seconds',
      { Type: 'Wait', Seconds: '{% -1 %}' },
      '/Seconds',
      number('Seconds', `an integer from 0 to 2592000${days}`, '-1'),
    ],
    [
      'TimeoutSeconds of 0',
      { ...task, TimeoutSeconds: '{% 0 %}' },
      '/TimeoutSeconds',
      number('TimeoutSeconds', `an integer from 1 to 2592000${days}`, '0'),
    ],
    [
      'HeartbeatSeconds of null',
      { ...task, HeartbeatSeconds: '{% null %}' },
      '/HeartbeatSeconds',
      number('HeartbeatSeconds', `an integer from 1 to 2592000${days}`, 'null'),
    ],
    [
      'MaxConcurrency of 1.5',
      map({ MaxConcurrency: '{% 1.5 %}' }),
      '/MaxConcurrency',
      number('MaxConcurrency', 'an integer not below 0', '1.5'),
    ],
    [
      'a count that is true',
      map({ ToleratedFailureCount: '{% true %}' }),
      '/ToleratedFailureCount',
      number('ToleratedFailureCount', 'an integer not below 0', 'true'),
    ],
    [
      'a percentage of 101',
      map({ ToleratedFailurePercentage: '{% 101 %}' }),
      '/ToleratedFailurePercentage',
      number('ToleratedFailurePercentage', 'a number from 0 to 100', '101'),
    ],
    [
      'a Timestamp that is a date',
      { Type: 'Wait', Timestamp: "{% '2027-03-01' %}" },
      '/Timestamp',
      number('Timestamp', 'an RFC 3339 timestamp', '"2027-03-01"'),
    ],
    [
      'Items that are an object',
      map({ Items: "{% {'a': 1} %}" }),
      '/Items',
      number('Items', 'an array', 'an object'),
    ],
    [
      'an Error that is a number',
      { Type: 'Fail', Error: '{% 1 %}', Next: undefined },
      '/Error',
      number('Error', 'a string', '1'),
    ],
    [
      'a Cause that is an array',
      { Type: 'Fail', Cause: '{% [] %}', Next: undefined },
      '/Cause',
      number('Cause', 'a string', 'an array'),
    ],
    ['a result that is a text', { Type: 'Pass', Output: 'done', ...last }, '/Output', result('"done"')],
    ['a result that is null', { Type: 'Succeed', Output: null, Next: undefined }, '/Output', result('null')],
    ['a result that is an array', { ...task, Output: [{}], ...last }, '/Output', result('an array')],
    ['a result that is a constant', { ...task, Output: '{% 1 %}', ...last }, '/Output', result('1')],
    [
      'what is not converted',
      { Type: 'Pass', Output: '{% $error("Not converted: a path") %}' },
      '/Output',
      'Not converted: a path. `wrp definition convert` left this to be replaced',
    ],
  ])('%s', (_what, state, path, message) => {
    const document = documentOf(state);
    expect(refusals(document)).toEqual([]);
    expect(warningsOf(document)).toEqual([{ path: `/States/S${path}`, message }]);
  });

  test.each<[what: string, state: object]>([
    ['the item in ItemSelector', map({ ItemSelector: { a: readsMap } })],
    ['the item in an ItemProcessor', map({}, { Type: 'Pass', Output: readsMap, End: true })],
    [
      'the item in a branch of an ItemProcessor',
      map({}, { ...parallel({ Type: 'Pass', Output: readsMap }), End: true }),
    ],
    ['the token in a Task', { ...task, Arguments: { a: readsToken }, Output: readsToken }],
    [
      'the input of the same name',
      { Type: 'Pass', Output: '{% $states.input.context.Map & $states.input.Task %}' },
    ],
    [
      'an update of MongoDB',
      { ...task, Arguments: { 'a.$': 1, 'b.$': '{% $states.input %}', 'c.$': 'x', 'd.$': '$name' } },
    ],
    ['a text with a path', { ...task, Arguments: { a: '$.b', $: '$.c' } }],
    ['a Comment', { Type: 'Pass', Comment: '$states.context.Map' }],
    ['a Retrier with one more error', retry(['A', 'B'], ['B', 'C'])],
    ['a timeout after States.TaskFailed', retry(['States.TaskFailed'], ['States.Timeout'], ['States.ALL'])],
    ['a large value after States.TaskFailed', retry(['States.TaskFailed'], ['States.DataLimitExceeded'])],
    ['a timeout after its heartbeat', retry(['States.HeartbeatTimeout'], ['States.Timeout'])],
    ['a Condition that is constant', choice('{% true %}')],
    ['a Condition that is not constant', choice("{% 'a' = $states.input.a %}")],
    ['Seconds that are constant', { Type: 'Wait', Seconds: '{% 5 %}' }],
    ['Seconds that are computed', { Type: 'Wait', Seconds: '{% 5 - 6 %}' }],
    ['Items that are an array', map({ Items: '{% [1, 2] %}' })],
    ['a time', { Type: 'Wait', Timestamp: "{% '2027-03-01T09:00:00Z' %}" }],
    ['an output that continues', { Type: 'Pass', Output: 'done' }],
    ['a result that is an object', { Type: 'Pass', Output: {}, ...last }],
    ['a result that is an object by an expression', { Type: 'Pass', Output: "{% {'a': 1} %}", ...last }],
    ['a result that may be an object', { ...task, Output: '{% $states.result %}', ...last }],
    ['an output that ends a branch', parallel({ Type: 'Pass', Output: 1 })],
    ['an error of the definition', { Type: 'Pass', Output: "{% $error('Not ready') %}" }],
  ])('but not %s', (_what, state) => {
    const document = documentOf(state);
    expect(refusals(document)).toEqual([]);
    expect(warningsOf(document)).toEqual([]);
  });
});
