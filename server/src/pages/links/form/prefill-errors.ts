import type { ErrorObject } from 'ajv';
import { isObject, type Json, namesIn } from '../../../../json/index.ts';
import type { InputSchemas } from '../../../../json-schema/index.ts';
import type { Texts } from '../texts.ts';
import type { FormPlan } from './fields.ts';

/**
 * Describes the errors in a link's parameters that its form cannot correct: such a form could never be sent.
 *
 * @param signal aborted when the client has gone
 */
export async function prefillErrors(
  schemas: InputSchemas,
  { id, inputSchema }: { id: string; inputSchema: unknown },
  plan: FormPlan,
  prefill: unknown,
  { problem }: Texts,
  signal: AbortSignal,
): Promise<string[]> {
  // A JSON form can change everything.
  if (plan.kind === 'json') return [];
  const fields = new Map(plan.fields.map((field) => [field.name, field]));
  const sentenceOf = ({ keyword, instancePath, params }: ErrorObject): string | undefined => {
    const [property] = namesIn(instancePath);
    if (property !== undefined) {
      const field = fields.get(property);
      return !field || field.readOnly ? problem.invalid(property) : undefined;
    }
    const unlessField = (name: unknown, sentence: (name: string) => string) =>
      name === undefined || fields.has(String(name)) ? undefined : sentence(String(name));
    switch (keyword) {
      case 'additionalProperties':
      case 'unevaluatedProperties':
        return unlessField(params['additionalProperty'] ?? params['unevaluatedProperty'], problem.unexpected);
      case 'propertyNames':
        return unlessField(params['propertyName'], problem.unexpected);
      case 'required':
        return unlessField(params['missingProperty'], problem.missing);
      default:
        return undefined;
    }
  };
  const result = await schemas.check(id, inputSchema as Json, isObject(prefill) ? prefill : {}, signal);
  if (result.kind !== 'checked') return [problem.unchecked];
  return [...new Set(result.errors.map(sentenceOf).filter((sentence) => sentence !== undefined))];
}
