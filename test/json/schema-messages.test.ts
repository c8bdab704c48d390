import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { messageAtPlace, messageOf, placeOf } from '../../server/json/index.ts';

type Case = [schema: Record<string, unknown>, value: unknown, message: string];

const cases: Case[] = [
  [{ type: 'string' }, 5, 'must be a string'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'boolean' }, 'true', 'must be true or false'],
  [{ type: ['string', 'null'] }, 5, 'must be a string or null'],
  [{ minLength: 1 }, '', 'must not be empty'],
  [{ minLength: 3 }, 'ab', 'must have at least 3 characters'],
  [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
  [{ minItems: 1 }, [], 'must not be empty'],
  [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
  [{ uniqueItems: true }, [1, 2, 1], 'must not contain duplicates: items 0 and 2 are equal'],
  [{ minProperties: 1 }, {}, 'must have at least 1 property'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 property'],
  [{ minimum: 1 }, 0, 'must be at least 1'],
  [{ maximum: 100 }, 101, 'must be at most 100'],
  [{ exclusiveMinimum: 0 }, 0, 'must be greater than 0'],
  [{ exclusiveMaximum: 1 }, 1, 'must be less than 1'],
  [{ multipleOf: 5 }, 3, 'must be a multiple of 5'],
  [{ pattern: '^[a-z]+$' }, 'A', 'must match the pattern ^[a-z]+$'],
  [{ format: 'uuid' }, 'x', 'is not a valid UUID'],
  [
    { format: 'date-time' },
    '2026-11-01',
    'is not a valid date and time (RFC 3339), such as 2026-11-19T09:12:44Z',
  ],
  [{ enum: ['LIVE', null] }, 'x', 'must be one of "LIVE", null'],
  [{ const: 'x' }, 'y', 'must be "x"'],
  [{ required: ['a'] }, {}, 'must have the property "a"'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have the property "b"'],
  [{ additionalProperties: false }, { colour: 1 }, 'must not have the property "colour"'],
  [{ unevaluatedProperties: false }, { colour: 1 }, 'must not have the property "colour"'],
  [{ propertyNames: false }, { colour: 1 }, 'must not have the property "colour"'],
  [{ anyOf: [false, false] }, 1, 'must have one of the allowed forms'],
  [{ oneOf: [false, false] }, 1, 'must have exactly one of the allowed forms'],
  [{ not: {} }, 1, 'must not be valid'],
  [{ patternProperties: { '^x-': false } }, { 'x-a': 1 }, 'is not allowed'],
];

const ajv = new Ajv2020({ strict: false, formats: { uuid: /^$/, 'date-time': /^$/ } });

test.each(cases)('%j has its message', (schema, value, message) => {
  const validate = ajv.compile(schema);
  expect(validate(value)).toBe(false);
  expect(messageOf(validate.errors?.at(-1) as never)).toBe(message);
});

const places: [schema: Record<string, unknown>, value: unknown, problem: string][] = [
  [{ required: ['a/b'] }, {}, '/a~1b is required'],
  [{ properties: { a: { required: ['b'] } } }, { a: {} }, '/a/b is required'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b is required'],
  [{ additionalProperties: false }, { colour: 1 }, '/colour is not a property of this object'],
  [{ unevaluatedProperties: false }, { colour: 1 }, '/colour is not a property of this object'],
  [
    { propertyNames: { pattern: '^[a-z]+$' } },
    { A: 1 },
    '/A has a name that must match the pattern ^[a-z]+$',
  ],
  [{ properties: { a: { type: 'string' } } }, { a: 5 }, '/a must be a string'],
];

test.each(places)('%j: %j: %s', (schema, value, problem) => {
  const validate = ajv.compile(schema);
  expect(validate(value)).toBe(false);
  const [error] = validate.errors as never[];
  expect(`${placeOf(error as never)} ${messageAtPlace(error as never)}`).toBe(problem);
});

/** Names that together are too long for a message. */
const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`propertyNumber${at}`, true]));
const person = { firstName: true, lastName: true };

const unknowns: [schema: Record<string, unknown>, unknown: string, more: string][] = [
  [{ properties: person }, 'fistName', ', which takes firstName and lastName. Did you mean `firstName`?'],
  [{ properties: person }, 'colour', ', which takes firstName and lastName'],
  [{}, 'colour', ''],
  [{ properties: many }, 'propertyNumer7', '. Did you mean `propertyNumber7`?'],
  [{ properties: many }, 'colour', ''],
  [{ properties: many, patternProperties: {} }, 'propertyNumer7', '. Did you mean `propertyNumber7`?'],
  [{ properties: person, patternProperties: { '^x-': {} } }, 'fistName', '. Did you mean `firstName`?'],
  [{ properties: person, patternProperties: { '^x-': {} } }, 'colour', ''],
  [{ properties: person }, 'x'.repeat(101), ', which takes firstName and lastName'],
  [
    { properties: person, allOf: [{ properties: { colour: true } }] },
    'color',
    ', which takes firstName and lastName',
  ],
];

test.each(unknowns)('%j with the unknown property %s names what it takes', (schema, unknown, more) => {
  const verbose = new Ajv2020({ strict: false, verbose: true });
  const validate = verbose.compile({ ...schema, additionalProperties: false });
  expect(validate({ [unknown]: 1 })).toBe(false);
  const error = validate.errors?.find(({ keyword }) => keyword === 'additionalProperties') as never;
  expect(messageAtPlace(error)).toBe(`is not a property of this object${more}`);
});

test.each([
  [{ properties: person }, '. Did you mean `firstName`?'],
  [{ allOf: [{ properties: person }] }, '. Did you mean `firstName`?'],
  [{ anyOf: [{ oneOf: [{ properties: person }] }] }, '. Did you mean `firstName`?'],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: true, then: { properties: person } }, '. Did you mean `firstName`?'],
  [{ if: false, else: { properties: person } }, '. Did you mean `firstName`?'],
  [{ not: false }, ''],
])('unevaluatedProperties of %j suggest a name of its parts', (schema, more) => {
  const validate = new Ajv2020({ strict: false, verbose: true }).compile({
    ...schema,
    unevaluatedProperties: false,
  });
  expect(validate({ fistName: 1 })).toBe(false);
  expect(messageAtPlace(validate.errors?.at(-1) as never)).toBe(`is not a property of this object${more}`);
});

test('every keyword of the contract has a message of ours', async () => {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (ajv.getKeyword(name)) used.add(name);
      visit(part);
    }
  };
  const { paths, components } = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
  visit([paths, components]);
  // They apply other schemas, check nothing, or are the name of a field.
  const others = [
    '$ref',
    'allOf',
    'items',
    'properties',
    'description',
    'example',
    'examples',
    'default',
    'id',
  ];
  const covered = new Set(cases.flatMap(([schema]) => Object.keys(schema)));
  const missing = [...used].filter((name) => !covered.has(name) && !others.includes(name));
  expect(missing, 'Add a case above, and words in server/json/schema-messages.ts.').toEqual([]);
});
