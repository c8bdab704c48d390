import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '../../server/src/domain/html.ts';
import { systemDesign } from '../../server/src/pages/design.ts';
import type { Fault } from './faults.ts';

const style = `${systemDesign}
body{background:var(--page);color:var(--text);font:var(--size)/1.5 var(--sans);margin:0 auto;max-width:60rem;padding:1.5rem 1rem}
a{color:var(--accent)}code{font-family:var(--mono);font-size:.9em;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top}
button{background:var(--accent);border:0;border-radius:var(--radius-small);color:var(--on-accent);font:inherit;padding:.4rem .9rem}
`;
const digest = createHash('sha256').update(style).digest('base64');

export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const preferences = [
  ['Prefer: code=404', 'another documented status'],
  ['Prefer: example=userNotFound', 'an example by its name'],
  ['Prefer: dynamic=true', 'a body generated from the schema'],
  ['Prefer: wait=2', 'a delay of two seconds'],
];

/** The mock's page for browsers: what it can do, and the current faults. */
export function mockPage(
  { mode, baseUrl }: { mode: 'examples' | 'stateful'; baseUrl: string },
  controls: string[],
  faults: Fault[],
): string {
  const does =
    mode === 'stateful'
      ? "The platform's own handlers respond. Changes are kept until the mock is reset or ends."
      : "Every operation responds with the contract's examples. Changes are checked, not kept.";
  const paths = controls.map((key) => key.split(' ')).map(([method, path]) => [`${method} /__mock${path}`]);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mock of the platform</title><style>${trusted(style)}</style></head>
<body>
<main>
<h1>Mock of the platform</h1>
<p>${does} Any token is accepted. The base URL is <code>${baseUrl}</code>, and the contract is at <a href="/openapi.json">/openapi.json</a>.</p>
<h2>Faults</h2>
${faults.length > 0 ? faultList(faults) : html`<p>None.</p>`}
<p>Add one, for example for the next two requests: <code>curl ${baseUrl}/__mock/faults -d '{"status": 503, "times": 2}'</code></p>
<h2>Headers of a request</h2>
${table(['Header', 'Response'], preferences)}
<h2>Controls</h2>
${table(['Call'], paths)}
</main>
</body>
</html>
`.markup;
}

function faultList(faults: Fault[]): Html {
  const rows = faults.map((fault) => [JSON.stringify(fault)]);
  return html`${table(['Fault'], rows)}
<form method="post" action="/__mock/faults/clear"><p><button>Clear all faults</button></p></form>`;
}

/** The first column is code. */
function table(heads: string[], rows: (string | undefined)[][]): Html {
  const cell = (text: string | undefined, at: number) =>
    html`<td>${at === 0 ? html`<code>${text}</code>` : text}</td>`;
  const body = rows.map((row) => html`<tr>${row.map(cell)}</tr>`);
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
