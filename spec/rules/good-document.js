export const failure = {
  fingerprint: 'f1',
  errors: [{ code: 'thing_missing', message: 'There is no such thing.' }],
};

const common = Object.fromEntries(
  ['Request-Id', 'Vary'].map((name) => [name, { schema: { type: 'string' }, example: 'x' }]),
);

const missing = {
  description: 'No such thing.',
  headers: common,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Failure' },
      examples: { missing: { value: failure } },
    },
  },
};

/** A small contract in which no rule finds anything: the good examples of the style guide. */
export const sound = {
  openapi: '3.1.1',
  info: {
    title: 'Things',
    version: '1.0.0',
    contact: { name: 'Things', email: 'things@things.example' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'https://things.example' }],
  tags: [
    {
      name: 'rights',
      description: '| Permission | Allows |\n|---|---|\n| `can_see` | look, see [Things](#/things) |',
    },
    {
      name: 'happenings',
      description: 'What happens to things.',
    },
    {
      name: 'things',
      description: [
        'All of them: [list](#/things/listthings), `thing.made`, <https://example.org/>, [pages](/docs#a_b).',
        '* an *emphasised* item, 2 * 3, `a|*b`, snake_case and \\*text\n* **bold**, **[a link](https://wrp.example)** and more\n  and _more_',
        '- `thing_missing`: there is no such thing.',
        '| A | `**B` |\n|---|:--:|\n| one | `a` \\| **b** |',
        '```sh\necho "* <b> ` ](" # [not](a/link)\n```',
      ].join('\n\n'),
    },
  ],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'List the things',
        description: 'Returns all things.',
        tags: ['things'],
        security: [{ token: ['can_see'] }, { jwt: ['can_see'] }],
        parameters: [
          {
            name: 'size',
            in: 'query',
            description: 'Things per page.',
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
            example: 20,
          },
        ],
        responses: {
          200: {
            description: 'A thing.',
            headers: {
              ...common,
              'Retry-After': { schema: { type: 'integer', minimum: 1, maximum: 60 }, example: 19 },
            },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Thing' },
                examples: { small: { value: { name: 'a' } } },
              },
            },
          },
          404: missing,
        },
      },
      post: {
        operationId: 'createThing',
        summary: 'Create a thing',
        description: 'Creates a thing.',
        tags: ['things'],
        security: [{ token: ['can_see'] }, { jwt: ['can_see'] }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                properties: { name: { type: 'string' }, details: { $ref: '#/components/schemas/AnyJson' } },
              },
              examples: { small: { value: { name: 'a' } } },
            },
          },
        },
        responses: {
          204: {
            description: 'Created.',
            headers: common,
            links: { get: { operationId: 'getThing', parameters: { thingId: '$response.body#/id' } } },
          },
          404: missing,
        },
      },
    },
    '/things/{thingId}': {
      get: {
        operationId: 'getThing',
        summary: 'Get a thing',
        description: 'Says whether a thing exists.',
        parameters: [
          {
            name: 'thingId',
            in: 'path',
            required: true,
            description: 'The thing.',
            schema: { type: 'string' },
            example: 'a1',
          },
        ],
        tags: ['things'],
        security: [{ token: ['can_see'] }, { jwt: ['can_see'] }],
        responses: {
          204: { description: 'It exists.', headers: common },
          404: missing,
        },
      },
    },
  },
  webhooks: {
    'thing.made': {
      post: {
        operationId: 'onThingMade',
        summary: 'A thing was made',
        description: 'Sent for each new thing.',
        tags: ['happenings'],
        security: [],
        parameters: [
          {
            name: 'Webhook-Signature',
            description: 'Signature of the body.',
            in: 'header',
            required: true,
            schema: { type: 'string' },
            example: 'e30..c2ln',
          },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { type: { type: 'string', enum: ['thing.made'] } } },
              examples: { made: { value: { type: 'thing.made' } } },
            },
          },
        },
        responses: { '2XX': { description: 'Taken.' } },
      },
    },
  },
  components: {
    securitySchemes: {
      token: { type: 'apiKey', in: 'header', name: 'Authorization' },
      jwt: { type: 'http', scheme: 'bearer' },
    },
    schemas: {
      Thing: { type: 'object', properties: { name: { type: 'string' } } },
      Failure: {
        type: 'object',
        properties: {
          fingerprint: { type: 'string' },
          errors: { type: 'array', items: { $ref: '#/components/schemas/FailureItem' } },
        },
      },
      FailureItem: {
        type: 'object',
        properties: { code: { $ref: '#/components/schemas/ErrorCode' }, message: { type: 'string' } },
      },
      ErrorCode: { type: 'string', enum: ['thing_missing', 'not_http'] },
      AnyJson: { type: 'object', additionalProperties: true },
    },
  },
};
