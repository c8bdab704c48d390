import { validateDefinition } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import { compileInputSchema, problemsOfLimits, problemsOfSchema } from '../../json-schema/index.ts';
import { supportedResources } from '../workflows/tasks/task.ts';
import type { WorkflowDefinitionDeclaration } from './platform-file.ts';
import { type Path, type Problem, pathOf } from './problems.ts';

/** Checks the steps and the input schema of a workflow definition. */
export function checkDefinition(
  { definition, inputSchema }: WorkflowDefinitionDeclaration,
  path: Path,
): Problem[] {
  const checked = validateDefinition(definition, supportedResources);
  const problems = 'problems' in checked ? checked.problems : [];
  return [
    ...checkInputSchema(inputSchema, [...path, 'inputSchema']),
    ...problems.map((problem) => ({
      path: [...path, 'definition', ...pathOf(problem.path, definition)],
      message: problem.message,
    })),
  ];
}

function checkInputSchema(schema: Json, path: Path): Problem[] {
  const limits = problemsOfLimits(schema);
  // A schema beyond the limits may take long to check.
  const problems = limits.length > 0 ? limits : problemsOfSchema(schema);
  if (problems.length > 0) {
    return problems.map(({ pointer, message }) => ({ path: [...path, ...pathOf(pointer, schema)], message }));
  }
  try {
    compileInputSchema(schema);
    return [];
  } catch (error) {
    return [{ path, message: `cannot be compiled: ${(error as Error).message}` }];
  }
}
