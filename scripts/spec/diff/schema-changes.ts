import { isDeepStrictEqual } from 'node:util';
import type { Detail } from './change.ts';

export type Schema = Record<string, unknown>;

const words = ['title', 'description', 'example', 'examples', 'x-enumDescriptions'];
/** Compared by rules of their own. */
const structural = [
  ...['$ref', 'type', 'properties', 'required', 'enum', 'items', 'deprecated'],
  ...['oneOf', 'anyOf', 'allOf', 'additionalProperties', 'unevaluatedProperties'],
];

/**
 * How a schema differs, in sentences, place by place. A reference is followed nowhere: a named schema is compared
 * under its own name.
 * @param place what the sentences call it, such as `profile.title`; empty for the named schema itself
 */
export function schemaChanges(before: Schema, after: Schema, place = ''): Detail[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [was, now] = [typeText(before), typeText(after)];
  if (was !== now) return [changed(`${subjectOf(place)} was ${was} and is ${now}.`)];
  return [
    ...propertyChanges(before, after, place),
    ...valueChanges(before, after, place),
    ...keywordChanges(before, after, place),
    ...deeperChanges(before, after, place),
    ...deprecation(before, after, place),
    ...(sameWords(before, after) ? [] : [reworded(place)]),
  ];
}

/** A type as people say it: `string`, `array of User`, `integer or null`. */
export function typeText(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  const reference = schema['$ref'];
  if (typeof reference === 'string') return `\`${reference.slice(reference.lastIndexOf('/') + 1)}\``;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const list = schema[keyword];
    if (Array.isArray(list)) return list.map((one) => typeText(one)).join(' or ');
  }
  const types = ([] as unknown[]).concat(schema['type'] ?? (schema['properties'] ? 'object' : 'anything'));
  const item = schema['items'];
  return types
    .map((type) => (type === 'array' && isSchema(item) ? `array of ${typeText(item)}` : String(type)))
    .join(' or ');
}

function propertyChanges(before: Schema, after: Schema, place: string): Detail[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  const [mandatory, required] = [requiredOf(before), requiredOf(after)];
  const found: Detail[] = [];
  for (const [name, schema] of Object.entries(now)) {
    const at = joined(place, name);
    const previous = old[name];
    const need = required.has(name) ? 'required' : 'optional';
    if (!previous) found.push({ kind: 'added', text: `\`${at}\` (${typeText(schema)}, ${need})` });
    else {
      if (mandatory.has(name) !== required.has(name)) found.push(changed(`\`${at}\` is ${need} now.`));
      found.push(...schemaChanges(previous, schema, at));
    }
  }
  for (const name of Object.keys(old)) {
    if (!(name in now)) found.push({ kind: 'removed', text: `\`${joined(place, name)}\`` });
  }
  return found;
}

function valueChanges({ enum: before }: Schema, { enum: after }: Schema, place: string): Detail[] {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    if (before === after) return [];
    return [changed(`${subjectOf(place)} ${after ? 'takes only listed values' : 'takes any value'} now.`)];
  }
  const where = place ? ` of \`${place}\`` : '';
  const added = after.filter((value) => !before.includes(value));
  const lost = before.filter((value) => !after.includes(value));
  return [
    ...added.map((value): Detail => ({ kind: 'added', text: `the value \`${value}\`${where}` })),
    ...lost.map((value): Detail => ({ kind: 'removed', text: `the value \`${value}\`${where}` })),
  ];
}

/** Bounds, formats, defaults and whatever else is a plain value. */
function keywordChanges(before: Schema, after: Schema, place: string): Detail[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !structural.includes(name) && !words.includes(name))
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => {
      const [was, now] = [before[name], after[name]].map((value) =>
        value === undefined ? 'none' : `\`${JSON.stringify(value)}\``,
      );
      return changed(`${place ? `\`${place}\`: ` : ''}\`${name}\` was ${was} and is ${now}.`);
    });
}

function deeperChanges(before: Schema, after: Schema, place: string): Detail[] {
  const found: Detail[] = [];
  const [item, newItem] = [before['items'], after['items']];
  if (isSchema(item) && isSchema(newItem)) found.push(...schemaChanges(item, newItem, `${place}[]`));
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    const [old, now] = [before[keyword], after[keyword]].map((list) => (Array.isArray(list) ? list : []));
    if (!old || !now || old.length !== now.length) {
      found.push(changed(`${subjectOf(place)} has other alternatives.`));
      continue;
    }
    for (const [index, schema] of old.entries()) found.push(...schemaChanges(schema, now[index], place));
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const [old, now] = [before[keyword], after[keyword]];
    if (isSchema(old) && isSchema(now)) found.push(...schemaChanges(old, now, joined(place, '*')));
    else if (!isDeepStrictEqual(old, now)) {
      found.push(changed(`${subjectOf(place)} ${now === false ? 'takes no' : 'takes'} further fields now.`));
    }
  }
  return found;
}

function deprecation({ deprecated: before }: Schema, { deprecated: after }: Schema, place: string): Detail[] {
  if (Boolean(before) === Boolean(after)) return [];
  return after
    ? [{ kind: 'deprecated', text: place ? `\`${place}\`` : 'the schema' }]
    : [changed(`${subjectOf(place)} is no longer deprecated.`)];
}

function sameWords(before: Schema, after: Schema): boolean {
  return words.every((name) => isDeepStrictEqual(before[name], after[name]));
}

function reworded(place: string): Detail {
  return { kind: 'documentation', text: place ? `\`${place}\`` : '' };
}

function changed(text: string): Detail {
  return { kind: 'changed', text };
}

function subjectOf(place: string): string {
  return place ? `\`${place}\`` : 'It';
}

function joined(place: string, name: string): string {
  return place ? `${place}.${name}` : name;
}

function propertiesOf({ properties }: Schema): Record<string, Schema> {
  return (properties ?? {}) as Record<string, Schema>;
}

function requiredOf({ required }: Schema): Set<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
