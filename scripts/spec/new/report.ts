import type { Plan } from './plan.ts';

/** What a person has to decide after the scaffold. */
export function remaining(plan: Plan, isListed: boolean): string[] {
  const { operationId, resource, method, permission, answer, body } = plan;
  const schemas = [answer, body].flatMap((shape) => (shape && !('existing' in shape) ? shape.schema : []));
  const writes = method !== 'get';
  return [
    ...(schemas.length > 0
      ? [`The fields of ${schemas.join(' and ')} in spec/schemas/${resource}.yaml, and their examples.`]
      : []),
    `The words: summary and description of ${operationId} in spec/paths/${resource}.yaml.`,
    `Where it is kept: the statement of ${operationId} in server/src/store/${resource}.ts, and a migration for new tables.`,
    ...(writes
      ? ['The event that tells of the change: spec/webhooks/, and recordEvent in the handler.']
      : []),
    isListed
      ? `Who may: read the new line of test/sweeps/authorization-matrix.txt (${permission}).`
      : `Who may: no operation asks ${permission} on such an object; call the sweep with UPDATE_MATRIX=1, and read the new line of test/sweeps/authorization-matrix.txt.`,
    `What else it promises: further tests in test/endpoints/${resource}.test.ts; the one there, and the samples of test/samples/, fail until the statement is written.`,
    'Then: npm run generate, npm run check, npm test.',
  ];
}

/** What a file would gain, line by line. */
export function added({
  file,
  before,
  after,
}: {
  file: string;
  before: string | undefined;
  after: string;
}): string {
  const known = new Map<string, number>();
  for (const line of (before ?? '').split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  const lines = after.split('\n').filter((line) => {
    const left = known.get(line) ?? 0;
    if (left > 0) known.set(line, left - 1);
    return left === 0;
  });
  return [before === undefined ? `new ${file}` : file, ...lines.map((line) => `  + ${line}`), ''].join('\n');
}
