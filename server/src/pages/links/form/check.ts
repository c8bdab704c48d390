import type { ErrorObject } from 'ajv';
import { type Json, messageOf, namesIn, placeOf } from '../../../../json/index.ts';
import type { InputSchemas } from '../../../../json-schema/index.ts';
import type { Texts } from '../texts.ts';
import { type FormPlan, inputName, jsonInputName } from './fields.ts';
import type { FormProblems } from './read.ts';

/** Validates parameters against the input schema. Returns the first problem of each input. */
export async function checkParameters(
  schemas: Pick<InputSchemas, 'check'>,
  { id, inputSchema }: { id: string; inputSchema: unknown },
  plan: FormPlan,
  parameters: unknown,
  texts: Texts,
): Promise<FormProblems> {
  const result = await schemas.check(id, inputSchema as Json, parameters);
  if (result.kind !== 'checked') return new Map([['', texts.problem.unchecked]]);
  const problems: FormProblems = new Map();
  for (const error of result.errors) {
    const { name, sentence } = inputProblem(error, plan, texts);
    if (!problems.has(name)) problems.set(name, sentence);
  }
  return problems;
}

function inputProblem(error: ErrorObject, plan: FormPlan, texts: Texts): { name: string; sentence: string } {
  const { instancePath, params } = error;
  const path = namesIn(params['missingProperty'] === undefined ? instancePath : placeOf(error));
  const field = plan.kind === 'fields' ? plan.fields.find(({ name }) => name === path[0]) : undefined;
  const shownPath = field ? path.slice(1) : path;
  const prefix = shownPath.length > 0 ? `${shownPath.join(' › ')}${texts.colon}` : '';
  const unnamed = plan.kind === 'json' ? jsonInputName : '';
  return { name: field ? inputName(field) : unnamed, sentence: `${prefix}${sentenceOf(error, texts)}` };
}

function sentenceOf(error: ErrorObject, { problem }: Texts): string {
  const { keyword, params } = error;
  const limit = () => String(params['limit']);
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
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
      return problem[describedFormats.find((format) => format === params['format']) ?? 'format'];
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return problem.unexpected(String(params['additionalProperty'] ?? params['unevaluatedProperty']));
    default:
      return problem.other(messageOf(error));
  }
}

const describedFormats = ['date', 'date-time', 'time', 'email', 'uri'] as const;
