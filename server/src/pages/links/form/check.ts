import type { ErrorObject } from 'ajv';
import type { Json } from '../../../domain/json.ts';
import { namesIn } from '../../../domain/json-pointer.ts';
import type { InputSchemas } from '../../../workflows/input-schema.ts';
import type { Texts } from '../texts.ts';
import { inputName, wholeName } from './drafts.ts';
import type { FormPlan } from './fields.ts';
import type { FormProblems } from './read.ts';

/** Finds what an input schema does not allow, and says it in words for the person who filled the form in. */
export type ParameterCheck = (
  revision: { id: string; inputSchema: unknown },
  plan: FormPlan,
  parameters: unknown,
  texts: Texts,
) => Promise<FormProblems>;

export function parameterCheck(schemas: InputSchemas): ParameterCheck {
  return async ({ id, inputSchema }, plan, parameters, texts) => {
    const verdict = await schemas.check(id, inputSchema as Json, parameters);
    if (verdict.kind !== 'checked') return new Map([['', texts.problem.unchecked]]);
    const problems: FormProblems = new Map();
    for (const error of verdict.errors) {
      const { name, sentence } = located(error, plan, texts);
      // The first is enough to go on with.
      if (!problems.has(name)) problems.set(name, sentence);
    }
    return problems;
  };
}

function located(error: ErrorObject, plan: FormPlan, texts: Texts): { name: string; sentence: string } {
  const sentence = sentenceOf(error, texts);
  const missing = error.keyword === 'required' ? [String(error.params['missingProperty'])] : [];
  const [property, ...inside] = [...namesIn(error.instancePath), ...missing];
  const path = (parts: string[]) => (parts.length > 0 ? `${parts.join(' › ')}${texts.colon}` : '');
  if (plan.kind === 'json') {
    const all = property === undefined ? [] : [property, ...inside];
    return { name: wholeName, sentence: `${path(all)}${sentence}` };
  }
  const field = plan.fields.find(({ name }) => name === property);
  if (field) return { name: inputName(field), sentence: `${path(inside)}${sentence}` };
  return { name: '', sentence: `${path(property === undefined ? [] : [property, ...inside])}${sentence}` };
}

function sentenceOf({ keyword, params, message = keyword }: ErrorObject, { problem }: Texts): string {
  const limit = () => String(params['limit']);
  switch (keyword) {
    case 'required':
      return problem.required;
    case 'enum':
    case 'oneOf':
      return problem.choose;
    case 'const':
      return params['allowedValue'] === true ? problem.agree : problem.choose;
    case 'minimum':
      return problem.least(limit());
    case 'maximum':
      return problem.most(limit());
    case 'exclusiveMinimum':
      return problem.above(limit());
    case 'exclusiveMaximum':
      return problem.below(limit());
    case 'multipleOf':
      return problem.step(String(params['multipleOf']));
    case 'minLength':
      return params['limit'] === 1 ? problem.required : problem.shortest(params['limit']);
    case 'maxLength':
      return problem.longest(params['limit']);
    case 'pattern':
      return problem.pattern;
    case 'format':
      return formatProblem(String(params['format']), problem);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return problem.surplus(String(params['additionalProperty'] ?? params['unevaluatedProperty']));
    default:
      return problem.other(message);
  }
}

function formatProblem(format: string, problem: Texts['problem']): string {
  switch (format) {
    case 'date':
    case 'date-time':
    case 'time':
    case 'email':
    case 'uri':
      return problem[format];
    default:
      return problem.format;
  }
}
