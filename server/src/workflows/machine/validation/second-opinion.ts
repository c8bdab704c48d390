import { createRequire } from 'node:module';
import { isObject } from '../../../domain/objects.ts';
import type { Problem } from './problems.ts';

type AslValidator = (
  definition: object,
  options: { checkPaths: boolean; checkArn: boolean },
) => { errors: { Message: string; schemaError?: { instancePath: string } }[] };

/** Taken in when a definition is checked: loading it takes longer than checking. */
const require = createRequire(import.meta.url);

/**
 * What asl-validator says about a definition in which our own checks found nothing: it was written by others, from the
 * same specification. It judges the structure of the definition only: it refuses expressions of more than one line,
 * empty strings and arrays in arrays, all of which the language allows, so every template is replaced by one that it
 * takes. It writes into what it is given, and it looks for `States` at any depth.
 */
export function secondOpinion(definition: object): Problem[] {
  const judged = simplified(definition) as object;
  const key = JSON.stringify(judged);
  const known = opinions.get(key);
  if (known) return known;
  const validate = require('asl-validator') as AslValidator;
  const { errors } = validate(judged, { checkPaths: true, checkArn: false });
  const problems = errors.map(({ Message: message, schemaError }) => ({
    path: schemaError?.instancePath ?? '',
    message: `asl-validator: ${message}`,
  }));
  if (opinions.size >= mostOpinions) opinions.clear();
  opinions.set(key, problems);
  return problems;
}

/** It compiles its schemas anew for every definition, a tenth of a second each; a file applied to two environments asks twice. */
const opinions = new Map<string, Problem[]>();
const mostOpinions = 200;

const expression = '{% 1 %}';

/** Fields whose values are templates, or numbers and strings that may be expressions. */
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

/** A definition or branch with simple values in its states. */
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
