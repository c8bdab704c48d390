import type { Plan } from './plan.ts';

/** What its author does next. */
export function remaining(plan: Plan, isListed: boolean): string[] {
  const { operationId, resource, method, permission, result, body } = plan;
  const schemas = [result, body].flatMap((shape) => (shape && !('existing' in shape) ? shape.schema : []));
  const writes = method !== 'get';
  return [
    ...(schemas.length > 0
      ? [`Write the fields of ${schemas.join(' and ')} in spec/schemas/${resource}.yaml, and their examples.`]
      : []),
    `Write the summary and description of ${operationId} in spec/paths/${resource}.yaml.`,
    `Write the statement of ${operationId} in server/src/store/${resource}.ts, and a migration for new columns or tables.`,
    ...(writes ? ['Add the event of the change: spec/webhooks/, and recordEvent in the handler.'] : []),
    isListed
      ? `Approve the new line of test/sweeps/authorization-matrix.txt (${permission}).`
      : `No operation checks ${permission} on such an object: run the sweep with UPDATE_MATRIX=1, and approve the new line of test/sweeps/authorization-matrix.txt.`,
    `Test what else it promises in test/endpoints/${resource}.test.ts; the test there and the samples in test/samples/ fail until the statement is written.`,
    'Run npm run generate, npm run check, npm test.',
  ];
}
