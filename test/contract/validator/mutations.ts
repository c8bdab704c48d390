import { resolve, type Schema } from '../../../server/contract/document.ts';
import { bundle } from '../../support/contract.ts';

/** One invalid or unusual variant of a value. */
export interface Mutation {
  /** The change and its location: `missing /profile/title`. */
  name: string;
  value: unknown;
}

/** Variants of a value of this schema: one change each, at every location. */
export function mutationsOf(value: unknown, described: Schema, place = ''): Mutation[] {
  const schema = resolve(bundle, described);
  const here = ([what, changed]: [string, unknown]) => ({ name: `${what} ${place || '/'}`, value: changed });
  return [
    ...otherTypes(value, schema).map(here),
    ...outOfBounds(value, schema).map(here),
    ...inside(value, schema, place),
  ];
}

function otherTypes(value: unknown, { type }: Schema): [string, unknown][] {
  const types = [type].flat();
  const others: [string, unknown][] = [
    ['null in place of', null],
    ['number in place of', 5],
    ['text of a number in place of', '5'],
    ['boolean in place of', true],
    ['list in place of', [value]],
    ['object in place of', { value }],
  ];
  return types.includes('array') ? [...others, ['lone item of', (value as unknown[])[0] ?? 'x']] : others;
}

function outOfBounds(value: unknown, schema: Schema): [string, unknown][] {
  const variants: [string, unknown][] = [];
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  if (typeof value === 'string') {
    variants.push(
      ['empty', ''],
      ['emoji in', `${value}😀`],
      ['NUL in', `${value}\0`],
      ['upper case', value.toUpperCase()],
    );
    if (minLength) variants.push(['one too short', '😀'.repeat(minLength - 1)]);
    if (maxLength && maxLength < 5000)
      variants.push(
        ['one too long', 'x'.repeat(maxLength + 1)],
        ['longest of emoji', '😀'.repeat(maxLength)],
        ['one too long of emoji', '😀'.repeat(maxLength + 1)],
      );
    if (schema.enum) variants.push(['not one of', 'NO_SUCH_VALUE']);
    if (schema.format === 'uuid')
      variants.push(
        ['urn of', `urn:uuid:${value}`],
        ['no uuid', value.replace(/^./, 'g')],
        ['cut', value.slice(1)],
      );
    if (schema.format === 'date-time')
      for (const moment of moments) variants.push([`moment ${moment} in`, moment]);
    if (schema.format === 'email')
      for (const address of addresses) variants.push([`address ${address} in`, address]);
  }
  if (typeof value === 'number') {
    variants.push(['fraction', value + 0.5]);
    if (minimum !== undefined) variants.push(['one below', minimum - 1], ['lowest', minimum]);
    if (maximum !== undefined) variants.push(['one above', maximum + 1], ['highest', maximum]);
  }
  if (Array.isArray(value)) {
    const item = value[0] ?? 'x';
    if (minItems) variants.push(['too few of', []]);
    if (maxItems) variants.push(['too many of', new Array(maxItems + 1).fill(item)]);
  }
  return variants;
}

const moments = [
  '2026-11-21T10:05:00Z',
  '2026-11-21T10:05:00.123456789Z',
  '2026-11-21T10:05:00+01:00',
  '2026-11-21t10:05:00z',
  '2026-11-21 10:05:00Z',
  '2026-11-21T10:05:00',
  '2026-02-30T10:05:00Z',
  '2024-02-29T10:05:00Z',
  '2026-19-39T29:59:59Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T10:05:60Z',
  '2026-12-31T23:59:60Z',
  '2026-11-21T10:05:00.Z',
  '2026-11-2110:05:00.00Z',
];
const addresses = ['a@b', 'a@b.c', 'a@@b.c', 'ä@b.c', 'a b@c.d', 'a@b.c ', '.a@b.c', 'a@-b.c'];

function inside(value: unknown, schema: Schema, place: string): Mutation[] {
  if (Array.isArray(value)) {
    if (!schema.items || value.length === 0) return [];
    return mutationsOf(value[0], schema.items, `${place}/0`).map(({ name, value: item }) => ({
      name,
      value: [item, ...value.slice(1)],
    }));
  }
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  const changes: Mutation[] = ['surplus', '__proto__', 'constructor', 'toString'].map((name) => ({
    name: `surplus ${place}/${name}`,
    value: JSON.parse(`{${JSON.stringify(object).slice(1, -1) || '"x":1'},"${name}":{"polluted":true}}`),
  }));
  for (const [name, inner] of Object.entries(object)) {
    const field = schema.properties?.[name];
    const { [name]: _, ...rest } = object;
    changes.push({ name: `missing ${place}/${name}`, value: rest });
    if (!field) continue;
    for (const mutation of mutationsOf(inner, field, `${place}/${name}`))
      changes.push({ name: mutation.name, value: { ...object, [name]: mutation.value } });
  }
  return changes;
}
