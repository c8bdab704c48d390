import { isObject } from '../../../domain/objects.ts';
import { parseJson } from '../../../http/json-body.ts';
import { type JsonAllowance, jsonAllowance } from '../../../http/json-scan.ts';
import { Refused } from '../../../http/refused.ts';
import type { SentForm } from '../exchange.ts';
import type { Texts } from '../texts.ts';
import { type Drafts, draftOf, initialValue, inputName, wholeName } from './drafts.ts';
import type { Field, FormPlan } from './fields.ts';

/** What is wrong, by the name of the input that it is about; `''` is about no single one. */
export type FormProblems = Map<string, string>;

export interface ReadForm {
  /** As entered, to be shown again. */
  drafts: Drafts;
  /** Any JSON; whether the schema allows it is still to be seen. */
  parameters: unknown;
  problems: FormProblems;
}

/** Nothing of the kind can be made of what was entered; the name of a sentence that says so. */
type Unreadable = keyof {
  [Name in keyof Texts['problem'] as Texts['problem'][Name] extends string ? Name : never]: 1;
};
type Reading = { value: unknown } | { problem: Unreadable } | 'nothing';

/**
 * Makes parameters of a form that was sent. What was not changed stays exactly as it was, also where its control
 * shows less of it; what the form has no field for stays too.
 *
 * @param given the parameter set, with which the form was filled in
 */
export function readForm(plan: FormPlan, form: SentForm, given: unknown, texts: Texts): ReadForm {
  const problems: FormProblems = new Map();
  const drafts = new Map<string, string>();
  // A million of line ends: replaceAll takes five times as long as this.
  const sent = (name: string) => (form.get(name) ?? '').split('\r\n').join('\n').replace(/\0+/g, '');
  if (plan.kind === 'json') {
    const text = sent(wholeName);
    drafts.set(wholeName, text);
    const reading = readJson(text, jsonAllowance());
    if (reading === 'nothing') return { drafts, parameters: {}, problems };
    if ('value' in reading) return { drafts, parameters: reading.value, problems };
    problems.set(wholeName, texts.problem[reading.problem]);
    return { drafts, parameters: undefined, problems };
  }
  // All of the form together: many small texts take as long as a large one.
  const allowance = jsonAllowance();
  const parameters = new Map(isObject(given) ? Object.entries(given) : []);
  for (const field of plan.fields) {
    const name = inputName(field);
    const initial = initialValue(field, given);
    const draft = draftOf(field.control, initial);
    const text = field.readOnly ? draft : field.control.kind === 'checkbox' ? ticked(form, name) : sent(name);
    drafts.set(name, text);
    const unchanged = initial !== undefined && text === draft;
    const reading = unchanged ? { value: initial } : readField(field, text, allowance);
    if (reading === 'nothing') parameters.delete(field.name);
    else if ('value' in reading) parameters.set(field.name, reading.value);
    else problems.set(name, texts.problem[reading.problem]);
  }
  // fromEntries makes an own property also of a name like __proto__.
  return { drafts, parameters: Object.fromEntries(parameters), problems };
}

/** A box that is not ticked is not sent. */
const ticked = (form: SentForm, name: string) => (form.has(name) ? 'true' : 'false');

function readField(field: Field, text: string, allowance: JsonAllowance): Reading {
  const { control, required, nullable } = field;
  if (text.trim() === '') {
    if (!required) return 'nothing';
    if (nullable) return { value: null };
    const asked = control.kind === 'choice' || control.kind === 'yes-no';
    return { problem: asked ? 'choose' : 'required' };
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
      return readTick(field, text === 'true');
    case 'choice': {
      const chosen = control.options.find(({ value }) => JSON.stringify(value) === text);
      return chosen ? { value: chosen.value } : { problem: 'choose' };
    }
    case 'json':
      return readJson(text, allowance);
  }
}

/** Where nothing but a tick is allowed, none is no answer; elsewhere it means no. */
function readTick({ schema, required }: Field, on: boolean): Reading {
  if (on) return { value: true };
  if (schema['const'] !== true && !Array.isArray(schema['enum'])) return { value: false };
  return required ? { problem: 'agree' } : 'nothing';
}

/** HTML leaves the zone out; the page says that it is UTC. */
function withZone(text: string): string {
  if (/(Z|[+-]\d\d:\d\d)$/i.test(text)) return text;
  return /T\d\d:\d\d$/.test(text) ? `${text}:00Z` : `${text}Z`;
}

/** UTF-16 units of a number as entered; a double has no more than 17 digits, and people write spaces. */
const longestNumber = 100;
const numberForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** With a point or a comma before the decimals, and spaces between thousands. */
function readNumber(text: string, whole: boolean): Reading {
  const plain = text.length > longestNumber ? '' : text.replace(/[\s\u00a0\u202f]/g, '');
  const decimal = plain.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  const value = numberForm.test(decimal) ? Number(decimal) : Number.NaN;
  if (!Number.isFinite(value)) return { problem: whole ? 'whole' : 'number' };
  if (whole && !Number.isSafeInteger(value)) return { problem: 'whole' };
  return { value };
}

function readJson(text: string, allowance: JsonAllowance): Reading {
  if (text.trim() === '') return 'nothing';
  try {
    return { value: parseJson(Buffer.from(text), allowance) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const malformed = error.refusal.errors[0]?.code === 'body_malformed';
    return { problem: malformed ? 'json' : 'unkeepable' };
  }
}
