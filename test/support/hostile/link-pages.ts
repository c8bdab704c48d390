/** Forms and input schemas that make the page of a link expensive. */
import { expensiveBodies, properties, times } from './bodies.ts';

export const fewFields = {
  properties: {
    amount: { type: 'number' },
    note: { type: 'string', maxLength: 5 },
    list: { type: 'array' },
  },
};

/** What is sent, its fields, and the status if it is not 422. */
export const expensiveForms: [string, string, number?][] = [
  ['a number of 40,000 digits and a letter', `f.amount=${'1'.repeat(40_000)}x`],
  ['a number of spaces', `f.amount=1${'+'.repeat(900_000)}x`],
  ['a number with a comma', `f.amount=${'1'.repeat(500_000)},${'1'.repeat(500_000)}x`],
  ['as many names as fit', 'a&'.repeat(520_000), 413],
  ['values without a name', '='.repeat(1_000_000)],
  ['a name many times', 'f.note=ab&'.repeat(1_900)],
  ['line ends', `f.note=${'\r\n'.repeat(500_000)}`],
  ['encoded line ends', `f.note=${'%0D%0A'.repeat(170_000)}`],
  ['zero characters', `f.note=${'%00a'.repeat(250_000)}`],
  ['brackets', `f.note=${'<"'.repeat(500_000)}`],
  ['percent signs', `f.note=${'%'.repeat(1_000_000)}`],
  ['bytes that are not UTF-8', `f.note=${'%F0'.repeat(340_000)}`],
  ['JSON of many names', `f.list=${expensiveBodies['as many names as are accepted']}`],
  ['JSON of too many texts', `f.list=${expensiveBodies['short texts']?.slice(0, 900_000)}`],
  ['deep JSON', `f.list=${'['.repeat(1_000_000)}`],
];

/** What is shown, the input schema, and the parameters of the link. */
export const expensivePages: [string, object, unknown][] = [
  ['more properties than a form has', { properties: properties(1_500, () => ({ type: 'string' })) }, {}],
  [
    '200 number fields with bounds',
    { properties: properties(200, () => ({ type: 'number', minimum: 1, maximum: 5 })) },
    {},
  ],
  ['a choice of many', { properties: { q: { enum: times(5_000, String) } } }, {}],
  [
    'a choice of many for each of many',
    {
      properties: properties(150, () => ({ $ref: '#/$defs/many' })),
      $defs: { many: { enum: times(2_000, String) } },
    },
    {},
  ],
  [
    'a long default for each of many',
    {
      properties: properties(150, () => ({ $ref: '#/$defs/long' })),
      $defs: { long: { default: 'x'.repeat(50_000) } },
    },
    {},
  ],
  [
    'a long description for each of many',
    {
      properties: properties(150, () => ({ $ref: '#/$defs/long' })),
      $defs: { long: { type: 'string', description: 'x'.repeat(50_000) } },
    },
    {},
  ],
  [
    'references to references',
    {
      properties: properties(150, () => ({ $ref: '#/$defs/p0' })),
      $defs: properties(40, (at) => ({
        ...(at < 39 && { $ref: `#/$defs/p${at + 1}` }),
        default: properties(100, () => true),
      })),
    },
    {},
  ],
  ['brackets in a field', fewFields, { note: '<'.repeat(900_000) }],
  ['brackets beside the fields', fewFields, { other: '<'.repeat(900_000) }],
  ['many values beside the fields', fewFields, properties(9_900, () => 1)],
  ['a long list beside the fields', fewFields, { other: times(190_000, () => 1) }],
  ['a long list in a field', fewFields, { list: times(190_000, () => 1) }],
  ['a name that is long', fewFields, { [`a${'bB'.repeat(400_000)}`]: 1 }],
  ['much to be entered as a whole', { anyOf: [{}] }, properties(9_900, () => '<')],
  [
    'a value that is nested deeply',
    fewFields,
    { other: times(150, () => undefined).reduce((inner: unknown) => [inner], 1) },
  ],
  [
    'a pattern over a long text',
    { properties: { note: { pattern: '^(a+)+$' } } },
    { note: `${'a'.repeat(900_000)}!` },
  ],
];
