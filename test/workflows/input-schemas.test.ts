import { describe, expect, test } from 'vitest';
import { PoolBusyError } from '../../server/isolation/index.ts';
import { problemsOf } from '../../server/json-schema/index.ts';
import { properties as object, times } from '../support/hostile/bodies.ts';
import { text } from '../support/hostile/schemas.ts';
import { schemaChecks, testHostileSchemas } from './schema-checks.ts';

const checks = schemaChecks();
const { log, strict, check } = checks;

// The others: input-schemas.slow.test.ts.
testHostileSchemas(checks, 'sample');

describe('a check that is stopped', () => {
  const [slow, parameters] = [text({ pattern: '^(a+)+\\1$' }), { text: `${'a'.repeat(40)}!` }];

  test('is refused with a message, and logged for the operator', async () => {
    log.length = 0;
    const verdict = await strict.check('slow', slow, parameters);
    const message =
      'must be smaller or simpler: checking them against the input schema exceeded its limit of time or memory';
    expect(problemsOf(verdict)).toEqual([{ pointer: '', message }]);
    expect(log).toMatchObject([{ message: 'input schema check stopped', revisionId: 'slow' }]);
  });

  test('limits its schema to one process at a time, which still checks other values', async () => {
    const first = strict.check('slow', slow, { text: 'b' });
    await expect(strict.check('slow', slow, { text: 'b' })).rejects.toThrow(PoolBusyError);
    expect(await first).toEqual({
      kind: 'checked',
      errors: [expect.objectContaining({ keyword: 'pattern' })],
    });
    expect(await strict.check('slow', slow, { text: 'aaaa' })).toEqual({ kind: 'checked', errors: [] });
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

test('a missing or unexpected property has its own pointer', async () => {
  const schema = {
    type: 'object',
    required: ['cause'],
    properties: {
      cause: {},
      damage: { type: 'object', required: ['place'], additionalProperties: false, properties: { place: {} } },
    },
    propertyNames: { maxLength: 9 },
    additionalProperties: false,
  };
  const found = problemsOf(await check(schema, { damage: { kind: 'fire' }, deductible: 1 }));
  expect(found.map(({ pointer, message }) => `${pointer} ${message}`).sort()).toEqual([
    '/cause is required',
    '/damage/kind is not a property of this object, which takes place',
    '/damage/place is required',
    '/deductible has a name that must have at most 9 characters',
    '/deductible is not a property of this object, which takes cause and damage',
  ]);
});

/** Too large to be compiled on the event loop. */
const large = { $defs: object(500, () => ({})) };

test.each<[string, object]>([
  ['inline', {}],
  ['in a worker process', large],
])('a misspelled property gets the near one, checked %s', async (_where, more) => {
  const damage = { additionalProperties: false, properties: { place: {}, cause: {} } };
  const lines = { type: 'array', items: { additionalProperties: false, properties: { price: {} } } };
  const open = { unevaluatedProperties: false, allOf: [{ properties: { street: {} } }] };
  const parts = { damage, lines, open, claimNumber: {} };
  const schema = { additionalProperties: false, properties: parts, ...more };
  const given = { damage: { plce: 1 }, lines: [{ pirce: 1 }], open: { stret: 1 }, claimNumbr: 1 };
  const verdict = await check(schema, given);
  const found = problemsOf(verdict);
  expect(found.map(({ pointer, message }) => `${pointer} ${message}`).sort()).toEqual([
    '/claimNumbr is not a property of this object, which takes damage, lines, open and claimNumber. Did you mean `claimNumber`?',
    '/damage/plce is not a property of this object, which takes place and cause. Did you mean `place`?',
    '/lines/0/pirce is not a property of this object, which takes price. Did you mean `price`?',
    '/open/stret is not a property of this object. Did you mean `street`?',
  ]);
  // The schema and the parameters are not passed on with each error.
  expect(JSON.stringify(verdict)).not.toContain('Schema"');
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
  const elsewhere = await check({ ...schema, ...large }, parameters);
  expect(elsewhere).toEqual(here);
  expect(problemsOf(here)).toEqual([
    { pointer: '', message: expect.stringMatching(/^must not have the property "cc/) },
    { pointer: '/a', message: 'must be one of "x", "y"' },
    { pointer: '/b/1', message: 'must match the pattern ^z' },
    { pointer: '/b/2', message: 'must be a string' },
  ]);
});
