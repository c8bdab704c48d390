import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type Format, type SchemaObject, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { validateDefinition } from '../../server/asl/validate.ts';
import type { Problem } from '../../server/asl/validation/problems.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { ends, having, inner, task } from './refusals.ts';
import { definitionOf } from './run.ts';

const recovering = {
  Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 1, MaxAttempts: 0, BackoffRate: 1.5, MaxDelaySeconds: 60 }],
  Catch: [{ ErrorEquals: ['States.ALL'], Output: 1, Assign: { e: 1 }, Next: 'E' }],
};
const after = { Output: 1, Assign: { a: 1 }, Comment: 'c' };

/** Together they have every field that a definition may have. */
const definitions: object[] = [
  having({ ...task, ...recovering, ...after, Arguments: {}, TimeoutSeconds: 30, HeartbeatSeconds: 10 }),
  having({
    ...recovering,
    ...after,
    Type: 'Map',
    Items: [1],
    ItemSelector: { a: 1 },
    MaxConcurrency: 3,
    ToleratedFailureCount: 1,
    ToleratedFailurePercentage: 12.5,
    ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...inner(ends), Comment: 'c' },
  }),
  having({ ...recovering, ...after, Type: 'Parallel', Arguments: [1], Branches: [inner(ends), inner(ends)] }),
  having({ ...after, Type: 'Wait', Timestamp: '2027-03-01T09:00:00Z' }),
  having({ ...after, Type: 'Wait', Seconds: 3 }),
  having({ ...after, Type: 'Pass', QueryLanguage: 'JSONata' }),
  definitionOf({ S: { Type: 'Fail', Error: 'a', Cause: 'b', Comment: 'c' } }),
  definitionOf({
    S: { Type: 'Choice', Choices: [{ ...after, Condition: true, Next: 'E' }], Default: 'E', Comment: 'c' },
    ...ends,
  }),
  { ...definitionOf({ S: { Type: 'Pass', End: true } }), Comment: 'c', Version: '1.0', TimeoutSeconds: 60 },
];

const values = [null, true, 0, -1, 0.5, 1e12, '', 'E', '{% 1 %}', [], [1], ['A', 'A'], {}, { a: 1 }];

/** Fields of other states, of JSONPath and of the distributed Map. */
const foreignFields =
  `Next End Default Resource Arguments Output Assign Retry Catch Choices Branches ItemProcessor
  Iterator Items ItemReader ItemBatcher ResultWriter Label Seconds Timestamp SecondsPath TimeoutSeconds InputPath
  OutputPath ResultPath Parameters ResultSelector Result Error Cause ErrorPath CausePath Credentials Condition
  ErrorEquals JitterStrategy ProcessorConfig Mode ExecutionType StartAt States Unknown`.split(/\s+/);

/** Copies of a value that differ from it in one place: a field removed, replaced or added. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield* values;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      const { [key]: _, ...others } = value as Record<string, unknown>;
      yield others;
    }
    for (const variant of variantsOf(inner)) {
      yield Array.isArray(value) ? value.with(Number(key), variant) : { ...value, [key]: variant };
    }
  }
  if (Array.isArray(value)) return;
  for (const field of foreignFields) for (const added of values) yield { ...value, [field]: added };
}

/**
 * The problems that asl-validator, an independent implementation of the same specification, finds in a definition that
 * the platform accepts. Only its schemas are used: the package compiles them anew for every definition, which takes a
 * quarter of a second, and what it checks besides are names, targets and ends of a scope. Its schemas reject multi-line
 * expressions, empty strings and nested arrays, all of which the language allows, so every template is
 * replaced by one that they accept.
 */
function aslValidatorProblems(definition: object): Problem[] {
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

test('asl-validator accepts every definition that the platform accepts', () => {
  const accepted = definitions
    .flatMap((definition) => [definition, ...variantsOf(definition)])
    .filter(
      (document): document is object => 'definition' in validateDefinition(document, supportedResources),
    );
  expect(accepted.length).toBeGreaterThan(1_000);
  const refused = accepted.flatMap((definition) => {
    const problems = aslValidatorProblems(definition);
    return problems.length > 0 ? [{ definition, problems }] : [];
  });
  expect(refused).toEqual([]);
}, 60_000);
