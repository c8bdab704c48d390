import { describe, expect, test } from 'vitest';
import { convertDefinition } from '../../server/asl/convert/convert.ts';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, passed, run } from './converted.ts';

const input = { order: { id: 7, lines: [{ n: 1 }] }, keep: 'x' };

describe('a Pass', () => {
  test.each<[what: string, fields: object, output: Json]>([
    ['passes on its input', {}, input],
    ['with InputPath', { InputPath: '$.order' }, { id: 7, lines: [{ n: 1 }] }],
    ['with InputPath null', { InputPath: null }, {}],
    ['with OutputPath', { OutputPath: '$.order' }, { id: 7, lines: [{ n: 1 }] }],
    ['with OutputPath null', { OutputPath: null }, {}],
    ['with InputPath and OutputPath', { InputPath: '$.order', OutputPath: '$.lines[0]' }, { n: 1 }],
    ['with an InputPath into the context', { InputPath: '$$.Execution.Input.order.lines[0]' }, { n: 1 }],
    ['with an OutputPath into the context', { OutputPath: '$$.Execution.Input.order.lines[0]' }, { n: 1 }],
    ['with Result', { Result: { a: 1 } }, { a: 1 }],
    [
      'with a Result that looks like paths',
      { Result: { 'a.$': '$.x', b: '$.y' } },
      { 'a.$': '$.x', b: '$.y' },
    ],
    [
      'with a Result that looks like expressions',
      { Result: ['{% $x %}', '{% x', 'x %}', '{%'] as Json, ResultPath: '$.r' },
      { ...input, r: ['{% $x %}', '{% x', 'x %}', '{%'] },
    ],
    ['with ResultPath', { Result: 1, ResultPath: '$.r' }, { ...input, r: 1 }],
    ['with ResultPath null', { Result: 1, ResultPath: null }, input],
    ['with ResultPath $', { Result: { r: 1 }, ResultPath: '$' }, { r: 1 }],
    ['with ResultPath over a field', { Result: 'y', ResultPath: '$.keep' }, { ...input, keep: 'y' }],
    [
      'with ResultPath inside an object',
      { Result: true, ResultPath: '$.order.paid' },
      { ...input, order: { ...input.order, paid: true } },
    ],
    [
      'with ResultPath into new objects',
      { Result: 1, ResultPath: '$.a.b.c' },
      { ...input, a: { b: { c: 1 } } },
    ],
    ['with ResultPath in brackets', { Result: 1, ResultPath: "$['a-b']" }, { ...input, 'a-b': 1 }],
    [
      'with ResultPath, which keeps the raw input',
      { InputPath: '$.order.id', ResultPath: '$.id' },
      { ...input, id: 7 },
    ],
    [
      'with ResultPath and OutputPath of the result',
      { Result: { b: { c: 3 } }, ResultPath: '$.a', OutputPath: '$.a.b' },
      { c: 3 },
    ],
    [
      'with ResultPath and OutputPath of the input',
      { Result: 1, ResultPath: '$.order.paid', OutputPath: '$.order' },
      { ...input.order, paid: 1 },
    ],
    [
      'with Parameters',
      { Parameters: { 'id.$': '$.order.id', literal: { text: '$.order', 'deep.$': '$.keep' } } },
      { id: 7, literal: { text: '$.order', deep: 'x' } },
    ],
    [
      'with Parameters relative to InputPath',
      { InputPath: '$.order', Parameters: { 'id.$': '$.id', 'first.$': '$.lines[0].n' } },
      { id: 7, first: 1 },
    ],
    [
      'with Parameters that have arrays',
      { Parameters: { list: [1, '$.keep', { 'n.$': '$.order.lines[0].n' }], 'all.$': '$.order.lines[*].n' } },
      { list: [1, '$.keep', { n: 1 }], all: [1] },
    ],
    [
      'with Parameters and ResultPath',
      {
        Parameters: { 'lines.$': '$.order.lines', 'name.$': "States.Format('#{}', $.order.id)" },
        ResultPath: '$.r',
      },
      { ...input, r: { lines: [{ n: 1 }], name: '#7' } },
    ],
    [
      'with Parameters, ResultPath and OutputPath',
      { Parameters: { 'id.$': '$.order.id' }, ResultPath: '$.r', OutputPath: '$.r.id' },
      { result: 7 },
    ],
    [
      'with a name that JSONata reserves',
      { Parameters: { and: { 'or.$': '$.keep' } }, OutputPath: '$.and.or' },
      { result: 'x' },
    ],
  ])('%s', async (_, fields, output) => {
    expect(await passed(fields, input)).toEqual({ output });
  });

  test('assigns variables from its result', async () => {
    const document = onAws({
      A: {
        Type: 'Pass',
        Parameters: { 'n.$': '$.order.id' },
        Assign: { 'id.$': '$.n', literal: '$.n', nested: { 'at.$': '$$.State.Name' } },
        ResultPath: null,
        Next: 'B',
      },
      B: {
        Type: 'Pass',
        InputPath: '$nested',
        Parameters: {
          'id.$': '$id',
          'literal.$': '$literal',
          'at.$': '$.at',
          'sum.$': 'States.MathAdd($id, 1)',
        },
        End: true,
      },
    });
    expect((await run(document, input)).ending).toEqual({
      output: { id: 7, literal: '$.n', at: 'A', sum: 8 },
    });
  });

  test.each([
    ['ResultPath with an index', { ResultPath: '$.order.lines[0]' }, '/ResultPath'],
    ['ResultPath into the context', { ResultPath: '$$.State' }, '/ResultPath'],
    ['an InputPath that is no path', { InputPath: 'order' }, '/InputPath'],
    ['an OutputPath that is no path', { OutputPath: 7 }, '/OutputPath'],
  ])('%s is reported', (_, fields, pointer) => {
    const document = onAws({
      P: { Type: 'Pass', ...fields, Next: 'E' },
      E: { Type: 'Pass', Result: {}, End: true },
    });
    expect(convert(document).findings).toMatchObject([
      { kind: 'unsupported', pointer: `/States/P${pointer}` },
    ]);
  });
});

describe('other states', () => {
  test('Succeed selects its output', async () => {
    const succeed = { Type: 'Succeed', InputPath: '$.order', OutputPath: '$.lines[0]' };
    expect((await run(onAws({ S: succeed }), input)).ending).toEqual({ output: { n: 1 } });
  });

  test.each<[fields: object, seconds: number]>([
    [{ Seconds: 3 }, 3],
    [{ SecondsPath: '$.order.id' }, 7],
    [{ InputPath: '$.order', SecondsPath: '$.id' }, 7],
    [{ Timestamp: '2027-03-01T09:00:10Z' }, 10],
    [{ TimestampPath: '$.until' }, 20],
  ])('Wait with %j', async (fields, seconds) => {
    const document = onAws({
      W: { Type: 'Wait', ...fields, OutputPath: '$.keep', Next: 'E' },
      E: { Type: 'Succeed' },
    });
    const { ending, entered } = await run(
      document,
      'InputPath' in fields
        ? { order: { id: 7, keep: 1 } }
        : { order: { id: 7 }, keep: 1, until: '2027-03-01T09:00:20Z' },
    );
    expect(ending).toEqual({ output: { result: 1 } });
    expect(entered.at(-1)).toEqual(['E', seconds]);
  });

  test.each<[fields: object, error: string, cause: string]>([
    [{ Error: 'E', Cause: 'c' }, 'E', 'c'],
    [{ ErrorPath: '$.keep', CausePath: "States.Format('order {}', $.order.id)" }, 'x', 'order 7'],
    [{ Error: '{% E', CausePath: '$$.State.Name' }, '{% E', 'F'],
  ])('Fail with %j', async (fields, error, cause) => {
    expect((await run(onAws({ F: { Type: 'Fail', ...fields } }), input)).ending).toEqual({ error, cause });
  });

  test('a Parallel has Parameters, ResultSelector, ResultPath and OutputPath', async () => {
    const branch = (name: string, fields: object) => ({
      StartAt: name,
      States: { [name]: { Type: 'Pass', ...fields, End: true } },
    });
    const parallel = {
      Type: 'Parallel',
      Parameters: { 'id.$': '$.order.id' },
      Branches: [branch('B', { OutputPath: '$.id' }), branch('C', { Result: 'c' })],
      ResultSelector: { 'b.$': '$[0]', 'c.$': '$[1]', 'both.$': '$' },
      ResultPath: '$.r',
      Assign: { 'v.$': '$.c' },
      Next: 'E',
    };
    const end = { Type: 'Pass', Parameters: { 'r.$': '$.r', 'keep.$': '$.keep', 'v.$': '$v' }, End: true };
    expect((await run(onAws({ P: parallel, E: end }), input)).ending).toEqual({
      output: { r: { b: 7, c: 'c', both: [7, 'c'] }, keep: 'x', v: 'c' },
    });
  });

  const processor = (state: object) => ({
    StartAt: 'I',
    States: { I: { Type: 'Pass', ...state, End: true } },
  });
  const lists = { list: [{ n: 1 }, { n: 2 }], one: [[1]], keep: 'x', most: 1, text: '1' };

  test.each<[what: string, fields: object, output: Json]>([
    ['ItemsPath', { ItemsPath: '$.list', ItemProcessor: processor({ OutputPath: '$.n' }) }, [1, 2]],
    ['InputPath', { InputPath: '$.list', Iterator: processor({ OutputPath: '$.n' }) }, [1, 2]],
    ['ItemsPath of one array', { ItemsPath: '$.one', ItemProcessor: processor({}) }, [[1]]],
    [
      'ItemsPath with a filter',
      { ItemsPath: '$.list[?(@.n > 1)]', ItemProcessor: processor({}) },
      [{ n: 2 }],
    ],
    [
      'ItemSelector',
      {
        ItemsPath: '$.list',
        ItemSelector: { 'i.$': '$$.Map.Item.Index', 'v.$': '$$.Map.Item.Value.n', 'k.$': '$.keep' },
        ItemProcessor: processor({}),
      },
      [
        { i: 0, v: 1, k: 'x' },
        { i: 1, v: 2, k: 'x' },
      ],
    ],
    [
      'Parameters and Iterator, their former names',
      {
        ItemsPath: '$.list',
        Parameters: { 'n.$': '$$.Map.Item.Value.n' },
        Iterator: processor({ OutputPath: '$.n' }),
      },
      [1, 2],
    ],
  ])('a Map has %s', async (_, fields, output) => {
    const document = onAws({ M: { Type: 'Map', ...fields, ResultSelector: { 'r.$': '$' }, End: true } });
    expect((await run(document, lists)).ending).toEqual({ output: { r: output } });
  });

  const numbers = ['MaxConcurrency', 'ToleratedFailureCount', 'ToleratedFailurePercentage'];
  const mapWith = (field: string, path: string) => ({
    Type: 'Map',
    ItemsPath: '$.list',
    [`${field}Path`]: path,
    ItemProcessor: { ...processor({ Result: 1 }), ProcessorConfig: { Mode: 'INLINE' } },
    End: true,
  });

  test.each(numbers.flatMap((field) => ['$.most', '$.text'].map((path) => [field, path] as const)))(
    'the path of %s leads to a number, or a number in a text: %s',
    async (field, path) => {
      const { ending, forks } = await run(onAws({ M: mapWith(field, path) }), lists);
      expect(ending).toEqual({ output: { result: [1, 1] } });
      expect(forks).toMatchObject([field === 'MaxConcurrency' ? { maxConcurrency: 1 } : { threads: 2 }]);
    },
  );

  test.each(numbers.flatMap((field) => ['$.keep', '$.list', '$.none'].map((path) => [field, path] as const)))(
    'the path of %s to anything else fails the Map: %s',
    async (field, path) => {
      const { ending } = await run(onAws({ M: mapWith(field, path) }), lists);
      expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    },
  );

  test('a distributed Map runs inline, which is noted', async () => {
    const config = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
    const map = {
      Type: 'Map',
      Label: 'L',
      ItemsPath: '$.list',
      ItemProcessor: { ...processor({ OutputPath: '$.n' }), ProcessorConfig: config },
      ResultPath: '$.r',
      End: true,
    };
    expect(convert(onAws({ M: map })).findings).toMatchObject([
      { kind: 'note', pointer: '/States/M/ItemProcessor/ProcessorConfig' },
    ]);
    expect((await run(onAws({ M: map }), lists)).ending).toEqual({ output: { ...lists, r: [1, 2] } });
  });

  test.each([
    ['JSONPath', { Type: 'Map', ItemsPath: '$.list' }],
    ['JSONata', { Type: 'Map', Items: '{% $states.input.list %}' }],
  ])('a distributed Map in %s that reads its items from elsewhere is reported', (QueryLanguage, fields) => {
    const reading = { ItemReader: {}, ItemBatcher: {}, ResultWriter: {} };
    const map = { QueryLanguage, ...fields, ...reading, ItemProcessor: processor({}), Next: 'E' };
    const { findings } = convertDefinition(
      onAws({ M: map, E: { Type: 'Pass', QueryLanguage: 'JSONPath', Result: {}, End: true } }),
    );
    expect(findings.map(({ kind, pointer }) => [kind, pointer])).toEqual(
      Object.keys(reading).map((field) => ['unsupported', `/States/M/${field}`]),
    );
  });

  test('names in branches and iterators are converted, too', async () => {
    const inner = { Type: 'Pass', Parameters: { 'v.$': '$.n' }, ResultPath: '$.w', End: true };
    const map = {
      Type: 'Map',
      ItemsPath: '$.list',
      Iterator: { StartAt: 'I', States: { I: inner } },
      End: true,
    };
    const parallel = {
      Type: 'Parallel',
      Branches: [{ StartAt: 'M', States: { M: map } }],
      OutputPath: '$[0]',
      End: true,
    };
    expect((await run(onAws({ P: parallel }), lists)).ending).toEqual({
      output: {
        result: [
          { n: 1, w: { v: 1 } },
          { n: 2, w: { v: 2 } },
        ],
      },
    });
  });
});
