import { isObject, timestampOf } from '../../../../json/index.ts';
import type { Control, Field, FormPlan } from './fields.ts';

/** The texts in the inputs of a form, by input name. */
export type Drafts = ReadonlyMap<string, string>;

/** The name of the input for all parameters as JSON. */
export const jsonInputName = 'json';
/** The prefix distinguishes properties from other inputs of the form. */
export const inputName = (field: Field) => `f.${field.name}`;

/** The initial value of a field: the prefilled parameter, else the default of the schema. */
export function initialValue({ name, schema }: Field, prefill: unknown): unknown {
  if (isObject(prefill) && Object.hasOwn(prefill, name)) return prefill[name];
  return schema.default;
}

/** The texts of an unchanged form. */
export function initialDrafts(plan: FormPlan, prefill: unknown): Drafts {
  if (plan.kind === 'json') return new Map([[jsonInputName, JSON.stringify(prefill ?? {}, null, 2)]]);
  return new Map(
    plan.fields.map((field) => [inputName(field), draftOf(field.control, initialValue(field, prefill))]),
  );
}

/** The text that a control shows for a value; '' for none. */
export function draftOf(control: Control, value: unknown): string {
  if (value === undefined) return '';
  if (value === null && !isOption(control, value)) return '';
  switch (control.kind) {
    case 'text':
      if (typeof value !== 'string') return JSON.stringify(value);
      return control.type === 'datetime-local' ? inUtc(value) : value;
    case 'number':
      return String(value);
    case 'choice':
      return JSON.stringify(value);
    case 'json':
      return JSON.stringify(value, null, 2);
    case 'yes-no':
    case 'checkbox':
      return value === true ? 'true' : 'false';
  }
}

function isOption(control: Control, value: unknown): boolean {
  return control.kind === 'choice' && control.options.some((option) => option.value === value);
}

/** The format of `datetime-local` inputs: `2026-11-30T14:30`, with seconds unless they are 0. */
function inUtc(timestamp: string): string {
  return (
    timestampOf(timestamp)
      ?.toISOString()
      .replace(/(:00)?\.\d+Z$/, '') ?? ''
  );
}
