import { isObject, namesIn } from '../../../../json/index.ts';

/** The maximum length of a chain of references. Schemas written by hand have shorter ones. */
const maxSteps = 10;

type Schema = Record<string, unknown>;

/**
 * Returns a function that resolves the `$ref` of a property's schema in the same document (`#/$defs/…`). Keywords next
 * to the reference take precedence. A reference that is external, circular or cannot be resolved is kept.
 *
 * @param keywords the keywords to copy; others are dropped, because many properties may refer to one large schema
 */
export function referenceReader(document: Schema, keywords: readonly string[]): (property: Schema) => Schema {
  const targets = new Map<string, Schema | undefined>();
  const resolve = (reference: unknown): Schema | undefined => {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    if (!targets.has(reference)) targets.set(reference, targetOf(reference, document));
    return targets.get(reference);
  };
  return (property) => {
    let schema = pick(property, keywords);
    for (let steps = 0; '$ref' in schema; steps++) {
      const { $ref: reference, ...own } = schema;
      const target = steps < maxSteps ? resolve(reference) : undefined;
      if (!target) return pick(property, keywords);
      schema = { ...pick(target, keywords), ...own };
    }
    return schema;
  };
}

function pick(schema: Schema, keywords: readonly string[]): Schema {
  const present = ['$ref', ...keywords].filter((keyword) => Object.hasOwn(schema, keyword));
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]));
}

function targetOf(reference: string, document: Schema): Schema | undefined {
  let target: unknown = document;
  for (const name of namesIn(decodeFragment(reference.slice(1)))) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return undefined;
    target = (target as Schema)[name];
  }
  return isObject(target) ? target : undefined;
}

/** Decodes percent-encoded characters of a URI fragment. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
