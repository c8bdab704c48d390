import type { ErrorObject } from 'ajv';
import { isObject, type Json } from '../../../../json/index.ts';
import { type InputProblem, type InputSchemas, problemsOf } from '../../../../json-schema/index.ts';
import { fieldTexts } from '../../../domain/definition-texts.ts';
import type { Language } from '../../../domain/languages.ts';
import type { FoundLink } from '../../../store/links.ts';
import { type Field, type FormPlan, initialValue, planForm } from './fields.ts';

/** What the form of a link is made of. */
export type Prefilled = Pick<FoundLink, 'parameters'> & {
  definition: Pick<FoundLink['definition'], 'defaultLocale' | 'revision'>;
};

/** The form of a link that can be used. A read-only field without a value can be edited. */
export function formPlanOf({ definition, parameters }: Prefilled, language: Language): FormPlan {
  const { revision, defaultLocale } = definition;
  const texts = fieldTexts({ uiOptions: revision?.uiOptions, defaultLocale }, language);
  const plan = planForm(revision?.inputSchema, texts);
  if (plan.kind === 'json') return plan;
  const hasValue = (field: Field) => initialValue(field, parameters) !== undefined;
  const fields = plan.fields.map((field) => ({ ...field, readOnly: field.readOnly && hasValue(field) }));
  return { kind: 'fields', fields };
}

/**
 * The errors in the parameters of a link that the person cannot correct in its form: such a form could never be sent.
 *
 * @param signal aborted when the client has gone
 */
export async function prefillProblems(
  schemas: Pick<InputSchemas, 'check'>,
  link: Prefilled,
  language: Language,
  signal?: AbortSignal,
): Promise<InputProblem[]> {
  const { revision } = link.definition;
  const plan = formPlanOf(link, language);
  // A JSON form can change everything.
  if (!revision || plan.kind === 'json') return [];
  const editable = new Set(plan.fields.filter(({ readOnly }) => !readOnly).map(({ name }) => name));
  const fixed = new Map(Object.entries(isObject(link.parameters) ? link.parameters : {}));
  for (const field of plan.fields) {
    if (field.readOnly) fixed.set(field.name, initialValue(field, link.parameters));
    else fixed.delete(field.name);
  }
  const parameters = Object.fromEntries(fixed);
  const verdict = await schemas.check(revision.id, revision.inputSchema as Json, parameters, signal);
  // What is missing may be entered.
  const isFixed = ({ keyword, instancePath, params }: ErrorObject) =>
    instancePath !== '' || (keyword !== 'minProperties' && !editable.has(String(params['missingProperty'])));
  return problemsOf(
    verdict.kind === 'checked' ? { ...verdict, errors: verdict.errors.filter(isFixed) } : verdict,
  );
}

/** The errors for which no link is created: the form would also ignore parameters that are no object. */
export async function creationProblems(
  schemas: Pick<InputSchemas, 'check'>,
  link: Prefilled,
  language: Language,
): Promise<InputProblem[]> {
  return isObject(link.parameters ?? {})
    ? prefillProblems(schemas, link, language)
    : [{ pointer: '', message: 'must be an object' }];
}
