/**
 * What a reader of the contract can know about an operation, an event or a schema, as a tree of parts: each has a key by
 * which two versions of it are compared, and the words in which a changelog speaks of it.
 */
import { errorCodesOf, type OperationObject, type Schema } from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import { replacements } from '../../contract/deprecation-guide.ts';

export type Part = {
  key: string;
  /** Said if it is new. An absent one is not worth a line. */
  added?: string;
  removed?: string;
  /** What is compared if both versions have it. */
  value?: unknown;
  /** Said if the value differs. Texts and examples say nothing: their subject is named. */
  changed?: (was: Part) => string | undefined;
  /** What a difference is: of a `rule`, that it is new or gone changes its subject. Default: a part that is added or removed. */
  kind?: 'rule' | 'deprecated' | 'documentation';
  parts?: Part[];
};

const documentation = /^(summary|description|title|examples?|externalDocs|x-.*)$/;

export function operationParts(operation: OperationObject): Part[] {
  const {
    parameters,
    requestBody,
    responses,
    security,
    operationId,
    tags,
    deprecated: _,
    ...texts
  } = operation;
  const callers = callersOf(security);
  return [
    { key: 'id', value: operationId, changed: ({ value }) => `It was called \`${value}\`.` },
    {
      key: 'security',
      value: callers,
      changed: ({ value }) => `It required ${value} and requires ${callers}.`,
    },
    ...deprecation(operation, 'It'),
    ...parameters.map((parameter): Part => {
      const { name, in: place, schema, required = false, ...rest } = parameter;
      const what = `the ${place} parameter \`${name}\``;
      const type = `(${typeText(schema)}, ${required ? 'required' : 'optional'})`;
      return {
        key: `${place} ${name}`,
        added: withSentence(`${what} ${type}.`, parameter),
        removed: what,
        parts: [
          ...requirement(required, what),
          ...schemaParts(schema, what),
          ...deprecation(parameter, what),
          textPart(rest, 'own texts'),
        ],
      };
    }),
    ...(requestBody
      ? [
          {
            key: 'body',
            added: 'a request body',
            removed: 'the request body',
            parts: [
              ...requirement(requestBody.required ?? false, 'the request body'),
              ...contentParts(requestBody.content, 'the request body'),
            ],
          },
        ]
      : []),
    ...Object.entries(responses).map(([status, response]): Part => {
      const codes = errorCodesOf(response);
      const shown = codes.length > 0 ? `: ${codes.map((code) => `\`${code}\``).join(', ')}` : '';
      return {
        key: `status ${status}`,
        added: `can respond with ${status}${shown}.`,
        removed: `no longer responds with ${status}.`,
        parts: [
          ...codes.map((code) => ({
            key: `code ${code}`,
            added: `can respond with ${status} \`${code}\`.`,
            removed: `no longer responds with ${status} \`${code}\`.`,
          })),
          ...contentParts(response.content ?? {}, `the response ${status}`),
        ],
      };
    }),
    ...headerParts(responses),
    textPart({ texts, tags, bodies: [requestBody, responses] }),
  ];
}

/** One part for a header, whatever the statuses that have it. */
function headerParts(responses: OperationObject['responses']): Part[] {
  const entries = Object.entries(responses).flatMap(([status, { headers = {} }]) =>
    Object.entries(headers).map(([name, header]) => ({ status, name, header })),
  );
  return [...Map.groupBy(entries, ({ name }) => name)].map(([name, group]): Part => {
    const header = group[0]?.header ?? {};
    const what = `the header \`${name}\``;
    const sent: SentWith = { statuses: group.map(({ status }) => status), among: Object.keys(responses) };
    return {
      key: `header ${name}`,
      added: withSentence(`responses have ${what}.`, header),
      removed: `responses no longer have ${what}.`,
      parts: [
        {
          key: 'statuses',
          kind: 'rule',
          value: sent,
          changed: (was) => statusesOf(what, was.value as SentWith, sent),
        },
        ...group.map(({ status, header: { required = false, schema } }) => ({
          key: status,
          parts: [...requirement(required, what), ...schemaParts(schema, what)],
        })),
      ],
    };
  });
}

/** The statuses of the responses with a header, among those that there are. */
type SentWith = { statuses: string[]; among: string[] };

/** Says with which statuses of both versions only one sends the header. */
function statusesOf(what: string, before: SentWith, after: SentWith): string | undefined {
  const only = (one: SentWith, other: SentWith) =>
    one.statuses.filter((status) => other.among.includes(status) && !other.statuses.includes(status));
  const [gained, lost] = [only(after, before), only(before, after)];
  if (gained.length > 0) return `${capital(what)} is sent with ${gained.join(', ')} too.`;
  return lost.length > 0 ? `${capital(what)} is no longer sent with ${lost.join(', ')}.` : undefined;
}

function contentParts(content: Record<string, { schema?: Schema }>, owner: string): Part[] {
  return Object.entries(content).map(([type, { schema }]): Part => {
    const what = `\`${type}\` of ${owner}`;
    const named = `the media type ${what}`;
    return { key: type, added: named, removed: named, parts: schemaParts(schema, what, owner) };
  });
}

/**
 * The parts of a schema as it stands; a schema that it refers to has parts of its own.
 * @param what the schema in a sentence: `It`, or a field
 * @param owner of its fields: none for a named schema
 */
export function schemaParts(schema: Schema | undefined, what: string, owner = '', path = ''): Part[] {
  const type = typeText(schema);
  const subject = capital(what);
  const ofType: Part = {
    key: 'type',
    value: type,
    changed: (was) => `${subject} was ${was.value} and is ${type}.`,
  };
  if (!schema) return [ofType];
  const inside = (part: Schema, step: string) => {
    const deeper = `${path}${step}`;
    return schemaParts(part, fieldText(deeper, owner), owner, deeper);
  };
  return [
    ofType,
    ...keywordParts(schema, subject),
    ...(schema.enum ? [valuesPart(schema.enum, what)] : []),
    ...Object.entries(schema.properties ?? {}).map(([name, property]): Part => {
      const field = `${path === '' ? '' : `${path}.`}${name}`;
      const text = fieldText(field, owner);
      const isRequired = schema.required?.includes(name) ?? false;
      return {
        key: `property ${name}`,
        added: `${text} (${typeText(property)}, ${isRequired ? 'required' : 'optional'})`,
        removed: text,
        parts: [
          ...requirement(isRequired, text),
          ...deprecation(property, text),
          ...schemaParts(property, text, owner, field),
        ],
      };
    }),
    ...(schema.items ? inside(schema.items, '[]') : []).map((part) => ({
      ...part,
      key: `items ${part.key}`,
    })),
    ...(isObject(schema['additionalProperties'])
      ? inside(schema['additionalProperties'] as Schema, path === '' ? '*' : '.*').map((part) => ({
          ...part,
          key: `others ${part.key}`,
        }))
      : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
      ((schema[keyword] ?? []) as Schema[]).map((one, index): Part => {
        const text = `the alternative ${typeText(one)}${what === 'It' ? '' : ` of ${what}`}`;
        const key = `${keyword} ${one.$ref ?? index}`;
        if (keyword === 'allOf')
          return {
            key,
            added: `all of ${typeText(one)}`,
            removed: `all of ${typeText(one)}`,
            parts: schemaParts(one, what, owner, path),
          };
        return { key, added: text, removed: text, parts: schemaParts(one, what, owner, path) };
      }),
    ),
    textPart(own(schema, documentation)),
  ];
}

const structural = [
  'type',
  'enum',
  'properties',
  'required',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
  'deprecated',
];

/** What a value must be, by the keyword of its schema. */
const rules: Record<string, (value: string) => string> = {
  pattern: (value) => `must match ${value}`,
  format: (value) => `must have the format ${value}`,
  minLength: (value) => `must have at least ${value} characters`,
  maxLength: (value) => `must have at most ${value} characters`,
  minItems: (value) => `must have at least ${value} items`,
  maxItems: (value) => `must have at most ${value} items`,
  minProperties: (value) => `must have at least ${value} fields`,
  maxProperties: (value) => `must have at most ${value} fields`,
  minimum: (value) => `must be at least ${value}`,
  maximum: (value) => `must be at most ${value}`,
};

/** Every keyword that restricts or describes values, of which one may be new or gone without a new or gone part. */
function keywordParts(schema: Schema, subject: string): Part[] {
  const names = Object.keys(schema).filter(
    (name) =>
      !structural.includes(name) &&
      !documentation.test(name) &&
      !(name === 'additionalProperties' && isObject(schema[name])),
  );
  return names.map((name): Part => {
    const value = schema[name];
    const shown =
      typeof value === 'number'
        ? String(value)
        : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    const said = rules[name]
      ? `${subject} ${rules[name](shown).replace(/\b(1 \w+)s$/, '$1')}.`
      : `${subject} has \`${name}\` ${shown}.`;
    return {
      key: `keyword ${name}`,
      kind: 'rule',
      value,
      added: said,
      changed: () => said,
      removed: `${subject} has no \`${name}\` any more.`,
    };
  });
}

function valuesPart(values: unknown[], what: string): Part {
  const subject = capital(what);
  return {
    key: 'values',
    kind: 'rule',
    added: `${subject} must be one of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    removed: `${subject} is no longer one of a few values.`,
    parts: values.map((value) => {
      const text = `the value \`${value}\`${what === 'It' ? '' : ` of ${what}`}`;
      return { key: String(value), added: text, removed: text };
    }),
  };
}

function requirement(isRequired: boolean, what: string): Part[] {
  return [
    {
      key: 'required',
      value: isRequired,
      changed: () => `${capital(what)} is ${isRequired ? 'required' : 'optional'} now.`,
    },
  ];
}

/** Deprecated parts say since when, and until when they work. */
function deprecation(node: object, what: string): Part[] {
  const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset } = node as Record<string, unknown>;
  if (deprecated !== true && !since) return [];
  const dates = since && sunset ? `deprecated since ${since}, works until ${sunset}.` : 'deprecated.';
  const text = [what === 'It' ? dates : `${what} is ${dates}`, ...replacements(node)].join(' ');
  return [
    {
      key: 'deprecated',
      kind: 'deprecated',
      value: [since, sunset],
      added: text,
      changed: () => text,
      removed: `${capital(what)} is no longer deprecated.`,
    },
  ];
}

/** The bundle appends it to a description; a deprecation is a part of its own. */
const deprecationNote = /\s*Deprecated since [\w ]+; stops working on [\w ]+\.$/;

/** The texts and examples in a part, which programs ignore. */
export function textPart(node: unknown, key = 'texts'): Part {
  return { key, kind: 'documentation', value: textsIn(node), changed: () => '' };
}

function textsIn(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(textsIn);
  if (!isObject(node)) return undefined;
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'schema' || key === 'x-deprecated-since' || key === 'x-sunset') return [];
    if (key === 'description' && typeof value === 'string') {
      const written = value.replace(deprecationNote, '');
      return written === '' ? [] : [[key, written]];
    }
    if (documentation.test(key)) return [[key, value]];
    const inner = textsIn(value);
    return inner === undefined || (Array.isArray(inner) && inner.length === 0) ? [] : [[key, inner]];
  });
}

function own(node: object, names: RegExp): object {
  return Object.fromEntries(Object.entries(node).filter(([key]) => names.test(key)));
}

function fieldText(path: string, owner: string): string {
  return owner === '' ? `\`${path}\`` : `\`${path}\` of ${owner}`;
}

/** A type as text: `string`, `array of User`, `integer or null`. */
export function typeText(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  if (schema.$ref) return `\`${schema.$ref.split('/').at(-1)}\``;
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(alternatives)) return alternatives.map(typeText).join(' or ');
  return [schema.type ?? 'anything']
    .flat()
    .map((type) => (type === 'array' && schema.items ? `array of ${typeText(schema.items)}` : type))
    .join(' or ');
}

function callersOf(security: OperationObject['security'] = []): string {
  if (security.length === 0) return 'no credentials';
  const schemes = security.map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, roles]) => `${scheme}${roles.length > 0 ? ` with \`${roles.join('`, `')}\`` : ''}`)
      .join(' and '),
  );
  return schemes.join(' or ');
}

/** A text, and the first sentence of a description. */
function withSentence(text: string, described: object): string {
  const { description = '' } = described as { description?: string };
  const [sentence = ''] = /^[^\n]*?\.(?=\s|$)/.exec(description) ?? [];
  return [text, sentence].filter(Boolean).join(' ');
}

const capital = (text: string) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
