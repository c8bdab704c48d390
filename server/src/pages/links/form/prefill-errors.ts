import type { ErrorObject } from 'ajv';
import type { Json } from '../../../domain/json.ts';
import { namesIn } from '../../../domain/json-pointer.ts';
import { isObject } from '../../../domain/objects.ts';
import type { InputSchemas } from '../../../workflows/input-schema.ts';
import type { Texts } from '../texts.ts';
import type { FormPlan } from './fields.ts';

/**
 * Finds what the input schema has against a link's own values that nothing in the form can change, and says it in
 * words: whoever fills in such a form could never send it.
 *
 * @returns nothing where the form is of use
 */
export type PrefillErrors = (
  revision: { id: string; inputSchema: unknown },
  plan: FormPlan,
  given: unknown,
  texts: Texts,
) => Promise<string[]>;

export function prefillErrors(schemas: InputSchemas): PrefillErrors {
  return async ({ id, inputSchema }, plan, given, { problem }) => {
    // As a whole everything can be entered anew.
    if (plan.kind === 'json') return [];
    const fields = new Map(plan.fields.map((field) => [field.name, field]));
    const sentenceOf = ({ keyword, instancePath, params }: ErrorObject): string | undefined => {
      const [property] = namesIn(instancePath);
      if (property !== undefined) {
        const field = fields.get(property);
        return !field || field.readOnly ? problem.misfit(property) : undefined;
      }
      const without = (name: unknown, sentence: (name: string) => string) =>
        name === undefined || fields.has(String(name)) ? undefined : sentence(String(name));
      switch (keyword) {
        case 'additionalProperties':
        case 'unevaluatedProperties':
          return without(params['additionalProperty'] ?? params['unevaluatedProperty'], problem.surplus);
        case 'propertyNames':
          return without(params['propertyName'], problem.surplus);
        case 'required':
          return without(params['missingProperty'], problem.missing);
        default:
          return undefined;
      }
    };
    const verdict = await schemas.check(id, inputSchema as Json, isObject(given) ? given : {});
    if (verdict.kind !== 'checked') return [problem.unchecked];
    return [...new Set(verdict.errors.map(sentenceOf).filter((sentence) => sentence !== undefined))];
  };
}
