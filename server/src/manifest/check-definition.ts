import type { Json } from '../domain/json.ts';
import { namesIn } from '../domain/json-pointer.ts';
import { validateDefinition } from '../workflows/machine/index.ts';
import { compileInputSchema } from '../workflows/schema/compile.ts';
import { problemsOfLimits, problemsOfSchema } from '../workflows/schema/limits.ts';
import type { WorkflowDefinitionDeclaration } from './platform-file.ts';
import type { Path, Problem } from './problems.ts';

/** What is wrong with a workflow definition: its steps, or the schema of its input. */
export function checkDefinition(
  { definition, inputSchema }: WorkflowDefinitionDeclaration,
  path: Path,
): Problem[] {
  return [
    ...checkInputSchema(inputSchema, [...path, 'inputSchema']),
    ...checkSteps(definition, [...path, 'definition']),
  ];
}

function checkSteps(definition: Json, path: Path): Problem[] {
  const checked = validateDefinition(definition);
  if (!('problems' in checked)) return [];
  return checked.problems.map((problem) => ({
    path: [...path, ...keysOf(problem.path, definition)],
    message: problem.message,
  }));
}

function checkInputSchema(schema: Json, path: Path): Problem[] {
  const at = (pointer: string) => [...path, ...keysOf(pointer, schema)];
  const limits = problemsOfLimits(schema);
  // What is beyond them may take long to look through.
  const problems = limits.length > 0 ? limits : problemsOfSchema(schema);
  if (problems.length > 0) return problems.map(({ pointer, message }) => ({ path: at(pointer), message }));
  try {
    compileInputSchema(schema);
    return [];
  } catch (error) {
    return [{ path, message: `is no schema that can be used: ${(error as Error).message}` }];
  }
}

/** A JSON Pointer (RFC 6901) into a value as keys and indexes. */
function keysOf(pointer: string, value: Json): (string | number)[] {
  let inner: Json | undefined = value;
  return namesIn(pointer).map((name) => {
    const key = Array.isArray(inner) ? Number(name) : name;
    inner = typeof inner === 'object' && inner !== null ? (inner as Record<string, Json>)[key] : undefined;
    return key;
  });
}
