import {
  type MediaType,
  type Parameter,
  propertiesOf,
  resolve,
  type Schema,
} from '../../../server/contract/index.ts';
import { type Html, html } from '../../../server/src/domain/html.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { Contract } from '../../contract/source.ts';
import type { DescribedRoute } from '../contract/contract-pages.ts';
import type { Body } from '../contract/operation-parts.ts';

/** What the reader's browser may call besides the origin of the page: a mock on the reader's machine, on any port. */
export const callable = ['http://127.0.0.1:*', 'http://localhost:*'];

/** Leads to the same operation in the portal of the sandbox. There, a script makes it a button that opens the form. */
export function tryItLink(page: string, operationId: string): Html {
  const target = `${namedAddresses.sandbox}${page}?try#${operationId}`;
  return html`<a class="try-it" data-markdown-ignore href="${target}">Try it in the sandbox</a>`;
}

interface Input {
  /** `path`, `query`, `header`, or `part` of a form. */
  place: string;
  name: string;
  required: boolean;
  value?: string;
  placeholder?: string;
  schema: Schema | undefined;
}

/**
 * The form that sends an operation's request to the sandbox, inert until a script shows it. Required parameters and the
 * body are filled in from their examples.
 */
export function tryItForm(
  contract: Contract,
  { operation, method, path }: DescribedRoute,
  [body]: Body[],
): Html {
  const { operationId, summary, parameters, security = [], requestBody } = operation;
  const header = security.length > 0 && tokenHeader(contract);
  const isForm = body?.mediaType === 'multipart/form-data';
  const inputs = parameters.map(inputOf);
  const example = body?.examples[0]?.text ?? '';
  const parts = isForm ? formParts(contract, requestBody?.content[body.mediaType]) : [];
  return html`<template data-markdown-ignore><form class="code" aria-label="Try it: ${summary}" data-method="${method.toUpperCase()}" data-template="${path}" data-name="${operationId}" data-production="${namedAddresses.production}">
<div class="bar"><strong>Try it</strong></div>
<div class="inputs">
${
  header &&
  html`<label><span>Sandbox token</span><input name="header.${header}" data-secret required autocomplete="off" placeholder="tot_…" aria-describedby="${operationId}-token"></label>
<p id="${operationId}-token">Stays in this browser tab. <a href="/docs/get-access#what-you-receive">Where to find it</a></p>`
}
${[...inputs, ...parts].map((input) => inputField(contract, input))}
${body && !isForm && html`<label><span>Body <span class="type">${body.mediaType}</span></span><textarea name="body" data-type="${body.mediaType}" rows="${rowsOf(example)}" spellcheck="false">${example}</textarea></label>`}
<label><span>Server</span><input name="server" type="url" required autocomplete="off" value="${namedAddresses.sandbox}" aria-describedby="${operationId}-server"></label>
<p id="${operationId}-server">The sandbox, or <a href="/docs/mock">a mock</a> on this machine, such as http://127.0.0.1:4010.</p>
${method !== 'get' && html`<p class="effect">This will ${withSmallInitial(summary)} <span>in the sandbox</span>.</p>`}
<button>Send</button>
</div></form></template>`;
}

const rowsOf = (text: string) => Math.min(16, Math.max(4, text.split('\n').length));

/** Optional parameters stay empty: a reader would send their example, such as a filter, unintentionally. */
function inputOf({ in: place, name, required = false, example, schema }: Parameter): Input {
  const shown =
    example === undefined ? {} : required ? { value: `${example}` } : { placeholder: `e.g. ${example}` };
  return { place, name, required, schema, ...shown };
}

/** The fields of a form, with the values of its first example. */
function formParts(contract: Contract, media: MediaType = {}): Input[] {
  const [{ value = {} } = {}] = Object.values(media.examples ?? {}) as { value?: Record<string, unknown> }[];
  const { required = [] } = resolve(contract, media.schema) ?? {};
  return Object.entries(propertiesOf(contract, media.schema)).map(([name, schema]) => ({
    place: 'part',
    name,
    required: required.includes(name),
    value: [value[name] ?? []].flat().join('\n'),
    schema,
  }));
}

function inputField(
  contract: Contract,
  { place, name, required, value = '', placeholder, schema }: Input,
): Html {
  const { type, format, enum: listed } = resolve(contract, schema) ?? {};
  const values = type === 'boolean' ? [true, false] : listed;
  const attributes = html`name="${place}.${name}"${required && html` required`}`;
  const about = type === 'array' ? 'one value a line' : required ? '' : 'optional';
  const control = () => {
    if (format === 'binary') return html`<input type="file" ${attributes}>`;
    if (type === 'array') return html`<textarea rows="2" data-lines ${attributes}>${value}</textarea>`;
    if (!values)
      return html`<input value="${value}"${placeholder && html` placeholder="${placeholder}"`} spellcheck="false" autocomplete="off" ${attributes}>`;
    const options = [...(required ? [] : ['']), ...values.map(String)];
    return html`<select ${attributes}>${options.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}</select>`;
  };
  return html`<label><span><code>${name}</code> <span class="type">${about}</span></span>${control()}</label>\n`;
}

/** The header of the organization token, which is sent as it is. */
function tokenHeader({ components }: Contract): string | undefined {
  const schemes = Object.values(
    (components['securitySchemes'] ?? {}) as Record<string, { type: string; name?: string }>,
  );
  return schemes.find(({ type }) => type === 'apiKey')?.name;
}

/** A summary as part of a sentence. An abbreviation keeps its capitals. */
function withSmallInitial(summary: string): string {
  return /^.\p{Lu}/u.test(summary) ? summary : `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}
