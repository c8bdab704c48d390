import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../server/src/domain/json.ts';
import { PoolBusyError } from '../../server/src/isolation/errors.ts';
import { inputSchemas, openSchemaPool, problemsOf } from '../../server/src/workflows/input-schema.ts';
import { expectShortStretches } from '../support/main-thread.ts';

const log: { message: string; revisionId: string }[] = [];
const note = (fields: object, message: string) => void log.push({ message, ...fields } as never);
const pool = openSchemaPool();
afterAll(() => pool.close());
const logger = { warn: note, error: note } as never;
const schemas = inputSchemas(pool, logger);
/** For checks that end at their limit. */
const impatient = inputSchemas(pool, logger, { cpuMs: 700 });

let revisions = 0;
const check = (schema: unknown, parameters: unknown, using = schemas) =>
  using.check(`revision ${++revisions}`, schema as Json, parameters);

const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const object = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(times(count, (index) => [`p${index}`, make(index)]));
const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown) =>
  times(levels, () => undefined).reduce((done: unknown) => wrap(done), inner);
const text = (property: object) => ({
  type: 'object',
  properties: { text: { type: 'string', ...property } },
});
const long = 'a'.repeat(500_000);

// Loading for the first time is not measured.
beforeAll(async () => {
  await check(text({ pattern: '^a$', format: 'email' }), { text: '' });
  await check(text({ pattern: 'a{500}' }), { text: long });
});

/** A hostile case, the schema, the parameters, and the number of errors, or `stopped`. */
const hostile: [string, unknown, unknown, number | 'stopped'][] = [
  ['nested repeats', text({ pattern: '^(a+)+$' }), { text: `${'a'.repeat(31)}!` }, 1],
  ['nested repeats over a long text', text({ pattern: '^(a+)+$' }), { text: `${long}!` }, 1],
  ['overlapping alternatives', text({ pattern: '^(a|aa|a?)*$' }), { text: `${long}!` }, 1],
  [
    'a pattern that maxLength should protect',
    text({ maxLength: 5, pattern: '(x+x+)+y' }),
    { text: 'x'.repeat(90_000) },
    2,
  ],
  ['a repeat of 1,000 over a long text', text({ pattern: '(a?){1000}b' }), { text: 'a'.repeat(3_000) }, 1],
  [
    'a repeat of 4,000 over a long text',
    text({ pattern: '(a?b?){2000}c$' }),
    { text: 'ab'.repeat(200_000) },
    'stopped',
  ],
  ['a pattern for names', { patternProperties: { '^(p+)+$': false } }, { [`${'p'.repeat(40)}!`]: 1 }, 0],
  ['a pattern in propertyNames', { propertyNames: { pattern: '^(p+)+$' } }, { [`${'p'.repeat(40)}!`]: 1 }, 2],
  [
    'a backreference stored before patterns were checked',
    text({ pattern: '^(a+)+\\1$' }),
    { text: `${'a'.repeat(40)}!` },
    'stopped',
  ],
  [
    'a lookahead stored before patterns were checked',
    text({ pattern: '^(?=.*\\d).{8,}$' }),
    { text: 'secret' },
    1,
  ],
  [
    'uniqueItems of objects',
    { properties: { list: { uniqueItems: true } } },
    { list: times(20_000, (id) => ({ id, b: [id] })) },
    0,
  ],
  [
    'uniqueItems of texts',
    { properties: { list: { uniqueItems: true } } },
    { list: times(100_000, String) },
    0,
  ],
  [
    'uniqueItems of one large object',
    { properties: { list: { uniqueItems: true } } },
    { list: times(2, () => object(20_000, String)) },
    1,
  ],
  ['format url', text({ format: 'url' }), { text: `http://${'a@'.repeat(10_000)} ` }, 1],
  ['format uri', text({ format: 'uri' }), { text: `http://${'%41'.repeat(100_000)}"` }, 1],
  ['format email', text({ format: 'email' }), { text: `${'a.'.repeat(200_000)}@` }, 1],
  ['format uri-template', text({ format: 'uri-template' }), { text: `${'{a,b}'.repeat(80_000)}{` }, 1],
  ['format json-pointer', text({ format: 'json-pointer' }), { text: `${'/~0'.repeat(120_000)}~` }, 1],
  ['format regex', text({ format: 'regex' }), { text: '('.repeat(400_000) }, 1],
  [
    'format date-time',
    text({ format: 'date-time' }),
    { text: `${'2026-01-01T00:00:00.'}${'1'.repeat(400_000)}` },
    1,
  ],
  ['format ipv6', text({ format: 'ipv6' }), { text: '1:'.repeat(200_000) }, 1],
  [
    'a schema that refers to itself in all branches',
    {
      anyOf: [{ $ref: '#/$defs/a' }],
      $defs: {
        a: {
          anyOf: times(3, () => ({
            type: 'object',
            minProperties: 1,
            additionalProperties: { $ref: '#/$defs/a' },
          })),
        },
      },
    },
    nested(60, (inner) => ({ inner }), {}),
    'stopped',
  ],
  [
    'references that double at each step',
    {
      $ref: '#/$defs/p0',
      $defs: object(40, (at) =>
        at === 39 ? false : { anyOf: [{ $ref: `#/$defs/p${at + 1}` }, { $ref: `#/$defs/p${at + 1}` }] },
      ),
    },
    {},
    'stopped',
  ],
  ['a reference that leads to itself', { $ref: '#' }, {}, 'stopped'],
  [
    'deep parameters for a recursive schema',
    { additionalProperties: { $ref: '#' } },
    nested(190, (inner) => ({ inner }), {}),
    0,
  ],
  [
    'an error for each of many items',
    { properties: { list: { items: { type: 'integer', minimum: 5 } } } },
    { list: times(200_000, () => 'x') },
    20,
  ],
  ['an error for each of many names', { additionalProperties: false }, object(14_000, () => 1), 20],
  ['many missing properties', { required: times(10_000, (index) => `p${index}`) }, {}, 20],
  [
    'a large enum',
    { properties: { a: { enum: times(12_000, (index) => `value ${index}`) } } },
    { a: 'none' },
    1,
  ],
  [
    'a large enum of objects',
    { properties: { a: { items: { enum: times(500, (index) => ({ id: index, b: 'x' })) } } } },
    { a: times(2_000, () => ({ id: -1, b: 'x' })) },
    20,
  ],
  [
    'the largest schema',
    { type: 'object', properties: object(1_200, () => ({ type: 'string', minLength: 2, format: 'email' })) },
    object(1_200, () => ''),
    20,
  ],
  [
    'many patterns',
    { patternProperties: Object.fromEntries(times(200, (at) => [`^x${at}.{0,50}$`, { type: 'string' }])) },
    object(2_000, () => 1),
    0,
  ],
  [
    'unevaluatedProperties over many names',
    { allOf: times(50, (at) => ({ properties: { [`p${at}`]: true } })), unevaluatedProperties: false },
    object(20_000, () => 1),
    20,
  ],
  [
    'contains over many items',
    { properties: { list: { contains: { const: { a: [1] } }, maxContains: 1 } } },
    { list: times(100_000, () => ({ a: [2] })) },
    20,
  ],
  [
    'a schema that is nested deeply',
    nested(60, (inner) => ({ properties: { a: inner } }), { type: 'integer' }),
    nested(60, (inner) => ({ a: inner }), 'x'),
    1,
  ],
];

describe('no schema and no parameters block the event loop', () => {
  test.each(hostile)('%s', async (_what, schema, parameters, expected) => {
    const using = expected === 'stopped' ? impatient : schemas;
    const result = await expectShortStretches(() => check(schema, parameters, using));
    expect(result.kind === 'checked' ? result.errors.length : result.kind).toBe(expected);
    expect(
      problemsOf(result).every(({ pointer, message }) => pointer.length < 500 && message.length < 501),
    ).toBe(true);
  });
});

describe('a check that is stopped', () => {
  const [slow, parameters] = [text({ pattern: '^(a+)+\\1$' }), { text: `${'a'.repeat(40)}!` }];

  test('is refused with a message, and logged for the operator', async () => {
    log.length = 0;
    const verdict = await impatient.check('slow', slow, parameters);
    const message =
      'must be smaller or simpler: checking them against the input schema exceeded its limit of time or memory';
    expect(problemsOf(verdict)).toEqual([{ pointer: '', message }]);
    expect(log).toMatchObject([{ message: 'input schema check stopped', revisionId: 'slow' }]);
  });

  test('limits its schema to one process at a time, which still checks other values', async () => {
    const first = impatient.check('slow', slow, { text: 'b' });
    await expect(impatient.check('slow', slow, { text: 'b' })).rejects.toThrow(PoolBusyError);
    expect(await first).toEqual({
      kind: 'checked',
      errors: [expect.objectContaining({ keyword: 'pattern' })],
    });
    expect(await impatient.check('slow', slow, { text: 'aaaa' })).toEqual({ kind: 'checked', errors: [] });
  });
});

test.each([
  ['small', { $ref: '#/$defs/none' }],
  ['large', { $ref: '#/$defs/none', enum: times(1_000, String) }],
])('a stored %s schema that cannot be compiled is not an internal error', async (_size, schema) => {
  log.length = 0;
  const message = 'must wait for another revision: the input schema cannot be used';
  expect(problemsOf(await check(schema, {}))).toEqual([{ pointer: '', message }]);
  expect(log).toMatchObject([{ message: 'input schema cannot be compiled' }]);
});

test('errors are the same inline and in a worker process', async () => {
  const schema = {
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: { a: { enum: ['x', 'y'] }, b: { type: 'array', items: { type: 'string', pattern: '^z' } } },
  };
  const parameters = { a: 5, b: ['z', 'q', 1], [`c${'c'.repeat(2_000)}`]: 1 };
  const here = await check(schema, parameters);
  // Too large to be compiled on the event loop.
  const elsewhere = await check({ ...schema, $defs: object(500, () => ({})) }, parameters);
  expect(elsewhere).toEqual(here);
  expect(problemsOf(here)).toEqual([
    { pointer: '', message: expect.stringMatching(/^must NOT have additional properties: cc/) },
    { pointer: '/a', message: 'must be equal to one of the allowed values: ["x","y"]' },
    { pointer: '/b/1', message: 'must match pattern "^z"' },
    { pointer: '/b/2', message: 'must be string' },
  ]);
});
