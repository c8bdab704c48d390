import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../domain/json.ts';
import { pointerTo } from '../../domain/json-pointer.ts';
import { linearPattern, PatternError } from './patterns.ts';
import { subschemas } from './subschemas.ts';

/** Bytes of an input schema as JSON. */
export const largestSchema = 64 * 1024;
/** Levels of objects and lists in an input schema. */
const deepestSchema = 64;

interface SchemaProblem {
  pointer: string;
  message: string;
}

let metaSchema: Ajv2020 | undefined;

/** What JSON Schema 2020-12 itself says against a schema. Compiling that takes ajv a tenth of a second: it is done once. */
export function problemsOfSchema(schema: Json): SchemaProblem[] {
  metaSchema ??= new Ajv2020({ allErrors: true });
  if (metaSchema.validateSchema(schema as object)) return [];
  return (metaSchema.errors ?? []).map(({ instancePath: pointer, message = 'is not valid' }) => ({
    ...{ pointer, message: `${message} (JSON Schema 2020-12)` },
  }));
}

/** What the platform does not take of an input schema although JSON Schema allows it. */
export function problemsOfLimits(schema: Json): SchemaProblem[] {
  if (isDeeper(schema, deepestSchema)) {
    return [{ pointer: '', message: `is nested more than ${deepestSchema} levels deep` }];
  }
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > largestSchema) {
    return [{ pointer: '', message: `has ${bytes} bytes as JSON, and may have ${largestSchema}` }];
  }
  return [...patternsIn(schema)].flatMap(({ pattern, pointer }) => {
    const reason = reasonAgainst(pattern);
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

function reasonAgainst(pattern: string): string | undefined {
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
