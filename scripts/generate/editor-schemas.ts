import { readFileSync } from 'node:fs';

type Json = Record<string, unknown>;

/** The extensions of this contract. Editors report any other. */
const day = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const text = { type: 'string' };
const extensions: Record<string, Json> = {
  'x-deprecated-since': {
    ...day,
    description: 'The day since which it is deprecated. Sent in `Deprecation`.',
  },
  'x-sunset': {
    ...day,
    description:
      'The day on which it stops working, at least 12 months after `x-deprecated-since`. Sent in `Sunset`.',
  },
  'x-no-event': { ...text, description: 'Why nobody needs to know of the change: it records no event.' },
  'x-displayName': { ...text, description: 'The title of a tag in the portal.' },
  'x-tagGroups': {
    type: 'array',
    description: 'The groups of tags in the navigation of the portal.',
    items: {
      type: 'object',
      required: ['name', 'tags'],
      additionalProperties: false,
      properties: { name: text, tags: { type: 'array', items: text } },
    },
  },
  'x-request-body': {
    type: 'object',
    description:
      'What a link puts into the body of its operation. Generators refuse an object as `requestBody`.',
  },
  'x-enumDescriptions': {
    type: 'object',
    description: 'What each value of an `enum` means.',
    additionalProperties: text,
  },
};

const accepted = {
  type: 'array',
  items: {
    type: 'object',
    required: ['rule', 'where', 'reason'],
    additionalProperties: false,
    properties: {
      rule: { ...text, description: 'As `npm run spec:breaking` prints it, such as `parameter-removed`.' },
      where: { ...text, description: 'As `npm run spec:breaking` prints it, below the change.' },
      reason: { ...text, description: 'Why it may break clients. Reviewers and the changelog show it.' },
    },
  },
};

/**
 * What the files of `spec/` contain: one definition of the OpenAPI schema, a map of such definitions by name, or what a
 * schema of ours says.
 */
export const editorFiles: Record<string, { definition: string; schema?: Json; files: string[] }> = {
  openapi: { definition: '', files: ['spec/openapi.yaml'] },
  paths: { definition: 'path-item', files: ['spec/paths/*.yaml', 'spec/webhooks/*.yaml'] },
  schemas: { definition: 'schema', files: ['spec/schemas/*.yaml'] },
  examples: { definition: 'example-or-reference', files: ['spec/examples/*.yaml'] },
  headers: { definition: 'header-or-headers', files: ['spec/headers.yaml'] },
  parameters: { definition: 'parameter-or-reference', files: ['spec/parameters.yaml'] },
  responses: { definition: 'response-or-reference', files: ['spec/responses.yaml'] },
  accepted: { definition: '', schema: accepted, files: ['spec/accepted-changes.yaml'] },
};

/** JSON Schemas for editors, by path in `generated/`. They refer only to each other, so that they work offline. */
export function editorSchemas(): Record<string, string> {
  const { $id: _, $schema: __, $comment: ___, $defs, ...root } = officialSchema();
  const defs = $defs as Record<string, Json>;
  const known = Object.keys(extensions).map((name) => name.slice(2));
  const all = {
    ...defs,
    'specification-extensions': {
      properties: extensions,
      patternProperties: { [`^x-(?!(?:${known.join('|')})$)`]: false },
    },
    schema: schemaOfSchemas(),
    'header-or-headers': { anyOf: [{ $ref: '#/$defs/header-or-reference' }, headersOf] },
  };
  const wrappers = Object.entries(editorFiles).map(([name, { definition, schema }]) => [
    schemaPath(name),
    schema
      ? { $schema: draft, ...schema }
      : definition === ''
        ? { $schema: draft, $comment: origin, ...root, $defs: all }
        : {
            $schema: draft,
            type: 'object',
            additionalProperties: { $ref: `openapi.schema.json#/$defs/${definition}` },
          },
  ]);
  return Object.fromEntries(wrappers.map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]));
}

/** The path in `generated/` of the schema of some files. */
export function schemaPath(name: string): string {
  return `editor/${name}.schema.json`;
}

const origin =
  'Derived from the schemas of OpenAPI 3.1 and JSON Schema 2020-12 by `npm run generate`. Do not edit.';
const draft = 'https://json-schema.org/draft/2020-12/schema';

const headersOf = { type: 'object', additionalProperties: { $ref: '#/$defs/header-or-reference' } };

/**
 * The schema of OpenAPI 3.1. In the source, a guide may be a file: `description: {$ref: guides/errors.md}`, and the headers
 * of a response may be those of spec/headers.yaml.
 */
function officialSchema(): Json {
  const schema = read('express-openapi-validator/dist/framework/openapi.v3_1.modified.schema.json');
  const $defs = schema['$defs'] as Record<string, { properties: Json }>;
  for (const name of ['info', 'tag'])
    if ($defs[name]) $defs[name].properties['description'] = { anyOf: [text, { $ref: '#/$defs/reference' }] };
  if ($defs['response'])
    $defs['response'].properties['headers'] = {
      anyOf: [{ required: ['$ref'], $ref: '#/$defs/reference' }, headersOf],
    };
  return schema;
}

/** All keywords of JSON Schema 2020-12, and those that OpenAPI adds. */
function schemaOfSchemas(): Json {
  const vocabularies = [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'content',
    'format-annotation',
  ];
  const parts = vocabularies.map((name) => read(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`));
  const $defs = Object.assign({}, ...parts.map((part) => part['$defs']));
  const properties = Object.assign({}, ...parts.map((part) => part['properties']));
  const ofOpenApi = {
    example: true,
    discriminator: { type: 'object', required: ['propertyName'] },
    externalDocs: { $ref: '#/$defs/external-documentation' },
  };
  const inlined = JSON.parse(JSON.stringify(properties), (_, value) => inlinedReference(value, $defs));
  return {
    type: ['object', 'boolean'],
    properties: { ...inlined, ...ofOpenApi, ...extensions },
    additionalProperties: false,
  };
}

/** Definitions of the vocabularies are small, and have names that the schema of OpenAPI has too. */
function inlinedReference(value: unknown, $defs: Record<string, Json>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $dynamicRef, $ref, ...rest } = value as Json;
  if (typeof $dynamicRef === 'string') return { ...rest, $ref: '#/$defs/schema' };
  if (typeof $ref !== 'string' || !$ref.startsWith('#/$defs/')) return value;
  const target = $defs[$ref.slice('#/$defs/'.length)];
  return {
    ...rest,
    ...JSON.parse(JSON.stringify(target ?? {}), (_, inner) => inlinedReference(inner, $defs)),
  };
}

function read(path: string): Json {
  return JSON.parse(readFileSync(new URL(import.meta.resolve(path)), 'utf8'));
}
