import { isObject, timestampOf } from '../../../json/index.ts';
import type { FieldTexts } from '../../domain/definition-texts.ts';
import { type Html, html } from '../../domain/html.ts';
import { type Language, readableMoment } from '../../domain/languages.ts';
import { readableName } from './form/fields.ts';
import { textsOf } from './texts.ts';

/** The maximum depth of the layout. Deeper values are shown as JSON. */
const maxDepth = 5;

/** The maximum number of values in the layout. Larger values are shown as JSON, truncated to `characters`. */
const limits = { values: 1000, characters: 100_000 };

/** How values are shown: the language, and the definition's texts for properties and their options. */
export interface Shown {
  language: Language;
  texts(property: string): FieldTexts;
}

/** Renders a JSON value as lists of names and values. */
export function shownValue(value: unknown, shown: Shown): Html {
  return isLarge(value) ? jsonText(value) : layout(value, shown, 0);
}

/** A point in time in UTC. A script of the page shows it in the reader's time zone. */
export function shownMoment(moment: Date, language: Language): Html {
  return html`<time datetime="${moment.toISOString()}">${readableMoment(moment, language)}</time>`;
}

export function isLarge(value: unknown): boolean {
  let left = limits.values;
  const count = (inner: unknown): boolean => {
    if (--left < 0) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    return Object.values(inner).every(count);
  };
  return !count(value);
}

function jsonText(value: unknown): Html {
  return html`<pre class="value">${truncated(JSON.stringify(value, null, 2))}</pre>`;
}

const truncated = (text: string) =>
  text.length > limits.characters ? `${text.slice(0, limits.characters)}\n…` : text;

function layout(value: unknown, shown: Shown, depth: number, property?: FieldTexts): Html {
  const texts = textsOf[shown.language];
  const option = typeof value === 'object' ? undefined : property?.option(value);
  if (option !== undefined) return html`<span class="value text" dir="auto">${option}</span>`;
  if (value === null || value === '') return html`<span class="value">–</span>`;
  if (typeof value === 'boolean') return html`<span class="value">${value ? texts.yes : texts.no}</span>`;
  const timestamp = typeof value === 'string' ? timestampOf(value) : undefined;
  if (timestamp) return html`<span class="value">${shownMoment(timestamp, shown.language)}</span>`;
  if (typeof value !== 'object')
    return html`<span class="value text" dir="auto">${truncated(String(value))}</span>`;
  if (depth >= maxDepth) return jsonText(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<span class="value">${texts.empty}</span>`;
    return html`<ol class="value">${value.map((item) => html`<li>${layout(item, shown, depth + 1, property)}</li>`)}</ol>`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return html`<span class="value">${texts.empty}</span>`;
  return html`<dl class="value">${entries.map(([name, inner]) => {
    const nested = isNested(inner) && html` class="nested"`;
    const own = shown.texts(name);
    return html`<dt${nested}><bdi>${own.title ?? readableName(name)}</bdi></dt><dd${nested}>${layout(inner, shown, depth + 1, own)}</dd>`;
  })}</dl>`;
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}
