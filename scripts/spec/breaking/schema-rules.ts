import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';

type Schema = Record<string, unknown>;
type Visit = (before: Schema, after: Schema, place: string) => Break[];

/** Breaking changes to the named schemas, compared node by node. */
export function schemaBreaks(released: Contract, current: Contract): Break[] {
  const before = released.components['schemas'] ?? {};
  const after = current.components['schemas'] ?? {};
  const rules = [lostValues, changedDefault, changedAlternatives];
  return walk(before, after, 'components schemas', (old, now, place) =>
    rules.flatMap((rule) => rule(old, now, place)),
  );
}

function walk(before: unknown, after: unknown, place: string, visit: Visit): Break[] {
  if (!isObject(before) || !isObject(after)) return [];
  const deeper = Object.keys(before)
    .filter((key) => key !== 'examples' && key !== 'example' && key in after)
    .flatMap((key) => walk(before[key], after[key], `${place} ${key}`, visit));
  return [...visit(before, after, place), ...deeper];
}

/** A client that waits for a removed status, or branches on a removed code, never sees it. */
function lostValues({ enum: before }: Schema, { enum: after }: Schema, place: string): Break[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const lost = before.filter((value) => !after.includes(value));
  if (lost.length === 0) return [];
  return [
    {
      rule: 'enum-values-removed',
      where: place,
      message: `Lost ${lost.map((one) => `\`${one}\``).join(', ')}.`,
    },
  ];
}

function changedDefault({ default: before }: Schema, { default: after }: Schema, where: string): Break[] {
  const [old, now] = [before, after].map((value) => JSON.stringify(value));
  // A property may be named "default"; then both are schemas.
  if (old === undefined || old === now || isProperties(where)) return [];
  return [{ rule: 'default-changed', where, message: `The default was ${old} and is ${now ?? 'gone'}.` }];
}

/** Redocly does not compare alternatives, so any change to them is reported. */
function changedAlternatives(before: Schema, after: Schema, where: string): Break[] {
  return ['oneOf', 'anyOf'].flatMap((keyword) => {
    const [old, now] = [before[keyword], after[keyword]].map((list) =>
      Array.isArray(list) ? list.length : 0,
    );
    if (old === now || isProperties(where)) return [];
    return [
      {
        rule: 'alternatives-changed',
        where,
        message: `\`${keyword}\` had ${old} alternatives and has ${now}.`,
      },
    ];
  });
}

function isProperties(place: string): boolean {
  return place.endsWith(' properties') || place === 'components schemas';
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
