import { createRequire } from 'node:module';
import { isObject } from '../../../domain/objects.ts';
import type { Problem } from './problems.ts';

type AslValidator = (
  definition: object,
  options: { checkPaths: boolean; checkArn: boolean },
) => { errors: { Message: string; schemaError?: { instancePath: string } }[] };

/** Loaded when a definition is validated: loading takes longer than validating. */
const require = createRequire(import.meta.url);

/**
 * The problems that asl-validator, an independent implementation of the same specification, finds in a definition that
 * passed our own checks. It validates the structure only: it rejects multi-line expressions, empty strings and nested
 * arrays, all of which the language allows, so every template is replaced by one that it accepts. It mutates its
 * argument and looks for `States` at any depth.
 */
export function aslValidatorProblems(definition: object): Problem[] {
  const simple = simplified(definition) as object;
  const key = JSON.stringify(simple);
  const known = results.get(key);
  if (known) return known;
  const validate = require('asl-validator') as AslValidator;
  const { errors } = validate(simple, { checkPaths: true, checkArn: false });
  const problems = errors.map(({ Message: message, schemaError }) => ({
    path: schemaError?.instancePath ?? '',
    message: `asl-validator: ${message}`,
  }));
  if (results.size >= maxResults) results.clear();
  results.set(key, problems);
  return problems;
}

/** Cached, because it compiles its schemas for every call, which takes a tenth of a second. */
const results = new Map<string, Problem[]>();
const maxResults = 200;

const expression = '{% 1 %}';

/** Replacements for fields that are templates or may be expressions. */
const simpleValues: Record<string, unknown> = {
  Output: expression,
  Arguments: expression,
  Assign: {},
  Condition: expression,
  Items: expression,
  ItemSelector: {},
  MaxConcurrency: expression,
  ToleratedFailureCount: expression,
  ToleratedFailurePercentage: expression,
  Seconds: expression,
  Timestamp: expression,
  TimeoutSeconds: expression,
  HeartbeatSeconds: expression,
  Error: 'Error',
  Cause: 'Cause',
  Comment: 'Comment',
};

/** A definition or branch with its templates replaced. */
function simplified(scope: object): unknown {
  const { States, Comment: _, ...rest } = { States: {}, ...scope } as Record<string, unknown>;
  const states = Object.entries(isObject(States) ? States : {});
  return {
    ...rest,
    States: Object.fromEntries(states.map(([name, state]) => [name, simplifiedState(state)])),
  };
}

function simplifiedState(state: unknown): unknown {
  if (!isObject(state)) return state;
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => [field, simplifiedField(field, value)]),
  );
}

function simplifiedField(field: string, value: unknown): unknown {
  if (Object.hasOwn(simpleValues, field)) return structuredClone(simpleValues[field]);
  if (field === 'ItemProcessor') return simplified(value as object);
  if (field === 'Branches') return (value as object[]).map(simplified);
  if (field === 'Choices' || field === 'Catch') return (value as object[]).map(simplifiedState);
  return structuredClone(value);
}
