import { namesIn } from '../../../domain/json-pointer.ts';
import { isObject } from '../../../domain/objects.ts';

/** A reference to a reference to …; a schema that a person wrote has no more. */
const mostSteps = 10;

/**
 * A property's schema with what its `$ref` leads to in the same document (`#/$defs/…`); what stands beside the
 * reference comes first. One that leads elsewhere, nowhere or in a circle is left as it is.
 */
export function withReferred(
  property: Record<string, unknown>,
  document: Record<string, unknown>,
): Record<string, unknown> {
  let schema = property;
  for (let steps = 0; '$ref' in schema; steps++) {
    const { $ref: reference, ...own } = schema;
    const target = steps < mostSteps ? referred(reference, document) : undefined;
    if (!target) return property;
    schema = { ...target, ...own };
  }
  return schema;
}

function referred(
  reference: unknown,
  document: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let place: unknown = document;
  for (const name of namesIn(decoded(reference.slice(1)))) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Record<string, unknown>)[name];
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
