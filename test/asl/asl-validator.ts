import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type Format, type SchemaObject, type ValidateFunction } from 'ajv';
import type { Problem } from '../../server/asl/validation/problems.ts';

/**
 * The problems that asl-validator, an independent implementation of the same specification, finds in a definition that
 * the platform accepts. Only its schemas are used: the package compiles them anew for every definition, which takes a
 * quarter of a second, and what it checks besides are names, targets and ends of a scope. Its schemas reject multi-line
 * expressions, empty strings and nested arrays, all of which the language allows, so every template is
 * replaced by one that they accept.
 */
export function aslValidatorProblems(definition: object): Problem[] {
  validate ??= compiledSchemas();
  if (validate(simplified(definition))) return [];
  // A state that matches no type has errors for each of them: those furthest down explain best.
  const errors = validate.errors ?? [];
  const depth = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)));
  return errors
    .filter(({ instancePath }) => depthOf(instancePath) === depth)
    .map(({ instancePath, message }) => ({ path: instancePath, message: `asl-validator: ${message}` }));
}

const depthOf = (pointer: string) => pointer.split('/').length;

/** Compiled when the first definition is validated. */
let validate: ValidateFunction | undefined;

function compiledSchemas(): ValidateFunction {
  const require = createRequire(import.meta.url);
  const top = require.resolve('asl-validator/dist/src/schemas/state-machine.json');
  const schemas = readdirSync(dirname(top)).map((file) => require(join(dirname(top), file)) as SchemaObject);
  const ajv = new Ajv({ schemas, allowUnionTypes: true, formats });
  return ajv.getSchema((require(top) as SchemaObject).$id as string) as ValidateFunction;
}

/** The platform has parsed the expressions and rejected paths and ARNs; a Timestamp is replaced by an expression. */
const formats: Record<string, Format> = {
  jsonata_string: true,
  maybe_jsonata_string: true,
  asl_path: true,
  asl_ref_path: true,
  asl_payload_template: true,
  asl_result_path: true,
  asl_arn: true,
  'date-time': () => false,
};

const expressions =
  `Output Arguments Condition Items MaxConcurrency ToleratedFailureCount ToleratedFailurePercentage
  Seconds Timestamp TimeoutSeconds HeartbeatSeconds`.split(/\s+/);

/** Replacements for fields that are templates or may be expressions. */
const simpleValues: Record<string, unknown> = {
  ...Object.fromEntries(expressions.map((field) => [field, '{% 1 %}'])),
  Assign: {},
  ItemSelector: {},
  Error: 'Error',
  Cause: 'Cause',
  Comment: 'Comment',
};

/** A definition or branch with its templates replaced. */
function simplified(scope: object): object {
  const { States = {}, Comment: _, ...rest } = scope as { States?: Record<string, object>; Comment?: string };
  const states = Object.entries(States).map(([name, state]) => [
    name,
    { ...withoutTemplates(state), QueryLanguage: 'JSONata' },
  ]);
  return { ...rest, States: Object.fromEntries(states) };
}

function withoutTemplates(part: object): object {
  return Object.fromEntries(
    Object.entries(part).map(([field, value]) => [
      field,
      simpleValues[field] ?? simplifiedField(field, value),
    ]),
  );
}

function simplifiedField(field: string, value: unknown): unknown {
  if (field === 'ItemProcessor') return simplified(value as object);
  if (field === 'Branches') return (value as object[]).map(simplified);
  if (field === 'Choices' || field === 'Catch') return (value as object[]).map(withoutTemplates);
  return value;
}
