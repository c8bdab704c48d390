import { type Html, html } from '../../domain/html.ts';
import { type Language, readableMoment } from '../../domain/languages.ts';
import { isObject } from '../../domain/objects.ts';
import { readableName } from './form/fields.ts';
import { textsOf } from './texts.ts';

/** Levels that are laid out; what lies deeper is shown as JSON. */
const deepest = 5;

/** Names and values that are laid out, and characters of anything larger, which is shown as JSON and cut. */
const most = { parts: 1000, characters: 100_000 };

/** RFC 3339, with a day, a time and a zone: what programs write for each other. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Any JSON value as a person reads it: names and values, lists, texts. */
export function shownValue(value: unknown, language: Language): Html {
  return isLarge(value) ? jsonText(value) : laidOut(value, language, 0);
}

export function isLarge(value: unknown): boolean {
  let left = most.parts;
  const count = (inner: unknown): boolean => {
    if (--left < 0) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    return Object.values(inner).every(count);
  };
  return !count(value);
}

function jsonText(value: unknown): Html {
  return html`<pre class="value">${cut(JSON.stringify(value, null, 2))}</pre>`;
}

const cut = (text: string) => (text.length > most.characters ? `${text.slice(0, most.characters)}\n…` : text);

function laidOut(value: unknown, language: Language, depth: number): Html {
  const texts = textsOf[language];
  if (value === null || value === '') return html`<span class="value">–</span>`;
  if (typeof value === 'boolean') return html`<span class="value">${value ? texts.yes : texts.no}</span>`;
  if (typeof value === 'string' && moment.test(value) && !Number.isNaN(Date.parse(value))) {
    return html`<time class="value" datetime="${value}">${readableMoment(new Date(value), language)}</time>`;
  }
  if (typeof value !== 'object')
    return html`<span class="value text" dir="auto">${cut(String(value))}</span>`;
  if (depth >= deepest) return jsonText(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="value">${texts.empty}</span>`;
    return html`<ol class="value">${value.map((item) => html`<li>${laidOut(item, language, depth + 1)}</li>`)}</ol>`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return html`<span class="value">${texts.empty}</span>`;
  return html`<dl class="value">${entries.map(([name, inner]) => {
    const nested = isNested(inner) && html` class="nested"`;
    return html`<dt${nested}><bdi>${readableName(name)}</bdi></dt><dd${nested}>${laidOut(inner, language, depth + 1)}</dd>`;
  })}</dl>`;
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}
