import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  messageAtPlace,
  placeOf,
  pointerTo,
} from '../json/index.ts';
import { linearPattern, PatternError } from './patterns.ts';

/** Bytes of an input schema as JSON. */
const maxSchemaBytes = 64 * 1024;
/** Nesting levels of an input schema. */
const maxDepth = 64;

interface SchemaProblem {
  pointer: string;
  message: string;
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

let metaSchema: Ajv2020 | undefined;

/** Validates a schema against JSON Schema 2020-12, whose meta-schema is compiled once, in a tenth of a second. */
export function problemsOfSchema(schema: Json): SchemaProblem[] {
  const { $schema = dialect } = isObject(schema) ? schema : {};
  // Ajv throws for another dialect.
  if ($schema !== dialect && $schema !== `${dialect}#`) {
    return [{ pointer: '/$schema', message: `must be ${dialect}` }];
  }
  metaSchema ??= new Ajv2020({ allErrors: true });
  if (metaSchema.validateSchema(schema as object)) return [];
  return (metaSchema.errors ?? []).map((error) => ({
    pointer: placeOf(error),
    message: `${messageAtPlace(error)} (JSON Schema 2020-12)`,
  }));
}

/** Problems of a schema that is valid but exceeds the platform's limits. */
export function problemsOfLimits(schema: Json): SchemaProblem[] {
  if (isDeeperThan(schema, maxDepth)) {
    return [{ pointer: '', message: `is nested more than ${maxDepth} levels deep` }];
  }
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > maxSchemaBytes) {
    return [{ pointer: '', message: `has ${bytes} bytes as JSON; the limit is ${maxSchemaBytes}` }];
  }
  return [...patternsIn(schema)].flatMap(({ pattern, pointer }) => {
    const reason = patternProblem(pattern);
    return reason ? [{ pointer, message: `the pattern ${reason}` }] : [];
  });
}

function* patternsIn(schema: Json): Generator<{ pattern: string; pointer: string }> {
  for (const { schema: one, pointer } of subschemas(schema)) {
    if (typeof one['pattern'] === 'string') {
      yield { pattern: one['pattern'], pointer: `${pointer}/pattern` };
    }
    for (const pattern of Object.keys(one['patternProperties'] ?? {})) {
      yield { pattern, pointer: `${pointer}/patternProperties${pointerTo(pattern)}` };
    }
  }
}

/** Keywords of JSON Schema 2020-12 whose value is a schema, a list of schemas, or schemas by name. */
const single =
  `additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems
  unevaluatedProperties`.split(/\s+/);
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const named = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** A schema and all its subschemas, each with its JSON Pointer. */
function* subschemas(schema: Json, pointer = ''): Generator<{ schema: JsonObject; pointer: string }> {
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

function patternProblem(pattern: string): string | undefined {
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
