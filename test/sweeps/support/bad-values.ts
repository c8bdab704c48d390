import { resolve, type Schema } from '../../../server/contract/index.ts';
import { bundle } from '../../support/contract.ts';
import type { Sent } from '../../support/raw-requests.ts';
import { parametersIn } from './contract.ts';
import { toSend, type ValidRequest } from './requests.ts';

/** A request that must be refused, with a description. */
export interface BadRequest {
  name: string;
  request: Sent;
  /** The statuses that it may be refused with. */
  statuses: number[];
  /** What one of the errors must name, where it is known: the pointer or the parameter. */
  place?: string | undefined;
}

/** A JSON value as text, so that it can be one that JSON.stringify never writes. */
interface BadValue {
  name: string;
  text: string;
  /** The pointer of its error. */
  place: string | undefined;
}

const wrongTypes: Record<string, string> = {
  null: 'null',
  boolean: 'true',
  integer: '5',
  number: '1.5',
  string: '"text"',
  array: '[]',
  object: '{}',
};
/** Text that PostgreSQL cannot store. */
const badTexts = { NUL: '"a\\u0000b"', 'half a surrogate pair': '"\\ud800"', 'the other half': '"\\udc00x"' };
const badFieldNames = [
  '',
  ...String.raw`surplus __proto__ constructor prototype toString a.b a\u0000b \ud800`.split(' '),
];

/** Values that do not match a schema. */
function badValues(described: Schema, valid: unknown, place = ''): BadValue[] {
  const schema = resolve(bundle, described);
  const types = [schema.type ?? []].flat();
  const at = place || 'the body';
  const values: BadValue[] = [];
  const add = (what: string, text: string, where: string | undefined = place) =>
    values.push({ name: `${what} in place of ${at}`, text, place: where });
  if (types.length === 0) {
    for (const [what, text] of Object.entries({ ...badTexts, 'a number without end': '1e400' })) {
      add(what, text);
      add(`${what}, deep inside,`, `{"a":[{"b":${text}}]}`, `${place}/a/0/b`);
    }
    for (const [what, text] of Object.entries(badTexts)) add(`a field named with ${what}`, `{${text}:1}`);
    values.push({
      name: `201 levels at ${at}`,
      text: `${'['.repeat(201)}${']'.repeat(201)}`,
      place: undefined,
    });
    return values;
  }
  for (const [type, text] of Object.entries(wrongTypes))
    if (!types.includes(type) && !(type === 'integer' && types.includes('number'))) add(type, text);
  if (types.includes('string')) {
    for (const [what, text] of Object.entries(badTexts)) add(what, text);
    if (schema.minLength) add('nothing', '""');
    if (schema.maxLength) add('too long a text', JSON.stringify('x'.repeat(schema.maxLength + 1)));
    if (schema.format === 'date-time')
      for (const time of [' 10:00:00Z', 'T10:00:00+00', 'T10:00:00+0000', 'T24:00:00Z', 'T10:00:60Z'])
        add(`the time${time}`, JSON.stringify(`2026-11-30${time}`));
    if (schema.format === 'uuid' || schema.enum) add('another text', JSON.stringify('x'.repeat(36)));
  }
  if (schema.minimum !== undefined) add('too little', String(schema.minimum - 1));
  if (schema.maximum !== undefined) add('too much', String(schema.maximum + 1));
  if (schema.minProperties) add('an empty object', '{}');
  if (types.includes('object') && isObject(valid)) values.push(...badObjects(schema, valid, place));
  return values;
}

function badObjects(schema: Schema, valid: Record<string, unknown>, place: string): BadValue[] {
  const written = Object.fromEntries(
    Object.entries(valid).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  const object = (fields: Record<string, string>) =>
    `{${Object.entries(fields)
      .map(([name, text]) => `"${name}":${text}`)
      .join()}}`;
  const values: BadValue[] = [];
  if (schema.additionalProperties === false)
    for (const name of badFieldNames) {
      const surplus = `"${name}":{"polluted":true}`;
      values.push({
        name: `a field ${name} in ${place || 'the body'}`,
        text: `${object(written).slice(0, -1)},${surplus}}`,
        place: name === 'surplus' ? `${place}/${name}` : undefined,
      });
    }
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = written;
    values.push({ name: `no ${place}/${name}`, text: object(rest), place: `${place}/${name}` });
  }
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    for (const bad of badValues(field, valid[name], `${place}/${name}`))
      values.push({ ...bad, text: object({ ...written, [name]: bad.text }) });
  return values;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON bodies with one invalid value. */
export function badFields(valid: ValidRequest): BadRequest[] {
  const schema = valid.operation.body?.schema ?? {};
  return badValues(schema, valid.fields).map(({ text, ...bad }) => ({
    ...bad,
    statuses: [400],
    request: { ...toSend(valid), body: text },
  }));
}

/** Bodies that are not JSON, or are not sent as JSON. */
export function badJson(valid: ValidRequest): BadRequest[] {
  const sent = toSend(valid);
  const json = String(sent.body);
  const bodies: Record<string, string | Buffer> = {
    'cut in half': json.slice(0, json.length / 2),
    'without its last character': json.slice(0, -1),
    'with a trailing comma': `${json.slice(0, -1)},}`,
    'with a byte order mark': `\ufeff${json}`,
    'with NaN': `${json.slice(0, -1)},"n":NaN}`,
    'with Infinity': `${json.slice(0, -1)},"n":-Infinity}`,
    'with undefined': `${json.slice(0, -1)},"n":undefined}`,
    'with single quotes': json.replaceAll('"', "'"),
    'with bare names': json.replace(/"(\w+)":/, '$1:'),
    'with a comment': `${json} // comment`,
    'with a hexadecimal number': `${json.slice(0, -1)},"n":0x10}`,
    'with a raw line break in a text': json.replace(/"$/m, '\n"').replace(/:"/, ':"\n'),
    'with a raw NUL': json.replace(/:"/, ':"\0'),
    'with NUL behind it': `${json}\0`,
    twice: json + json,
    'in a list': `[${json}]`,
    'as a text': JSON.stringify(json),
    'of spaces': '   ',
    'of brackets without end': '['.repeat(100_000),
    'nested 201 levels': `${'['.repeat(201)}${']'.repeat(201)}`,
    'nested 100,000 levels': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'nested in a surplus field': `${json.slice(0, -1)},"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'that is not UTF-8': Buffer.concat([
      Buffer.from(json.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0x22]),
      Buffer.from(':1}'),
    ]),
    'with an overlong NUL': Buffer.from(json.replace(/:"/, ':"\xc0\x80'), 'latin1'),
    'with a surrogate in UTF-8': Buffer.from(json.replace(/:"/, ':"\xed\xa0\x80'), 'latin1'),
    'in UTF-16': Buffer.from(json, 'utf16le'),
    'as a query': new URLSearchParams(Object.entries(valid.fields ?? {}) as [string, string][]).toString(),
  };
  const problems = Object.entries(bodies).map(([name, body]) => ({
    name: `JSON ${name}`,
    statuses: [400],
    request: { ...sent, body },
  }));
  return [
    ...problems,
    { name: 'an empty body', statuses: [400], request: { ...sent, body: '' } },
    { name: 'no body', statuses: [400], request: { ...sent, body: undefined } },
    {
      name: 'a body of more than 1 MiB',
      statuses: [413],
      request: { ...sent, body: `${json}${' '.repeat(1 << 20)}` },
    },
  ];
}

const otherTypes = [
  ...'text/plain application/xml application/x-www-form-urlencoded application/json5 application/jsonp'.split(
    ' ',
  ),
  ...'application/vnd.api+json text/json json */* application/ / ; image/png'.split(' '),
  'application/json, text/plain',
  'application/json charset=utf-8',
  'application/json\\; a=b',
  'multipart/mixed; boundary=x',
];
const otherCharsets = `utf-16 utf-16le utf-7 utf-32 latin1 iso-8859-1 "utf-16" klingon '' utf-8x`.split(' ');

/** Bodies of a media type that the operation does not accept. */
export function badTypes(valid: ValidRequest): BadRequest[] {
  const sent = toSend(valid);
  const type = valid.operation.body?.type ?? '';
  const as = (name: string, headers: Record<string, string>): BadRequest => ({
    name,
    statuses: [415],
    request: { ...sent, headers: { ...sent.headers, ...headers } },
  });
  const { 'Content-Type': _, ...untyped } = sent.headers ?? {};
  const charsets = type === 'application/json' ? otherCharsets : [];
  return [
    { name: 'a body of no type', statuses: [415], request: { ...sent, headers: untyped } },
    ...otherTypes.map((other) => as(`a body as ${other}`, { 'Content-Type': other })),
    ...charsets.map((charset) =>
      as(`a body in ${charset}`, { 'Content-Type': `${type}; charset=${charset}` }),
    ),
    ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x-unknown', 'identity, gzip'].map((encoding) =>
      as(`a body with Content-Encoding: ${encoding}`, { 'Content-Encoding': encoding }),
    ),
  ];
}

const notIntegers =
  '0x10 1e3 +1 1.0 1.5 01 -0 -1 NaN Infinity null true 1,2 1;2 %201 1%20 %00 1%00 %zz %D9%A3 1_0 0b1 0o7 1n 99999999999999999999 1e400'.split(
    ' ',
  );

/** Query parameters that are unknown, repeated, or not a valid number. */
export function badQueries(valid: ValidRequest): BadRequest[] {
  const queries =
    'surplus=1 __proto__=1 constructor=1 __proto__[a]=1 %00=1 =1 a%00b=1 _openapi[schema][path]=1'.split(' ');
  for (const { name, schema } of parametersIn(valid.operation, 'query')) {
    const { type, minimum, maximum } = resolve(bundle, schema);
    const good = minimum ?? (type === 'boolean' ? 'true' : 1);
    queries.push(
      `${name}`,
      `${name}=`,
      `${name}=${good}&${name}=${good}`,
      `${name}[]=${good}`,
      `${name.toUpperCase()}=${good}`,
    );
    queries.push(`${name}=${good}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${good}`);
    if (type === 'integer')
      queries.push(...[...notIntegers, '9'.repeat(309)].map((text) => `${name}=${text}`));
    if (type === 'boolean') queries.push(...['1', 'TRUE', 'yes', 'null'].map((text) => `${name}=${text}`));
    if (minimum !== undefined) queries.push(`${name}=${minimum - 1}`);
    if (maximum !== undefined) queries.push(`${name}=${maximum + 1}`);
  }
  return queries.map((query) => ({
    name: `?${query}`,
    statuses: [400],
    place: decodeURIComponent(query.split('=')[0] ?? ''),
    request: toSend(valid, `?${query}`),
  }));
}

/** Malformed identifiers. */
export function badIdentifiers(valid: ValidRequest): BadRequest[] {
  return Object.entries(valid.path).flatMap(([name, id]) => {
    const others = [
      ...'x 0 -1 null undefined * %20 . .. %2e%2e ..%2f..%2fetc%2fpasswd %00 %zz % %F0%9F %ed%a0%80'.split(
        ' ',
      ),
      ...`'%20or%201=1-- $1 {} %7B%7D ${id}%00 ${id}%20 %20${id} ${id}%0a ${id}x %7B${id}%7D`.split(' '),
      ...`urn:uuid:${id} ${id};a=b ${id}%2F ${id}%3F ${id},${id}`.split(' '),
      id.slice(1),
      id.replaceAll('-', ''),
      id.replace(/^./, '%EF%BC%91'),
      'x'.repeat(5_000),
    ];
    return others.map((other) => ({
      name: `${name} ${other.slice(0, 60)}`,
      statuses: [400],
      request: toSend({ ...valid, path: { ...valid.path, [name]: other } }),
    }));
  });
}

/** Invalid header parameters, and repeated headers. */
export function badHeaders(valid: ValidRequest): BadRequest[] {
  return parametersIn(valid.operation, 'header').flatMap(({ name, schema }) => {
    const { maxLength, minLength, pattern } = resolve(bundle, schema) as Schema & { pattern?: string };
    const values = [
      ...(maxLength ? ['x'.repeat(maxLength + 1)] : []),
      ...(minLength ? [''] : []),
      ...(pattern ? ['a b', 'a\tb', '\xe4', 'a, b'] : []),
    ];
    return values.map((value) => ({
      name: `${name}: ${value.slice(0, 40)} (${value.length} characters)`,
      statuses: [400],
      request: toSend({ ...valid, headers: { [name]: value } }),
    }));
  });
}

/** Paths that resemble the operation's: one object has one path. */
export function badAddresses(valid: ValidRequest): BadRequest[] {
  const sent = toSend(valid);
  const { target } = sent;
  const [, first = ''] = target.split('/');
  const rest = target.slice(first.length + 1);
  const last = target.slice(target.lastIndexOf('/') + 1);
  const shouted = Object.values(valid.path).reduce(
    (path, id) => path.replace(id.toUpperCase(), id),
    target.toUpperCase(),
  );
  const before = ['/', '/.', '/x/..', '/x/%2e%2e', '/%2e', `/${first}/..`, '/api', '/v3'];
  const behind = ['/', '//', '/.', '/..', '/x/..', '%00', '%20', ';a=b', '.json', '%2F', '%3Fa=b'];
  const targets = [
    ...before.map((beginning) => beginning + target),
    ...[...behind, `/${last}`].map((ending) => target + ending),
    `/${first};a=b${rest}`,
    `/${first}%00${rest}`,
    shouted,
    // Encoded twice: encoded once, it is the same path.
    `/%25${first.charCodeAt(0).toString(16)}${target.slice(2)}`,
    target.replace(/\/(?=[^/]*$)/, '//'),
    target.replaceAll('/', '%2F'),
    `/${target.slice(1).replaceAll('/', '\\')}`,
  ];
  return targets
    .filter((other) => other !== target)
    .map((other) => ({
      name: other,
      statuses: [400, 404, 405],
      request: { ...sent, target: other },
    }));
}
