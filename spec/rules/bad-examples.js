import { failure, sound } from './good-document.js';

const list = ['paths', '/things', 'get'];
const newThing = ['paths', '/things', 'post', 'requestBody', 'content', 'application/json', 'schema'];
const create = ['paths', '/things', 'post'];
const link = [...create, 'responses', '204', 'links', 'get'];
const size = [...list, 'parameters', '0'];
const response = [...list, 'responses', '200', 'content', 'application/json'];
const retryAfter = [...list, 'responses', '200', 'headers', 'Retry-After'];
const errors = [
  ...list,
  ...['responses', '404', 'content', 'application/json', 'examples', 'missing', 'value', 'errors'],
];
const event = ['webhooks', 'thing.made', 'post'];
const payload = [...event, 'requestBody', 'content', 'application/json'];
const schemas = ['components', 'schemas'];

/**
 * Bad examples for each rule of our own: what it is, where in the good document, the value there (undefined: removed),
 * and a part of the rule's message.
 * @type {Record<string, [problem: string, path: string[], value: unknown, says: string][]>}
 */
export const badExamples = {
  'security-stated': [
    [
      'an operation without security',
      [...list, 'security'],
      undefined,
      'Declare who may call this operation',
    ],
    ['a webhook without security', [...event, 'security'], undefined, 'Declare who may call this operation'],
    [
      'schemes that ask for different permissions',
      [...list, 'security'],
      [{ token: ['can_see'] }, { jwt: [] }],
      'the same permissions',
    ],
    [
      'a permission that no guide lists',
      [...list, 'security'],
      [{ token: ['can_sea'] }, { jwt: ['can_sea'] }],
      'Did you mean `can_see`? It lists `can_see`',
    ],
  ],
  'links-lead': [
    [
      'a link to no tag',
      ['tags', '2', 'description'],
      '[Rights](#/right)',
      '`#/right` leads nowhere: there is no tag `right`. Did you mean `rights`?',
    ],
    [
      'a link to no operation of the tag',
      [...list, 'description'],
      '[Make](#/things/makething)',
      '`things` has no operation `makething`',
    ],
    [
      'a relative link',
      ['tags', '2', 'description'],
      '[Rights](./rights.md)',
      '`./rights.md` leads nowhere: a relative link has no target in the portal. Did you mean `#/rights`?',
    ],
    [
      'a link to no page of the portal',
      [...list, 'description'],
      'See [the list][1].\n\n[1]: /dogs',
      '`/dogs` leads nowhere: the portal has no page `/dogs`. Did you mean `/docs`?',
    ],
  ],
  'markdown-closed': [
    [
      'a code block without end',
      ['tags', '2', 'description'],
      'See:\n\n```sh\necho\n',
      'not closed: add ```',
    ],
    ['code without end', ['tags', '2', 'description'], 'Call `list and wait.', 'a backtick is missing'],
    [
      'emphasis without end in a table',
      ['tags', '2', 'description'],
      '| A | B |\n|---|---|\n| **one | two |',
      '`**` is missing',
    ],
    ['emphasis without end in a list', [...list, 'description'], '- one *two\n- three', '`*` is missing'],
    ['HTML', [...list, 'description'], 'One<br>two.', '`<br>` is HTML'],
    ['a link without end', [...list, 'description'], 'See [Rights](#/rights', '`)` is missing'],
    [
      'a row with another number of cells',
      ['tags', '2', 'description'],
      '| A | B |\n|---|---|\n| one |',
      'The row has 1 cells, the header 2',
    ],
  ],
  'deprecation-dated': [
    [
      'a deprecated operation without dates',
      [...list, 'deprecated'],
      true,
      'add `x-deprecated-since` and `x-sunset`',
    ],
    [
      'a date that does not exist',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', deprecated: true, 'x-deprecated-since': '2026-11-01', 'x-sunset': '2028-02-30' },
      'add `x-sunset`',
    ],
    [
      'a sunset within a year',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', deprecated: true, 'x-deprecated-since': '2026-11-01', 'x-sunset': '2027-10-31' },
      'must not be before 2027-11-01',
    ],
    [
      'dates of something that is not deprecated',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', 'x-deprecated-since': '2026-11-01', 'x-sunset': '2027-11-01' },
      'add `deprecated: true`',
    ],
  ],
  'closed-requests': [
    [
      'an open object in a request',
      [...newThing, 'additionalProperties'],
      undefined,
      'additionalProperties: false',
    ],
    [
      'an open object in a property of a request',
      [...newThing, 'properties', 'name', 'type'],
      ['object', 'null'],
      'additionalProperties: false',
    ],
    [
      'an open composition in a request',
      newThing,
      { type: 'object', allOf: [{ type: 'object' }] },
      'unevaluatedProperties: false',
    ],
    [
      'an open object that a request and a response share',
      newThing,
      { $ref: '#/components/schemas/Thing' },
      'additionalProperties: false',
    ],
    [
      'a schema without a type',
      [...schemas, 'Thing', 'properties', 'name'],
      { description: 'Anything.' },
      'State a `type`',
    ],
    [
      'a closed object in a response',
      [...schemas, 'Thing', 'additionalProperties'],
      false,
      'remove `additionalProperties`',
    ],
    [
      'an object in a response that allows any field',
      [...schemas, 'Thing', 'additionalProperties'],
      true,
      'remove `additionalProperties`',
    ],
    [
      'a closed event',
      [...payload, 'schema', 'additionalProperties'],
      false,
      'remove `additionalProperties`',
    ],
  ],
  'common-headers': [
    [
      'a response without a header that all have',
      [...list, 'responses', '404', 'headers'],
      undefined,
      'Declare `Request-Id`, `Vary`',
    ],
  ],
  'creation-linked': [
    [
      'a creation without links',
      [...create, 'responses', '204', 'links'],
      undefined,
      'Add `links` to the response that has the identifier: `getThing` take it',
    ],
    [
      'a link to an operation that does not exist',
      [...link, 'operationId'],
      'getNothing',
      'There is no operation `getNothing`',
    ],
    ['a link without a path parameter', [...link, 'parameters'], {}, '`getThing` also takes thingId'],
    [
      'a link with an object as body',
      [...link, 'requestBody'],
      { name: '$response.body#/name' },
      'Move `requestBody`',
    ],
  ],
  'integer-formats': [
    [
      'an integer without bounds',
      [...schemas, 'Thing', 'properties', 'size'],
      { type: 'integer' },
      'Add `format: int64`',
    ],
    [
      'an integer without an upper bound',
      [...schemas, 'Thing', 'properties', 'size'],
      { type: 'integer', minimum: 0 },
      'Add `format: int64`',
    ],
    [
      'a nullable integer with a bound beyond 32 bits',
      [...schemas, 'Thing', 'properties', 'size'],
      { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 31 },
      'Add `format: int64`',
    ],
    [
      'an integer with a value beyond 32 bits',
      [...schemas, 'Thing', 'properties', 'size'],
      { type: 'integer', enum: [1, -(2 ** 31) - 1] },
      'Add `format: int64`',
    ],
    [
      'an integer beyond 32 bits with another format',
      [...schemas, 'Thing', 'properties', 'size'],
      { type: 'integer', format: 'int32', minimum: 0, maximum: 2 ** 31 },
      'Add `format: int64`',
    ],
    ['int64 of an integer within 32 bits', [...size, 'schema', 'format'], 'int64', 'Remove `format: int64`'],
  ],
  'names-distinct': [
    [
      'a name that is another in Go',
      [...schemas, 'NewThing'],
      { type: 'object' },
      '`NewThing` is also the name of the constructor of `Thing` in Go',
    ],
    [
      'names that differ in their case',
      [...schemas, 'THING'],
      { type: 'object' },
      '`THING` is `Thing` in generated code',
    ],
    [
      'the name that generators give the parameters of an operation',
      [...schemas, 'GetThingRequest'],
      { type: 'object' },
      '`GetThingRequest` is also the name of a type of `getThing`',
    ],
    [
      'a webhook with a tag of operations',
      [...event, 'tags'],
      ['things'],
      'Operations have the tag `things`',
    ],
  ],
  'no-defs': [
    [
      'a schema with $defs',
      [...schemas, 'Thing', '$defs'],
      { Part: { type: 'string' } },
      'Move the schemas in `$defs`',
    ],
  ],
  'examples-present': [
    ['a response without examples', [...response, 'examples'], undefined, 'Add an example'],
    ['a response with no example among its examples', [...response, 'examples'], {}, 'Add an example'],
    ['a parameter without an example', [...size, 'example'], undefined, 'Add an example'],
    ['a header without an example', [...retryAfter, 'example'], undefined, 'Add an example'],
    ['an event without an example', [...payload, 'examples'], undefined, 'Add an example'],
  ],
  'error-codes': [
    [
      'a 404 without an example of the code that each has',
      [
        ...create,
        'responses',
        '404',
        'content',
        'application/json',
        'examples',
        'missing',
        'value',
        'errors',
      ],
      [],
      'The 404 of `createThing` has no example with `thing_missing`',
    ],
    [
      'an example with a code that is not in the list',
      errors,
      [...failure.errors, { code: 'thing_gone', message: 'It is gone.' }],
      '`thing_gone` is not in the list',
    ],
    [
      'a mistyped code, which leaves the list without an example of the right one',
      errors,
      [{ code: 'thing_mising', message: 'There is no such thing.' }],
      'Did you mean `thing_missing`?',
    ],
    [
      'a code that no example names',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing', 'not_http', 'unheard_of'],
      'No response has an example with `unheard_of`',
    ],
    [
      'an exemption of a code that an example names',
      errors,
      [...failure.errors, { code: 'not_http', message: 'Not HTTP.' }],
      'remove it from `undeclared`',
    ],
    [
      'a guide that explains what is not a code',
      ['tags', '2', 'description'],
      '- `thing_mising`: there is no such thing.',
      'The guide explains `thing_mising`, which is not an error code. Did you mean `thing_missing`?',
    ],
    [
      'an exemption of what is not a code',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing'],
      '`undeclared` names `not_http`',
    ],
  ],
  'default-fits-schema': [
    ['a default of another type', [...size, 'schema', 'default'], '20', 'must be integer'],
    ['a default out of bounds', [...size, 'schema', 'default'], 200, 'must be <= 100'],
    [
      'a default beside a $ref that its enum does not hold',
      [...schemas, 'Thing', 'properties', 'name'],
      { $ref: '#/components/schemas/ErrorCode', default: 'thing_gone' },
      'must be equal to one of the allowed values',
    ],
  ],
  'header-examples-fit': [
    ['an example of another type', [...retryAfter, 'example'], 'soon', 'must be integer'],
    [
      'a named example out of bounds',
      [...retryAfter],
      { schema: { type: 'integer', minimum: 1, maximum: 60 }, examples: { now: { value: 0 } } },
      'must be >= 1',
    ],
  ],
  'possible-schemas': [
    [
      'a lower bound above the upper one',
      [...schemas, 'Odd'],
      { type: 'integer', minimum: 5, maximum: 1 },
      '`minimum` is above `maximum`',
    ],
    [
      'a pattern that is no regular expression',
      [...schemas, 'Odd'],
      { type: 'string', pattern: '(' },
      'not a regular expression',
    ],
    ['an array of anything', [...schemas, 'Odd'], { type: 'array', maxItems: 5 }, 'add `items`'],
    ['an enum without values', [...schemas, 'Odd'], { type: 'string', enum: [] }, 'list the values'],
    [
      'objects among which nothing decides',
      [...schemas, 'Odd'],
      { oneOf: [{ type: 'object' }, { type: 'object' }] },
      'add a `discriminator`',
    ],
  ],
  'media-types': [
    [
      'a media type that nobody knows',
      [...list, 'responses', '200', 'content'],
      { 'application/jsn': { schema: { type: 'string' }, examples: { a: { value: 'a' } } } },
      'Did you mean `application/json`?',
    ],
  ],
  'strict-refs': [
    [
      'a reference where the specification allows none',
      [...list, 'responses'],
      { $ref: '#/paths/~1things~1{thingId}/get/responses' },
      'cannot be referred to here',
    ],
  ],
  'texts-short': [
    [
      'a description as long as a guide',
      [...list, 'description'],
      'word '.repeat(1000),
      'move the rest to a guide',
    ],
  ],
  'event-types': [
    [
      'an event of another type than the name of its webhook',
      [...payload, 'schema', 'properties', 'type', 'enum'],
      ['thing.lost'],
      'must be `enum: [thing.made]`',
    ],
    ['an event without a signature', [...event, 'parameters'], [], 'Require the header'],
    [
      'a change without an event that says no reason',
      [...create, 'x-no-event'],
      true,
      'Say in `x-no-event` why',
    ],
    [
      'a read that says that it has no event',
      [...list, 'x-no-event'],
      'Nobody cares.',
      'A GET changes nothing',
    ],
    [
      'a text that names an unknown event type',
      [...list, 'description'],
      'Sends `thing.made`, then `.lst`, but not `other.made`.',
      '`thing.lst` is not an event type',
    ],
  ],
};

const operation = ['paths', '/things/{thingId}', 'get'];

/**
 * Bad examples for Redocly's rules, in the same form.
 * @type {typeof badExamples}
 */
export const badExamplesOfRedocly = {
  'operation-summary': [['an operation without a summary', [...operation, 'summary'], undefined, 'summary']],
  'operation-description': [
    ['an operation without a description', [...operation, 'description'], undefined, 'description'],
  ],
  'operation-operationId': [
    ['an operation without an operationId', [...operation, 'operationId'], undefined, 'operationId'],
  ],
  'operation-operationId-unique': [
    ['an operationId that another operation has', [...operation, 'operationId'], 'listThings', 'unique'],
  ],
  'operation-operationId-url-safe': [
    ['an operationId with a space', [...operation, 'operationId'], 'get thing', 'URL'],
  ],
  'operation-2xx-response': [
    [
      'no response to a successful request',
      [...operation, 'responses'],
      { 404: { description: 'No such thing.' } },
      '2XX',
    ],
  ],
  'operation-4xx-response': [
    [
      'no response to a wrong request',
      [...operation, 'responses'],
      { 204: { description: 'It exists.' } },
      '4XX',
    ],
  ],
  'operation-tag-defined': [['a tag that is not declared', [...operation, 'tags'], ['thing'], 'tags']],
  'operation-singular-tag': [['two tags', [...operation, 'tags'], ['things', 'rights'], 'tag']],
  'path-parameters-defined': [
    ['a path parameter that is not described', [...operation, 'parameters'], [], 'thingId'],
  ],
  'parameter-description': [
    ['a parameter without a description', [...size, 'description'], undefined, 'description'],
  ],
  'no-enum-type-mismatch': [
    [
      'a value of another type than the schema',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing', 'not_http', 404],
      'type',
    ],
  ],
  'no-invalid-media-type-examples': [
    [
      'an example that does not match its schema',
      [...response, 'examples'],
      { small: { value: { name: 7 } } },
      'string',
    ],
  ],
  'no-required-schema-properties-undefined': [
    ['a required property that is not described', [...schemas, 'Thing', 'required'], ['nane'], 'nane'],
  ],
  'no-path-trailing-slash': [
    [
      'a path with a slash at its end',
      ['paths', '/things/'],
      { get: { ...sound.paths['/things/{thingId}'].get, operationId: 'findThing', parameters: [] } },
      'slash',
    ],
  ],
  'no-http-verbs-in-paths': [
    [
      'a verb in a path',
      ['paths', '/get-things'],
      { get: { ...sound.paths['/things/{thingId}'].get, operationId: 'findThing', parameters: [] } },
      'verb',
    ],
  ],
  'tag-description': [
    ['a tag without a description', ['tags', '2', 'description'], undefined, 'description'],
  ],
  'info-contact': [['no contact', ['info', 'contact'], undefined, 'contact']],
  'info-license': [['no license', ['info', 'license'], undefined, 'license']],
  'no-empty-servers': [['no server', ['servers'], [], 'server']],
  'no-server-trailing-slash': [
    ['a server with a slash at its end', ['servers', '0', 'url'], 'https://things.example/', 'slash'],
  ],
  'no-server-example.com': [
    ['a server that does not exist', ['servers', '0', 'url'], 'https://example.com', 'example.com'],
  ],
  'no-duplicated-tag-names': [['a tag that is declared twice', ['tags', '1', 'name'], 'rights', 'rights']],
  'operation-parameters-unique': [
    [
      'a parameter that is described twice',
      [...list, 'parameters'],
      [sound.paths['/things'].get.parameters[0], sound.paths['/things'].get.parameters[0]],
      'unique',
    ],
  ],
  'no-ambiguous-paths': [
    [
      'two paths that match the same request',
      ['paths', '/things/{name}'],
      { put: { ...sound.paths['/things/{thingId}'].get, operationId: 'putThing' } },
      '/things/',
    ],
  ],
  'no-schema-type-mismatch': [
    ['properties of a text', [...schemas, 'Thing', 'type'], 'string', 'properties'],
  ],
  'no-invalid-schema-examples': [
    [
      'an example of another type than its schema',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', examples: [7] },
      'string',
    ],
  ],
  'security-defined': [['an operation without security', [...operation, 'security'], undefined, 'security']],
  struct: [['a misspelt field', [...operation, 'sumary'], 'Get a thing', 'sumary']],
  'no-unresolved-refs': [
    [
      'a reference to what does not exist',
      [...response, 'schema'],
      { $ref: '#/components/schemas/Thin' },
      'resolve',
    ],
  ],
  'array-parameter-serialization': [
    [
      'a list without `style` and `explode`',
      [...size, 'schema'],
      { type: 'array', items: { type: 'integer' } },
      'style',
    ],
  ],
  'info-license-strict': [
    ['a license without an identifier', ['info', 'license'], { name: 'MIT' }, 'identifier'],
  ],
  'no-duplicated-enum-values': [
    [
      'a value that is listed twice',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing', 'not_http', 'not_http'],
      'not_http',
    ],
  ],
  'no-example-value-and-externalValue': [
    [
      'an example in two places',
      [...response, 'examples'],
      { small: { value: { name: 'a' }, externalValue: 'https://things.example/small.json' } },
      'externalValue',
    ],
  ],
  'no-identical-paths': [
    [
      'paths that differ only in the name of a parameter',
      ['paths', '/things/{id}'],
      {
        put: { ...sound.paths['/things'].get, operationId: 'putThing' },
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'The thing.',
            schema: { type: 'string' },
            example: 'a1',
          },
        ],
      },
      'differs only',
    ],
  ],
  'no-illogical-composition-keywords': [
    [
      'alternatives that are the same',
      [...schemas, 'Thing', 'properties', 'name'],
      { oneOf: [{ type: 'string' }, { type: 'string' }] },
      'oneOf',
    ],
  ],
  'no-invalid-parameter-examples': [
    ['an example of another type than its parameter', [...size, 'example'], 'many', 'integer'],
  ],
  'no-mixed-number-range-constraints': [
    [
      'an inclusive and an exclusive bound',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'integer', minimum: 1, exclusiveMinimum: 0 },
      'exclusiveMinimum',
    ],
  ],
  'no-server-variables-empty-enum': [
    [
      'a default that is not one of the values',
      ['servers', '0'],
      { url: 'https://{region}.things.example', variables: { region: { default: 'eu', enum: ['us'] } } },
      'default',
    ],
  ],
  'no-undefined-server-variable': [
    ['a variable that is not declared', ['servers', '0', 'url'], 'https://{region}.things.example', 'region'],
  ],
  'no-unsafe-markdown': [
    [
      'a script in a description',
      [...operation, 'description'],
      'Says whether <script>alert(1)</script> exists.',
      'script',
    ],
  ],
  'no-unused-components': [
    ['a schema that nothing refers to', [...schemas, 'Thin'], { type: 'string' }, 'Thin'],
  ],
  'path-declaration-must-exist': [
    [
      'a parameter without a name',
      ['paths', '/things/{}/parts'],
      { get: { ...sound.paths['/things'].get, operationId: 'listParts' } },
      'empty',
    ],
  ],
  'path-not-include-query': [
    [
      'a path with a query',
      ['paths', '/parts?size=1'],
      { get: { ...sound.paths['/things'].get, operationId: 'listParts' } },
      'query',
    ],
  ],
  'spec-components-invalid-map-name': [
    ['a name with a space', ['components', 'schemas', 'Any Json'], { type: 'object' }, 'Any Json'],
  ],
  'spec-ref-siblings': [
    [
      'a field beside a reference',
      [...list, 'responses', '404'],
      { $ref: '#/paths/~1things/post/responses/404', content: {} },
      'alongside',
    ],
  ],
};

/** The good document with one value replaced; undefined removes it. */
export function goodDocumentBut(path, value) {
  // Shared parts of the document become separate.
  const document = JSON.parse(JSON.stringify(sound));
  const parent = path.slice(0, -1).reduce((node, step) => {
    if (!(step in node)) throw new Error(`The good document has no ${path.join(' ')}`);
    return node[step];
  }, document);
  parent[path.at(-1) ?? ''] = value;
  return document;
}
