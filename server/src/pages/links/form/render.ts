import { type Html, html } from '../../../domain/html.ts';
import type { Language } from '../../../domain/languages.ts';
import type { Texts } from '../texts.ts';
import { type Drafts, type Field, type FormPlan, inputName, jsonInputName } from './fields.ts';
import type { FormProblems } from './read.ts';

export interface ShownForm {
  plan: FormPlan;
  language: Language;
  drafts: Drafts;
  problems: FormProblems;
}

/** A summary of the problems before the form, with links to the inputs. Screen readers announce it. */
export function problemSummary({ plan, problems }: ShownForm, texts: Texts): Html | undefined {
  if (problems.size === 0) return undefined;
  const entries = [...problems].map(([name, sentence]) => {
    const field = plan.kind === 'fields' && plan.fields.find((candidate) => inputName(candidate) === name);
    if (field) {
      const separator = /[.?!:]$/.test(field.title) ? ' ' : texts.colon;
      return html`<li><a href="#${idOf(plan, field)}">${field.title}${separator}${sentence}</a></li>`;
    }
    return html`<li>${name === jsonInputName ? html`<a href="#json">${sentence}</a>` : sentence}</li>`;
  });
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${texts.problems}</h2><ul>${entries}</ul></div>`;
}

/** Renders the inputs of a form, without the `<form>` element. */
export function formInputs(form: ShownForm, texts: Texts): Html {
  if (form.plan.kind === 'json') return jsonInput(form, texts);
  const format = new Intl.NumberFormat(form.language, { maximumFractionDigits: 20 });
  const shown = form.plan.fields.map((field) => fieldInput(form, field, texts, format));
  return html`${shown}`;
}

/** Expanded if it has a value or a problem. */
function jsonInput({ drafts, problems }: ShownForm, texts: Texts): Html {
  const text = drafts.get(jsonInputName) ?? '';
  const problem = problems.get(jsonInputName);
  const isOpen = problem !== undefined || !['', '{}'].includes(text.replace(/\s/g, ''));
  const described = ['json-hint', ...(problem ? ['json-problem'] : [])].join(' ');
  return html`<details class="whole"${isOpen && html` open`}>
<summary>${texts.json}</summary>
<div class="field${problem && ' wrong'}">
<label for="json" class="hidden">${texts.json}</label>
<p class="hint" id="json-hint">${texts.jsonHint}</p>
${problem && html`<p class="problem" id="json-problem">${problem}</p>`}
<textarea id="json" name="${jsonInputName}" rows="${rowsOf(text)}" spellcheck="false" autocapitalize="off"
 aria-describedby="${described}"${problem && html` aria-invalid="true"`}>
${text}</textarea>
</div></details>
`;
}

/** The HTML id of a field. A property name may contain any character. */
function idOf({ fields }: Extract<FormPlan, { kind: 'fields' }>, field: Field): string {
  return `field-${fields.indexOf(field) + 1}`;
}

function fieldInput(form: ShownForm, field: Field, texts: Texts, format: Intl.NumberFormat): Html {
  const plan = form.plan as Extract<FormPlan, { kind: 'fields' }>;
  const id = idOf(plan, field);
  const name = inputName(field);
  const value = form.drafts.get(name) ?? '';
  const problem = form.problems.get(name);
  const hints = [field.description, hintOf(field, texts, format)].filter((hint) => hint !== undefined);
  const described = [...(hints.length > 0 ? [`${id}-hint`] : []), ...(problem ? [`${id}-problem`] : [])];
  const optional =
    !field.required &&
    !field.readOnly &&
    field.control.kind !== 'checkbox' &&
    html` <span class="optional">(${texts.optional})</span>`;
  const title = html`<bdi>${field.title}</bdi>${optional}`;
  const notes = html`${hints.length > 0 && html`<p class="hint" id="${id}-hint">${hints.join(' ')}</p>`}
${problem && html`<p class="problem" id="${id}-problem">${problem}</p>`}`;
  const describedBy = described.length > 0 && html` aria-describedby="${described.join(' ')}"`;
  const attributes = html`${describedBy}${problem && html` aria-invalid="true"`}`;
  const shown = { id, name, value, title, notes, attributes, describedBy };
  return html`<div class="field${problem && ' wrong'}">${
    field.readOnly ? readOnlyValue(field, shown, texts) : control(field, shown, texts)
  }</div>
`;
}

interface Shown {
  id: string;
  name: string;
  value: string;
  title: Html;
  notes: Html;
  attributes: Html;
  /** The one attribute that a fieldset may have too. */
  describedBy: Html | false;
}

function control(field: Field, shown: Shown, texts: Texts): Html {
  const { id, name, value, title, notes, attributes, describedBy } = shown;
  const required = field.required && !field.nullable && html` required`;
  const label = html`<label for="${id}">${title}</label>`;
  switch (field.control.kind) {
    case 'checkbox': {
      const box = html`<input type="checkbox" id="${id}" name="${name}" value="true"${
        value === 'true' && html` checked`
      }${'const' in field.schema && required}${attributes}>`;
      return html`<div class="tick">${box} ${label}</div>${notes}`;
    }
    case 'yes-no':
      return html`<fieldset${describedBy}><legend>${title}</legend>${notes}<div class="answers">${radioButtons(
        field.control,
        texts,
      ).map(
        ([
          radioValue,
          text,
          suffix,
        ]) => html`<div class="tick"><input type="radio" id="${id}${suffix}" name="${name}"
 value="${radioValue}"${value === radioValue && html` checked`}${required}>
<label for="${id}${suffix}">${text}</label></div>`,
      )}</div></fieldset>`;
    case 'choice':
      return html`${label}${notes}<select id="${id}" name="${name}"${required}${attributes}>
<option value="">${field.required ? texts.choose : ''}</option>
${field.control.options.map((option) => {
  const text = JSON.stringify(option.value);
  return html`<option value="${text}"${text === value && html` selected`}>${option.label ?? texts.none}</option>\n`;
})}</select>`;
    case 'number':
      return html`${label}${notes}<input type="text" class="short" inputmode="${
        field.control.whole ? 'numeric' : 'decimal'
      }" autocomplete="off" id="${id}" name="${name}" value="${value}"${required}${attributes}>`;
    case 'json':
      return html`${label}${notes}<textarea class="code" id="${id}" name="${name}" rows="${rowsOf(value)}"
 spellcheck="false" autocapitalize="off"${required}${attributes}>
${value}</textarea>`;
    case 'text':
      return html`${label}${notes}${textInput(field, field.control, shown, required, texts)}`;
  }
}

function radioButtons(
  { optional }: { optional: boolean },
  texts: Texts,
): [value: string, text: string, idSuffix: string][] {
  const buttons: [string, string, string][] = [
    ['true', texts.yes, ''],
    ['false', texts.no, '-no'],
  ];
  return optional ? [...buttons, ['', texts.noAnswer, '-none']] : buttons;
}

function textInput(
  { schema }: Field,
  { type, long }: Extract<Field['control'], { kind: 'text' }>,
  { id, name, value, attributes }: Shown,
  required: Html | false,
  texts: Texts,
): Html {
  const { maxLength } = schema;
  // HTML counts UTF-16 units and JSON Schema characters: twice the limit never truncates a valid text.
  const limit = typeof maxLength === 'number' && type === 'text' && html` maxlength="${maxLength * 2}"`;
  const common = html`id="${id}" name="${name}" dir="auto"${limit}${required}${attributes}`;
  if (long || value.includes('\n')) return html`<textarea rows="5" ${common}>\n${value}</textarea>`;
  // A script of the page converts between UTC, which is sent, and the reader's time zone.
  // Browsers ask for seconds only if the given value has them.
  const seconds = /:\d\d:\d\d$/.test(value) && html` step="1"`;
  const moment =
    type === 'datetime-local' && html`${seconds} data-utc="${texts.utc}" data-local="${texts.local}"`;
  return html`<input type="${type}"${moment} ${common} value="${value}">`;
}

function readOnlyValue({ control }: Field, { title, notes, value }: Shown, texts: Texts): Html {
  const option =
    control.kind === 'choice' &&
    control.options.find((candidate) => JSON.stringify(candidate.value) === value);
  const shown = option ? (option.label ?? texts.none) : value || '–';
  return html`<p class="label">${title}</p>${notes}${
    control.kind === 'json' ? html`<pre>${value}</pre>` : html`<p class="fixed" dir="auto">${shown}</p>`
  }`;
}

function hintOf(
  { control: { kind }, schema, ...field }: Field,
  texts: Texts,
  format: Intl.NumberFormat,
): string | undefined {
  if (kind === 'json' && !field.readOnly) return texts.jsonFieldHint;
  if (kind === 'text' && schema['format'] === 'date-time') return `${texts.utc}.`;
  const { minimum, maximum } = schema;
  const limit = (value: unknown) => (typeof value === 'number' ? format.format(value) : undefined);
  if (kind !== 'number' || (limit(minimum) ?? limit(maximum)) === undefined) return undefined;
  return `${texts.between(limit(minimum), limit(maximum))}.`;
}

const rowsOf = (text: string) => Math.min(16, Math.max(3, text.split('\n', 16).length + 1));
