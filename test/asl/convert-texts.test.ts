import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';

const around = ['Dear {% $name %}, hello', ' {% $name %} ', 'a {%%} b', 'x%} {% y %} z'];
const incomplete = ['{% x', 'x %}', '{%', '%}', '{%}', 'a {% b', 'a %} b', '%} {%'];
const inner = onAws({ I: { Type: 'Pass', End: true } });
const failing = onAws({ F: { Type: 'Fail', Error: 'E' } });

/** Where a definition of AWS has a text, and what the execution then has as its output. */
const places: [place: string, state: (text: string) => object, output: (text: string) => Json][] = [
  ['Result', (text) => ({ Type: 'Pass', Result: { text } }), (text) => ({ text })],
  ['Parameters', (text) => ({ Type: 'Pass', Parameters: { list: [text] } }), (text) => ({ list: [text] })],
  [
    'Parameters of a task',
    (text) => ({ Type: 'Task', Resource: 'wrp:http:call', Parameters: { url: text } }),
    (text) => ({ url: text }),
  ],
  [
    'ItemSelector',
    (text) => ({ Type: 'Map', ItemsPath: '$.list', ItemSelector: { text }, ItemProcessor: inner }),
    (text) => ({ result: [{ text }] }),
  ],
  [
    'ResultSelector',
    (text) => ({ Type: 'Parallel', Branches: [inner], ResultSelector: { text } }),
    (text) => ({ text }),
  ],
];

describe('a text that looks like an expression', () => {
  const expressions = ['{% $name %}', ...around, ...incomplete];
  test.each(places.flatMap((place) => expressions.map((text) => [text, ...place] as const)))(
    '%j stays a text of JSONPath in %s',
    async (text, _, state, output) => {
      const document = onAws({ S: { ...state(text), End: true } });
      expect((await run(document, { list: [1] })).ending).toEqual({ output: output(text) });
    },
  );

  const jsonata: [
    place: string,
    state: (text: string) => object,
    pointer: string,
    output: (text: string) => Json,
  ][] = [
    ['Output', (text) => ({ Type: 'Pass', Output: { text } }), '/Output/text', (text) => ({ text })],
    ['Assign', (text) => ({ Type: 'Pass', Assign: { text }, Output: {} }), '/Assign/text', () => ({})],
    [
      'Arguments',
      (text) => ({ Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: text } }),
      '/Arguments/url',
      (text) => ({ url: text }),
    ],
    [
      'Items',
      (text) => ({ Type: 'Map', Items: [1, text], ItemProcessor: inner }),
      '/Items/1',
      (text) => ({ result: [1, text] }),
    ],
    [
      'a Catcher',
      (text) => ({
        Type: 'Parallel',
        Branches: [failing],
        Catch: [{ ErrorEquals: ['E'], Output: { text }, Next: 'End' }],
      }),
      '/Catch/0/Output/text',
      (text) => ({ text }),
    ],
  ];
  test.each(jsonata.flatMap((place) => around.map((text) => [text, ...place] as const)))(
    '%j stays a text of JSONata in %s, which is noted',
    async (text, _, state, pointer, output) => {
      const start = { QueryLanguage: 'JSONata', ...state(text), Next: 'End' };
      const document = onAws({ S: start, End: { Type: 'Succeed' } });
      const { ending, variables } = await run(document, {});
      expect(ending).toEqual({ output: output(text) });
      if (pointer.startsWith('/Assign')) expect(variables).toEqual({ text });
      expect(convert(document).findings).toContainEqual({
        kind: 'note',
        pointer: `/States/S${pointer}`,
        message: expect.stringContaining('quoted'),
      });
    },
  );
});
