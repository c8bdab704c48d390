import { isObject } from '../../../domain/objects.ts';
import type { Control, Field, FormPlan } from './fields.ts';

/** What stands in the controls of a form, as text, by the names under which it is sent. */
export type Drafts = ReadonlyMap<string, string>;

/** Under which name the whole is sent, where it is entered as JSON. */
export const wholeName = 'json';
/** A prefix keeps properties apart from what else a form carries. */
export const inputName = (field: Field) => `f.${field.name}`;

/** The value that a field begins with: of the parameter set, else the schema's default. */
export function initialValue({ name, schema }: Field, given: unknown): unknown {
  if (isObject(given) && Object.hasOwn(given, name)) return given[name];
  return schema.default;
}

/** The form as it is first shown. */
export function initialDrafts(plan: FormPlan, given: unknown): Drafts {
  if (plan.kind === 'json') return new Map([[wholeName, JSON.stringify(given ?? {}, null, 2)]]);
  return new Map(
    plan.fields.map((field) => [inputName(field), draftOf(field.control, initialValue(field, given))]),
  );
}

/** A value as its control shows it; '' where there is none. */
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

/** As HTML wants it: `2026-11-30T14:30`, with seconds where there are any. */
function inUtc(moment: string): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().replace(/(:00)?\.\d+Z$/, '');
}
