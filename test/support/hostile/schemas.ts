/** Input schemas and parameters that are expensive to check. */
import { properties as object, times } from './bodies.ts';

const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown) =>
  times(levels, () => undefined).reduce((done: unknown) => wrap(done), inner);
export const text = (property: object) => ({
  type: 'object',
  properties: { text: { type: 'string', ...property } },
});
export const long = 'a'.repeat(500_000);

/** A hostile case, the schema, the parameters, and the number of errors, or `stopped`. */
export const hostileSchemas: [string, unknown, unknown, number | 'stopped'][] = [
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

const succeed = { Done: { Type: 'Succeed' } };
const withSchema = (inputSchema: object) => ({ inputSchema, states: succeed });
const withExpression = (expression: string) => ({
  states: { S: { Type: 'Pass', Output: `{% ${expression} %}`, End: true } },
});

/** Definitions that are refused when they are applied. A string is the JSON of a declaration. */
export const refusedDefinitions: [
  what: string,
  definition: { inputSchema?: object; states: Record<string, object> } | string,
][] = [
  ['a backreference', withSchema(text({ pattern: '^(a+)+\\1$' }))],
  ['a lookahead', withSchema(text({ pattern: '^(?=.*\\d).{8,}$' }))],
  ['a lookbehind', withSchema(text({ pattern: '(?<!a)b' }))],
  ['an invalid pattern', withSchema(text({ pattern: '(' }))],
  ['a pattern of a million repetitions', withSchema(text({ pattern: '(a{1000}){1000}' }))],
  ['a pattern of 2,001 characters', withSchema(text({ pattern: 'a'.repeat(2_001) }))],
  ['patternProperties of a backreference', withSchema({ patternProperties: { '(a)\\1': true } })],
  ['a schema of 65 levels', withSchema(nested(70, (inner) => ({ not: inner }), {}) as object)],
  ['a schema of 100,000 bytes', withSchema({ description: 'x'.repeat(100_000) })],
  ['a remote reference', withSchema({ $ref: 'http://127.0.0.1:9/schema.json' })],
  ['a reference to a file', withSchema({ $ref: 'file:///etc/passwd' })],
  ['a reference to nothing', withSchema({ $ref: '#/$defs/none' })],
  ['an unknown type', withSchema({ type: 'everything' })],
  [
    'a schema of another dialect',
    withSchema({ $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true }),
  ],
  ['parentheses', withExpression(`${'('.repeat(50_000)}1${')'.repeat(50_000)}`)],
  ['arrays', withExpression(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ['signs', withExpression(`${'-'.repeat(100_000)}1`)],
  ['an invalid expression', withExpression('1 +')],
  [
    'a state that nests',
    { states: { S: { Type: 'Pass', Output: nested(150, (inner) => [inner], 1) as object, End: true } } },
  ],
  ['no states', { states: {} }],
  ['a transition to nowhere', { states: { S: { Type: 'Pass', Next: 'Nowhere' } } }],
  ['an unknown resource', { states: { S: { Type: 'Task', Resource: 'arn:aws:lambda:x', End: true } } }],
  ['a document of 100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a name of a prototype', '{"__proto__":{"polluted":true},"name":"x","revision":"1","definition":{}}'],
  [
    'a bomb of aliases',
    '{"name":"x","revision":"1","uiOptions":[&a [1,1,1,1,1,1,1,1,1],&b [*a,*a,*a,*a,*a,*a,*a,*a],&c [*b,*b,*b,*b,*b,*b,*b,*b],&d [*c,*c,*c,*c,*c,*c,*c,*c],&e [*d,*d,*d,*d,*d,*d,*d,*d],[*e,*e,*e,*e,*e,*e,*e,*e]],"definition":{}}',
  ],
];
