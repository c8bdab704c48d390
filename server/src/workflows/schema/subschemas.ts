import type { Json, JsonObject } from '../../domain/json.ts';
import { pointerTo } from '../../domain/json-pointer.ts';
import { isObject } from '../../domain/objects.ts';

/** Keywords of JSON Schema 2020-12 that hold a schema, a list of schemas, or schemas by name. */
const single =
  `additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems
  unevaluatedProperties`.split(/\s+/);
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const named = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** A schema and all schemas inside it, each with the JSON Pointer to it. */
export function* subschemas(schema: Json, pointer = ''): Generator<{ schema: JsonObject; pointer: string }> {
  if (!isObject(schema)) return;
  const parts = schema as JsonObject;
  yield { schema: parts, pointer };
  for (const keyword of single) yield* subschemas(parts[keyword] ?? null, `${pointer}/${keyword}`);
  for (const keyword of [...listed, ...named]) {
    const inner = parts[keyword];
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [name, one] of Object.entries(inner)) {
      yield* subschemas(one, `${pointer}/${keyword}${pointerTo(name)}`);
    }
  }
}
