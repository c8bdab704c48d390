import { expect, test } from 'vitest';
import { validateDefinition } from '../../server/asl/validate.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { aslValidatorProblems } from './asl-validator.ts';
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
