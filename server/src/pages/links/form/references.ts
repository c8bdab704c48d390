import { namesIn } from '../../../domain/json-pointer.ts';
import { isObject } from '../../../domain/objects.ts';

/** A reference to a reference to …; a schema that a person wrote has no more. */
const mostSteps = 10;

type Schema = Record<string, unknown>;

/**
 * Gives a property's schema what its `$ref` leads to in the same document (`#/$defs/…`); what stands beside the
 * reference comes first. One that leads elsewhere, nowhere or in a circle is left as it is.
 *
 * @param keywords all that is of interest: nothing else is taken along, as a form may refer to one place many times
 */
export function referenceReader(document: Schema, keywords: readonly string[]): (property: Schema) => Schema {
  const targets = new Map<string, Schema | undefined>();
  const referred = (reference: unknown): Schema | undefined => {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    if (!targets.has(reference)) targets.set(reference, targetOf(reference, document));
    return targets.get(reference);
  };
  return (property) => {
    let schema = picked(property, keywords);
    for (let steps = 0; '$ref' in schema; steps++) {
      const { $ref: reference, ...own } = schema;
      const target = steps < mostSteps ? referred(reference) : undefined;
      if (!target) return picked(property, keywords);
      schema = { ...picked(target, keywords), ...own };
    }
    return schema;
  };
}

function picked(schema: Schema, keywords: readonly string[]): Schema {
  const found = ['$ref', ...keywords].filter((keyword) => Object.hasOwn(schema, keyword));
  return Object.fromEntries(found.map((keyword) => [keyword, schema[keyword]]));
}

function targetOf(reference: string, document: Schema): Schema | undefined {
  let place: unknown = document;
  for (const name of namesIn(decoded(reference.slice(1)))) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Schema)[name];
  }
  return isObject(place) ? place : undefined;
}

/** In a URI fragment characters may be percent-encoded. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
