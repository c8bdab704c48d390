import type { ErrorObject, ValidateFunction } from 'ajv';
import { compileInputSchema } from '../../../workflows/input-schema.ts';
import type { Json } from '../../../workflows/machine/actions.ts';
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
) => FormProblems;

const mostCompiled = 200;
const mostProblems = 20;

/** Each schema is compiled once: a revision's never changes. */
export function parameterCheck(): ParameterCheck {
  const compiled = new Map<string, ValidateFunction>();
  return (revision, plan, parameters, texts) => {
    const validate = compiled.get(revision.id) ?? compileInputSchema(revision.inputSchema as Json);
    if (compiled.size >= mostCompiled) compiled.delete(compiled.keys().next().value as string);
    compiled.set(revision.id, validate);
    const problems: FormProblems = new Map();
    if (validate(parameters)) return problems;
    for (const error of (validate.errors ?? []).slice(0, mostProblems)) {
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
  const [property, ...inside] = [...segments(error.instancePath), ...missing];
  const path = (parts: string[]) => (parts.length > 0 ? `${parts.join(' › ')}: ` : '');
  if (plan.kind === 'json') {
    const all = property === undefined ? [] : [property, ...inside];
    return { name: wholeName, sentence: `${path(all)}${sentence}` };
  }
  const field = plan.fields.find(({ name }) => name === property);
  if (field) return { name: inputName(field), sentence: `${path(inside)}${sentence}` };
  return { name: '', sentence: `${path(property === undefined ? [] : [property, ...inside])}${sentence}` };
}

/** The parts of a JSON Pointer (RFC 6901). */
function segments(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
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
