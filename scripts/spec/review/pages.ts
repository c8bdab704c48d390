import { readFile } from 'node:fs/promises';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { portalDesign } from '../../../server/src/pages/design.ts';
import { documentedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { DescribedRoute } from '../../portal/contract/contract-pages.ts';
import { operationSections } from '../../portal/pages/reference-pages.ts';
import type { Change } from '../diff/changes.ts';
import { markedHtml } from './marked-html.ts';
import { type Contracts, type Review, refusedBreaks } from './review.ts';

const browser = new URL('../../portal/browser/', import.meta.url);
const styles = ['portal.css', 'prose.css', 'reference.css'];

type Version = { described: DescribedRoute; section: Html };
type ChangedOperation = {
  id: string;
  described: DescribedRoute;
  before: Version | undefined;
  after: Version | undefined;
};

/**
 * One HTML file without anything beside it: the sections of the reference that differ between the contracts, before and
 * after side by side, with the differences marked.
 */
export async function changedPages(review: Review, { base, head }: Contracts): Promise<string> {
  const [from, to] = [operationSections(base), operationSections(head)];
  const ids = [...new Set([...to.keys(), ...from.keys()])];
  const changed = ids.flatMap((id): ChangedOperation[] => {
    const [before, after] = [from.get(id), to.get(id)];
    const described = (after ?? before)?.described;
    if (!described || before?.section.markup === after?.section.markup) return [];
    return [{ id, described, before, after }];
  });
  const [own = '', theme = '', ...sheets] = await Promise.all([
    readFile(new URL('pages.css', import.meta.url), 'utf8'),
    ...['theme.js', ...styles].map((name) => readFile(new URL(name, browser), 'utf8')),
  ]);
  const title = `Changed operations since ${review.base}`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted([portalDesign, ...sheets, own].join('\n'))}</style>
<script>${trusted(theme)}</script>
</head>
<body>
<main class="prose changed">
<h1>${title}</h1>
${verdict(review)}
${
  changed.length === 0
    ? html`<p>The reference shows no difference.</p>`
    : html`<nav aria-label="Changed operations"><ul>${changed.map(
        ({ id, described, before, after }) =>
          html`<li><a href="#${id}">${described.operation.summary}</a> <span class="state">${stateOf(before, after)}</span></li>`,
      )}</ul></nav>
${changed.map((one) => operation(one, review.comparison?.changes ?? []))}`
}
</main>
</body>
</html>
`.markup;
}

function verdict({ comparison }: Review): Html {
  const breaks = comparison ? refusedBreaks(comparison) : [];
  if (breaks.length === 0)
    return html`<p>No change breaks a client${comparison?.released && ` of ${comparison.released}`}.</p>`;
  return html`<p><strong>Breaks clients of ${comparison?.released}:</strong></p>
<ul>${breaks.map(({ where, message }) => html`<li><code>${where}</code>: ${message.replaceAll('`', '')}</li>`)}</ul>`;
}

function stateOf(before: Version | undefined, after: Version | undefined): string {
  if (!before) return 'added';
  return after ? 'changed' : 'removed';
}

function operation({ id, described, before, after }: ChangedOperation, changes: Change[]): Html {
  const { summary } = described.operation;
  const marked = markedHtml(before?.section.markup ?? '', after?.section.markup ?? '', `${id}-change`);
  const notes = changes.filter(({ name, text }) => name === id && text !== '');
  const links = Array.from({ length: marked.marks }, (_, index) => `${id}-change-${index + 1}`);
  const side = (name: 'before' | 'after', markup: string) =>
    html`<details class="version" open><summary>${name === 'before' ? 'Before' : 'After'}</summary>${trusted(separated(markup, name))}</details>`;
  return html`<section class="change" aria-labelledby="${id}">
<h2 id="${id}">${summary} <span class="state">${stateOf(before, after)}</span></h2>
${notes.length > 0 && html`<ul>${notes.map(({ kind, text }) => html`<li>${kind}: ${text.replaceAll('`', '')}</li>`)}</ul>`}
${
  before &&
  after &&
  html`<p class="marks">Go to difference ${links.map((link, index) => html`<a href="#${link}">${index + 1}</a> `)}</p>
<div class="sides">
${side('before', marked.before)}
${side('after', marked.after)}
</div>`
}
${!before && after && side('after', after.section.markup)}
${!after && before && side('before', before.section.markup)}
</section>`;
}

/** Keeps the ids and radio groups of both sides apart, and leads links to the portal. */
function separated(markup: string, side: string): string {
  return (
    markup
      .replaceAll(/ (id|name)="(?![^"]*-change-\d+")([^"]*)"/g, ` $1="${side}-$2"`)
      // Both sides have the same name, which regions must not.
      .replaceAll(/ aria-labelledby="[^"]*"/g, '')
      .replaceAll(/ href="#/g, ` href="#${side}-`)
      .replaceAll(/ href="\//g, ` href="${documentedAddresses.production}/`)
  );
}
