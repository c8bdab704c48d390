import type { Json } from '../json/index.ts';
import { isCheap } from './cheap-expression.ts';
import type { Template } from './definition.ts';
import { queryFailure, quoted } from './failure.ts';
import type { Surroundings } from './functions.ts';
import { type Bindings, type Compiled, compile, ExpressionError, evaluateAll } from './realm.ts';
import { setOwn, toPayload } from './size.ts';

/** Whether a value is a JSONata string, from `{%` to `%}` (specification: JSONata Concepts, Expressions). */
export function isExpression(value: unknown): value is `{%${string}%}` {
  return typeof value === 'string' && value.length >= 4 && value.startsWith('{%') && value.endsWith('%}');
}

/** Whether a text has an expression, with or without text around it. */
export function containsExpression(text: string): boolean {
  const start = text.indexOf('{%');
  return start >= 0 && text.includes('%}', start);
}

/** Whether a text is a JSONata string or could be mistaken for one. */
export function resemblesExpression(text: string): boolean {
  return text.startsWith('{%') || text.endsWith('%}') || containsExpression(text);
}

/** The text between the delimiters. */
export function sourceOf(expression: string): string {
  return expression.slice(2, -2);
}

interface Part {
  source: string;
  compiled: Compiled;
  cheap: boolean;
  /** Its path in the state: `Arguments/headers/x`. */
  field: string;
}

/** Evaluates templates. Compiled expressions are kept as long as the machine. */
export interface Templates {
  /**
   * Replaces every JSONata string in the template by its value, as plain JSON.
   *
   * @param field path of the template in the state, for the cause of a failure
   * @throws StateFailure `States.QueryEvaluationError` if an expression fails or returns nothing,
   *   `States.DataLimitExceeded` if a value is too large
   */
  evaluate(template: Template, field: string, bindings: Bindings, surroundings: Surroundings): Json;
}

export function openTemplates(): Templates {
  const compiledSources = new Map<string, Compiled>();
  const partsOfTemplates = new WeakMap<object, Part[]>();

  const compiledOf = (source: string, field: string): Compiled => {
    const known = compiledSources.get(source);
    if (known) return known;
    try {
      const compiled = compile(source);
      compiledSources.set(source, compiled);
      return compiled;
    } catch (error) {
      // Impossible in a validated definition.
      throw queryFailure(`${quoted(source)} in ${field} does not compile: ${(error as Error).message}`);
    }
  };

  const partsOf = (template: Template, field: string): Part[] => {
    if (typeof template !== 'object' || template === null) return collect(template, field);
    let parts = partsOfTemplates.get(template);
    if (!parts) {
      parts = collect(template, field);
      partsOfTemplates.set(template, parts);
    }
    return parts;
  };

  const collect = (template: Template, field: string): Part[] =>
    [...expressionsIn(template, field)].map(({ expression, field: path }) => {
      const source = sourceOf(expression);
      const compiled = compiledOf(source, path);
      return { source, compiled, cheap: isCheap(compiled.ast()), field: path };
    });

  return {
    evaluate(template, field, bindings, surroundings) {
      const parts = partsOf(template, field);
      if (parts.length === 0) return toPayload(template, `The field ${field}`);
      const values = evaluateParts(parts, bindings, surroundings);
      return toPayload(filled(template, values.values()), `The field ${field}`);
    },
  };
}

function evaluateParts(parts: readonly Part[], bindings: Bindings, surroundings: Surroundings): unknown[] {
  let values: unknown[];
  try {
    values = evaluateAll(
      parts.map((part) => part.compiled),
      bindings,
      { ...surroundings, limited: !parts.every((part) => part.cheap) },
    );
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const part = parts[error.index];
    const { position } = error;
    throw queryFailure(
      `${quoted(part?.source ?? '')} in ${part?.field} failed: ${error.message}`,
      part && { field: part.field, ...(position !== undefined && { position }) },
    );
  }
  const missing = parts[values.indexOf(undefined)];
  if (missing) {
    const { source, field } = missing;
    throw queryFailure(`${quoted(source)} in ${field} returns nothing (undefined).`, { field });
  }
  return values;
}

/** The JSONata strings in a template, in the order in which `filled` consumes their values. */
export function* expressionsIn(
  template: Template,
  field: string,
): Generator<{ expression: string; field: string }> {
  if (isExpression(template)) yield { expression: template, field };
  else if (typeof template === 'object' && template !== null) {
    for (const [key, value] of Object.entries(template)) yield* expressionsIn(value, `${field}/${key}`);
  }
}

function filled(template: Template, values: Iterator<unknown>): unknown {
  if (isExpression(template)) return values.next().value;
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  const object: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(template)) setOwn(object, key, filled(value, values));
  return object;
}
