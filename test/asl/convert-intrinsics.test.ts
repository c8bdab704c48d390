import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, queryValue } from './converted.ts';

const input = {
  name: 'Ada',
  template: '{}: {} $1',
  n: 2,
  flag: true,
  none: null,
  object: { a: 1, b: { c: 2 } },
  other: { b: 3, d: 4 },
  array: [1, 2, 2, 3],
  one: ['x'],
  nested: [[1], [2]],
  text: '{"a":[1]}',
  separator: ',;',
  parts: ',a,;b,',
};

describe('an intrinsic function', () => {
  test.each<[query: string, value: Json]>([
    ["States.Format('Hello {}, {} times', $.name, $.n)", 'Hello Ada, 2 times'],
    ["States.Format('{}', $.n)", '2'],
    ["States.Format('{}{}', $.flag, $.none)", 'truenull'],
    ["States.Format('literal')", 'literal'],
    ['States.Format($.template, $.name, $.n)', 'Ada: 2 $1'],
    ['States.Format($.name)', 'Ada'],
    ["States.Format('it\\'s \\{\\} {} \\\\', $.name)", "it's {} Ada \\"],
    ["States.Format('{} of {}', States.MathAdd($.n, 1), 'three')", '3 of three'],
    ["States.Format('{}', $$.State.Name)", 'P'],
    ['States.StringToJson($.text)', { a: [1] }],
    ['States.JsonToString($.object)', '{"a":1,"b":{"c":2}}'],
    ["States.Array('a', 1, true, null)", ['a', 1, true, null]],
    ['States.Array()', []],
    ['States.Array($.name)', ['Ada']],
    ['States.Array($.one)', [['x']]],
    ['States.Array($.name, $.one, $.n)', ['Ada', ['x'], 2]],
    ["States.Array(States.Array(1), 'a')", [[1], 'a']],
    ['States.ArrayPartition($.array, 3)', [[1, 2, 2], [3]]],
    ['States.ArrayPartition($.one, 3)', [['x']]],
    ['States.ArrayContains($.array, 3)', true],
    ['States.ArrayContains($.array, $.name)', false],
    ['States.ArrayContains($.nested, $.nested[0])', true],
    ['States.ArrayRange(1, 9, 2)', [1, 3, 5, 7, 9]],
    ['States.ArrayRange(1, 1, 1)', [1]],
    ['States.ArrayGetItem($.array, 3)', 3],
    ['States.ArrayGetItem($.array, $.n)', 2],
    ['States.ArrayGetItem($.nested, 0)', [1]],
    ['States.ArrayGetItem($.array[?(@ > 2)], 0)', 3],
    ['States.ArrayLength($.array)', 4],
    ['States.ArrayLength($.one)', 1],
    ['States.ArrayUnique($.array)', [1, 2, 3]],
    ['States.ArrayUnique($.one)', ['x']],
    ["States.Base64Encode('Data to encode')", 'RGF0YSB0byBlbmNvZGU='],
    ["States.Base64Decode('RGVjb2RlZCBkYXRh')", 'Decoded data'],
    ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['States.JsonMerge($.object, $.other, false)', { a: 1, b: 3, d: 4 }],
    ['States.MathRandom(3, 4)', 3],
    ['States.MathAdd($.n, -1)', 1],
    ["States.StringSplit('1,2,3', ',')", ['1', '2', '3']],
    ["States.StringSplit('This.is+a,test=string', '.+,=')", ['This', 'is', 'a', 'test', 'string']],
    ["States.StringSplit('a-]b/c\\\\d(e', '-]/\\\\(')", ['a', 'b', 'c', 'd', 'e']],
    ["States.StringSplit($.parts, ',')", ['a', ';b']],
    ['States.StringSplit($.parts, $.separator)', ['a', 'b']],
    ["States.StringSplit($.name, ',')", ['Ada']],
    ["States.ArrayLength(States.StringSplit(',,', ','))", 0],
    ["  States.Format( '{}' ,$.name )  ", 'Ada'],
  ])('%s', async (query, value) => {
    expect(await queryValue(query, input)).toEqual(value);
  });

  test('States.UUID() gives a UUID', async () => {
    expect(await queryValue('States.UUID()', input)).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  test.each(['States.MathRandom(1, 10)', 'States.MathRandom($.n, 10)'])(
    '%s is within its bounds',
    async (query) => {
      const number = await queryValue(query, input);
      expect(number).toBeGreaterThanOrEqual(1);
      expect(number).toBeLessThan(10);
    },
  );

  test('States.MathRandom with a seed is converted with a note', () => {
    const document = onAws({
      P: { Type: 'Pass', Parameters: { 'n.$': 'States.MathRandom(1, 9, 42)' }, End: true },
    });
    expect(convert(document).findings).toMatchObject([{ kind: 'note', pointer: '/States/P/Parameters/n.$' }]);
  });
});

describe('a path without a match', () => {
  const noted = (fields: object) => {
    const { findings } = convert(onAws({ P: { Type: 'Pass', ...fields, End: true } }));
    return findings.filter(({ message }) => message.includes('without a match'));
  };

  test.each([
    'States.StringToJson($.m)',
    'States.JsonToString($.m)',
    'States.ArrayPartition($.m, 2)',
    'States.ArrayPartition($.array, $.m)',
    'States.ArrayRange(1, $.m, 1)',
    'States.ArrayGetItem($.m, 0)',
    'States.ArrayGetItem($.array, $.m)',
    'States.ArrayUnique($.m)',
    'States.Base64Encode($.m)',
    'States.Base64Decode($.m)',
    "States.Hash($.m, 'MD5')",
    'States.MathRandom($.m, 3)',
    'States.MathAdd($.m, 3)',
  ])('fails %s, as on AWS', async (query) => {
    expect(await queryValue(query, input)).toMatchObject({ error: 'States.QueryEvaluationError' });
    expect(noted({ Parameters: { 'v.$': query } })).toEqual([]);
  });

  test.each<[query: string, value: Json]>([
    ["States.Format('a {}', $.m)", 'a '],
    ["States.Format('a {}', States.MathAdd($.m, 1))", 'a '],
    ["States.Format('a {}', States.ArrayGetItem($.array, 9))", 'a '],
    ['States.ArrayContains($.m, 1)', false],
    ['States.ArrayContains($.array, $.m)', false],
    ['States.ArrayLength($.m)', 0],
    ["States.Hash('input data', $.m)", 'b4a697a057313163aee33cd8d40c66e9f0f177e00cac2de32475ffff6169c3e3'],
    ['States.JsonMerge($.m, $.object, false)', input.object],
    ["States.StringSplit($.m, ',')", []],
    ['States.Array($.m, 1)', [1]],
  ])('does not fail %s, which is noted', async (query, value) => {
    expect(await queryValue(query, input)).toEqual(value);
    expect(noted({ Parameters: { 'v.$': query } })).toMatchObject([
      { kind: 'note', pointer: '/States/P/Parameters/v.$' },
    ]);
  });

  test.each<[fields: object, pointers: string[]]>([
    [{ Parameters: { 'v.$': '$.m' } }, []],
    [{ Parameters: { 'v.$': '$.m' }, ResultPath: '$.r' }, ['/States/P/ResultPath']],
    [{ Parameters: [{ 'v.$': '$.m' }], ResultPath: '$.r' }, ['/States/P/ResultPath']],
    [{ InputPath: '$.m', ResultPath: '$.r' }, ['/States/P/ResultPath']],
    [{ Parameters: { 'v.$': '$$.State.Name' }, ResultPath: '$.r' }, []],
    [{ Parameters: { 'v.$': '$.m[*].n' }, ResultPath: '$.r' }, []],
    [{ Parameters: { 'v.$': '$' }, ResultPath: '$.r' }, []],
    [{ Result: { v: 1 }, ResultPath: '$.r' }, []],
    [{ Parameters: { 'v.$': "States.Format('{} {}', $$.State.Name, 'x')" } }, []],
  ])('in %j is noted at %j', (fields, pointers) => {
    expect(noted(fields).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test('is noted once for a definition', () => {
    const query = "States.Format('a {}', $.m)";
    expect(noted({ Parameters: { 'v.$': query, 'w.$': query }, ResultPath: '$.r' })).toHaveLength(1);
  });
});
