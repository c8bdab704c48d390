import { Refused } from '../../../../contract/index.ts';
import { type JsonAllowance, jsonAllowance, parseJson } from '../../../../http-bodies/index.ts';
import { isObject } from '../../../../json/index.ts';
import type { FormFields } from '../page-context.ts';
import type { Texts } from '../texts.ts';
import {
  type Drafts,
  draftOf,
  type Field,
  type FormPlan,
  initialValue,
  inputName,
  jsonInputName,
} from './fields.ts';

/** Problems by input name; `''` for a problem of the whole form. */
export type FormProblems = Map<string, string>;

export interface ReadForm {
  /** The entered texts. */
  drafts: Drafts;
  /** Not validated against the schema. */
  parameters: unknown;
  problems: FormProblems;
}

/** The name of a text that describes an unreadable input. */
type ReadingProblem = keyof {
  [Name in keyof Texts['problem'] as Texts['problem'][Name] extends string ? Name : never]: 1;
};
type Reading = { value: unknown } | { problem: ReadingProblem } | 'empty';

/**
 * Reads the parameters from a submitted form. An unchanged value stays exactly as it was, even if its input shows only
 * part of it. Parameters without a field stay too.
 *
 * @param prefill the parameters with which the form was filled in
 */
export function readForm(plan: FormPlan, form: FormFields, prefill: unknown, texts: Texts): ReadForm {
  const problems: FormProblems = new Map();
  const drafts = new Map<string, string>();
  // For a million line breaks replaceAll takes five times as long.
  const textOf = (name: string) => (form.get(name) ?? '').split('\r\n').join('\n').replace(/\0+/g, '');
  if (plan.kind === 'json') {
    const text = textOf(jsonInputName);
    drafts.set(jsonInputName, text);
    const reading = readJson(text, jsonAllowance());
    if (reading === 'empty') return { drafts, parameters: {}, problems };
    if ('value' in reading) return { drafts, parameters: reading.value, problems };
    problems.set(jsonInputName, texts.problem[reading.problem]);
    return { drafts, parameters: undefined, problems };
  }
  // Shared by all fields: many small texts take as long as a large one.
  const allowance = jsonAllowance();
  const parameters = new Map(isObject(prefill) ? Object.entries(prefill) : []);
  for (const field of plan.fields) {
    const name = inputName(field);
    const initial = initialValue(field, prefill);
    const draft = draftOf(field.control, initial);
    const text = field.readOnly
      ? draft
      : field.control.kind === 'checkbox'
        ? checkboxText(form, name)
        : textOf(name);
    drafts.set(name, text);
    const unchanged = initial !== undefined && text === draft;
    const reading = unchanged ? { value: initial } : readField(field, text, allowance);
    if (reading === 'empty') parameters.delete(field.name);
    else if ('value' in reading) parameters.set(field.name, reading.value);
    else problems.set(name, texts.problem[reading.problem]);
  }
  // fromEntries creates an own property even for a name like __proto__.
  return { drafts, parameters: Object.fromEntries(parameters), problems };
}

/** Browsers do not send a checkbox that is not checked. */
const checkboxText = (form: FormFields, name: string) => (form.has(name) ? 'true' : 'false');

function readField(field: Field, text: string, allowance: JsonAllowance): Reading {
  const { control, required, nullable } = field;
  if (text.trim() === '') {
    if (!required) return 'empty';
    if (nullable) return { value: null };
    const isChoice = control.kind === 'choice' || control.kind === 'yes-no';
    return { problem: isChoice ? 'choose' : 'required' };
  }
  switch (control.kind) {
    case 'text':
      if (control.type === 'text') return { value: text };
      return { value: control.type === 'datetime-local' ? withZone(text.trim()) : text.trim() };
    case 'number':
      return readNumber(text, control.whole);
    case 'yes-no':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'choose' };
    case 'checkbox':
      return readCheckbox(field, text === 'true');
    case 'choice': {
      const chosen = control.options.find(({ value }) => JSON.stringify(value) === text);
      return chosen ? { value: chosen.value } : { problem: 'choose' };
    }
    case 'json':
      return readJson(text, allowance);
  }
}

/** An unchecked box means false, or no value if only true is allowed. */
function readCheckbox({ schema, required }: Field, checked: boolean): Reading {
  if (checked) return { value: true };
  if (schema['const'] !== true && !Array.isArray(schema['enum'])) return { value: false };
  return required ? { problem: 'agree' } : 'empty';
}

/** `datetime-local` inputs have no time zone: the page says that it is UTC, or its script converts to UTC. */
function withZone(text: string): string {
  if (/(Z|[+-]\d\d:\d\d)$/i.test(text)) return text;
  return /T\d\d:\d\d$/.test(text) ? `${text}:00Z` : `${text}Z`;
}

/** In UTF-16 units. A double has at most 17 digits; the rest allows for spaces. */
const maxNumberLength = 100;
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Accepts a decimal point or comma, and spaces between thousands. */
function readNumber(text: string, whole: boolean): Reading {
  const compact = text.length > maxNumberLength ? '' : text.replace(/[\s\u00a0\u202f]/g, '');
  const decimal = compact.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  const value = numberPattern.test(decimal) ? Number(decimal) : Number.NaN;
  if (!Number.isFinite(value)) return { problem: whole ? 'whole' : 'number' };
  if (whole && !Number.isSafeInteger(value)) return { problem: 'whole' };
  return { value };
}

function readJson(text: string, allowance: JsonAllowance): Reading {
  if (text.trim() === '') return 'empty';
  try {
    return { value: parseJson(Buffer.from(text), allowance) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const malformed = error.refusal.errors[0]?.code === 'body_malformed';
    return { problem: malformed ? 'json' : 'unstorable' };
  }
}
