import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../domain/json.ts';

export interface InputProblem {
  /** Where in the parameters, as a JSON Pointer; the empty text is the whole. */
  pointer: string;
  message: string;
}

/** Checks parameters against input schemas, each compiled once. */
export interface InputSchemas {
  /** @param revisionId names the schema: a revision's never changes */
  check(revisionId: string, schema: Json, parameters: Json): InputProblem[];
  /** The same in ajv's own terms, for whoever has words of its own. */
  errorsIn(revisionId: string, schema: Json, parameters: unknown): ErrorObject[];
}

/** Problems told at most: a schema can find as many as the parameters have parts. */
const mostProblems = 20;
const mostCompiled = 500;

let metaSchema: Ajv2020 | undefined;

/** What JSON Schema 2020-12 itself says against a schema. Compiling that takes ajv a tenth of a second: it is done once. */
export function problemsOfSchema(schema: Json): ErrorObject[] {
  metaSchema ??= new Ajv2020({ allErrors: true });
  return metaSchema.validateSchema(schema as object) ? [] : (metaSchema.errors ?? []);
}

/**
 * Compiles a schema in which `problemsOfSchema` finds nothing.
 *
 * @throws an error that says why it cannot be used all the same
 */
export function compileInputSchema(schema: Json): ValidateFunction {
  // One for each: two schemas may have the same `$id`. Formats are asserted, as people mean them.
  const ajv = new Ajv2020({
    allErrors: true,
    validateSchema: false,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
  });
  addFormats.default(ajv);
  return ajv.compile(schema as object);
}

export function inputSchemas(): InputSchemas {
  const compiled = new Map<string, ValidateFunction>();
  const compile = (revisionId: string, schema: Json) => {
    const validate = compileInputSchema(schema);
    if (compiled.size >= mostCompiled) compiled.delete(compiled.keys().next().value as string);
    compiled.set(revisionId, validate);
    return validate;
  };
  const errorsIn: InputSchemas['errorsIn'] = (revisionId, schema, parameters) => {
    const validate = compiled.get(revisionId) ?? compile(revisionId, schema);
    return validate(parameters) ? [] : (validate.errors ?? []).slice(0, mostProblems);
  };
  return {
    check: (revisionId, schema, parameters) => errorsIn(revisionId, schema, parameters).map(toProblem),
    errorsIn,
  };
}

function toProblem({ instancePath, message = 'is not valid', keyword, params }: ErrorObject): InputProblem {
  const detail =
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      ? `: ${params[keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty']}`
      : keyword === 'enum'
        ? `: ${JSON.stringify(params['allowedValues'])}`
        : '';
  return { pointer: instancePath, message: `${message}${detail}`.slice(0, 500) };
}
