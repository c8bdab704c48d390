import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, queryValue } from './converted.ts';

const input = {
  a: { b: { c: 1 }, 'x-y': 2, and: 3, 'with space': 4 },
  list: [
    { n: 1, tag: 'x', inner: [{ v: 1 }, { v: 2 }] },
    { n: 2, tag: 'y', inner: [{ v: 3 }] },
    { n: 3, tag: 'x', inner: [] },
  ],
  one: [{ n: 7, tag: 'z' }],
  single: [1],
  nested: [[1], [2, 3]],
  empty: [],
  null: null,
  number: 5,
  limit: 2,
};

describe('a path', () => {
  test.each<[path: string, value: Json]>([
    ['$.a.b', { c: 1 }],
    ['$.a.b.c', 1],
    ["$['a']['b']['c']", 1],
    ['$["a"].b["c"]', 1],
    ["$.a['x-y']", 2],
    ['$.a.x-y', 2],
    ['$.a.and', 3],
    ["$.a['with space']", 4],
    ['$.null', null],
    ['$.list[0].n', 1],
    ['$.list[-1].n', 3],
    ['$.list[1].inner[0].v', 3],
    ['$.single', [1]],
    ['$.nested[0]', [1]],
    ['$.nested[1][0]', 2],
    ['$.empty', []],
    ['$.list[*].n', [1, 2, 3]],
    ['$.one[*].n', [7]],
    ['$.empty[*].n', []],
    ['$.nested[*]', [[1], [2, 3]]],
    ['$.single[*]', [1]],
    ['$.list[*].inner[*].v', [1, 2, 3]],
    ['$.list[*].inner[0].v', [1, 3]],
    ['$.a.b.*', [1]],
    ['$.list[0:2].n', [1, 2]],
    ['$.list[:1].n', [1]],
    ['$.list[1:].n', [2, 3]],
    ['$.list[-1:].n', [3]],
    ['$.list[0:-1].n', [1, 2]],
    ['$.list[0,2].n', [1, 3]],
    ["$.a['x-y','and']", { 'x-y': 2, and: 3 }],
    ["$.list[*]['n','tag']", [1, 2, 3].map((n) => ({ n, tag: n === 2 ? 'y' : 'x' }))],
    ["$.one.[*].['n', 'tag']", [{ n: 7, tag: 'z' }]],
    ["$.list[?(@.n == 2)]['n']", [2]],
    ['$.list.[0].n', 1],
    ['$.list.[?(@.n > 2)].n', [3]],
    ['$..v', [1, 2, 3]],
    ['$.list..v', [1, 2, 3]],
    ["$..['v']", [1, 2, 3]],
    ["$.list[?(@.tag == 'x')].n", [1, 3]],
    ["$.list[?(@.tag == 'y')].n", [2]],
    ["$.list[?(@.tag == 'none')].n", []],
    ['$.list[?(@.n > 1 && @.n <= 2)].n', [2]],
    ['$.list[?(@.n > .5 && @.n < 1.5e0)].n', [1]],
    ['$.list[?(@.n > -1)].n', [1, 2, 3]],
    ["$.list[?(@.n == 1 || @.tag=='y')].n", [1, 2]],
    ['$.list[?(!(@.n < 3))].n', [3]],
    ["$.list[?(@['n'] >= $.limit)].n", [2, 3]],
    ['$.list[?(@.tag =~ /^X$/i)].n', [1, 3]],
    ["$.list[?(@.tag in ['y','z'])].n", [2]],
    ["$.list[?(@.tag nin ['y','z'])].n", [1, 3]],
    ['$.one[?(@.tag)].n', [7]],
    ['$.list[?(@.inner[0].v == 3)].n', [2]],
    ['$.single[?(@ == 1)]', [1]],
    ['$.list.length()', 3],
    ['$.single.max()', 1],
  ])('%s', async (path, value) => {
    expect(await queryValue(path, input)).toEqual(value);
  });

  test('$ is the input', async () => {
    expect(await queryValue('$', input)).toEqual(input);
  });

  test('fails the state if it has no match, as on AWS', async () => {
    expect(await queryValue('$.none.at', input)).toMatchObject({ error: 'States.QueryEvaluationError' });
  });
});

describe('a path into the context object', () => {
  test.each<[path: string, value: Json]>([
    ['$$.Execution.Input.number', 5],
    ['$$.Execution.Input', input],
    ['$$.Execution.Id', 'execution-1'],
    ['$$.State.Name', 'P'],
    ["$$['StateMachine']['Name']", 'Definition'],
  ])('%s', async (path, value) => {
    expect(await queryValue(path, input)).toEqual(value);
  });
});

describe('what cannot be converted', () => {
  test.each<[path: string, message: RegExp]>([
    ['$.a[', /ends too early/],
    ['$.a b[}', /cannot be read from character/],
    ['$.a..*', /any depth/],
    ["$.list[?(@.tag == 'x')][0]", /after a filter/],
    ['$.list[*].length()', /not at the end of a single value/],
    ['$.list.keys()', /keys\(\) has no equal/],
    ['$.list[?(@.inner.length() > 1)]', /filter can only read fields/],
    [`$.list[?(${'('.repeat(60)}@.n == 1${')'.repeat(60)})]`, /nested too deeply/],
    [`${'States.Array('.repeat(60)}1${')'.repeat(60)}`, /nested too deeply/],
    ['$$.Execution.RoleArn', /no Execution.RoleArn here/],
    ['$$.Unknown.Field', /no Unknown.Field here/],
    ["$$['Execution']['RedriveCount']", /no Execution.RedriveCount here/],
    ['$$.Map.Item.Key', /no Map.Item.Key here/],
    ['States.Nothing(1)', /no intrinsic function States.Nothing/],
    ['States.ArrayLength(1, 2)', /takes 1 arguments, not 2/],
    ["States.Format('{}')", /1 placeholders for 0 values/],
    ['States.Format()', /without a template/],
    ['States.JsonMerge($.a, $.b, true)', /shallow/],
  ])('%s is reported with the reason, and its place fails', async (path, message) => {
    const document = onAws({ P: { Type: 'Pass', Parameters: { 'value.$': path }, End: true } });
    expect(convert(document).findings).toEqual([
      {
        kind: 'unsupported',
        pointer: '/States/P/Parameters/value.$',
        message: expect.stringMatching(message),
      },
    ]);
    expect(await queryValue(path, input)).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining('Not converted'),
    });
  });
});
