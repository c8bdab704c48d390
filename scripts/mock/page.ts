import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '../../server/src/domain/html.ts';
import { systemDesign } from '../../server/src/pages/design.ts';
import { type Control, controlPath, frontendPath } from './controls.ts';
import { preferenceExamples } from './examples/prefer.ts';
import type { Fault } from './fault.ts';

const style = `${systemDesign}
body{background:var(--page);color:var(--text);font:var(--size)/1.5 var(--sans);margin:0 auto;max-width:60rem;padding:1.5rem 1rem}
h1,h2{line-height:1.2}ul{padding-left:1.25rem}a{color:var(--accent)}code{font-family:var(--mono);font-size:.9em;overflow-wrap:anywhere}
pre{background:var(--code);border-radius:var(--radius-small);padding:.6rem .8rem;white-space:pre-wrap}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top}
td:first-child{min-width:9rem}td:nth-child(2):last-child{overflow-wrap:anywhere}
button{background:var(--accent);border:0;border-radius:var(--radius-small);color:var(--on-accent);font:inherit;padding:.4rem .9rem}
`;
const digest = createHash('sha256').update(style).digest('base64');

export const pagePolicy = `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** What `GET /__mock` returns, of either mode. */
interface Described {
  mode: 'examples' | 'stateful';
  baseUrl: string;
  portal?: string;
  frontend?: string;
  tokens?: Record<string, string>;
  apiKey?: { key: string; secret: string };
}

/** The mock's page for browsers: where it is, what it can do, and the current faults. */
export function mockPage(mock: Described, controls: Record<string, Control>, faults: Fault[]): string {
  const { mode, baseUrl, tokens = {}, apiKey } = mock;
  const does =
    mode === 'stateful'
      ? "The platform's own handlers respond. Changes are kept until the mock is reset or ends."
      : "Every operation responds with the contract's examples. Changes are checked, not kept.";
  const credentials = [
    ...Object.entries(tokens).map(([role, token]) => [html`<code>${token}</code>`, `token of the ${role}`]),
    ...(apiKey
      ? [[html`<code>${apiKey.key}</code> / <code>${apiKey.secret}</code>`, 'API key of the owner']]
      : []),
  ];
  const paths = Object.entries(controls).map(([key, { effect }]) => {
    const [method, path] = key.split(' ');
    return [html`<code>${method} ${controlPath}${path}</code>`, effect];
  });
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mock of the platform</title><style>${trusted(style)}</style></head>
<body>
<main>
<h1>Mock of the platform</h1>
<p>${does}</p>
<p>Base URL: <code>${baseUrl}</code></p>
<ul>${linksOf(mock).map(([path, text]) => html`<li><a href="${path}">${text}</a></li>`)}</ul>
<h2>Credentials</h2>
<p>${mode === 'stateful' ? 'An unknown token acts as the owner of the demo organization.' : 'Any token is accepted.'}</p>
${credentials.length > 0 ? table(['Value', 'Meaning'], credentials) : ''}
<h2>Faults</h2>
${faults.length > 0 ? faultList(faults) : html`<p>None.</p>`}
<p>Let the next two requests fail:</p>
<pre><code>curl ${baseUrl}/__mock/faults -H 'Content-Type: application/json' -d '{"status": 503, "times": 2}'</code></pre>
<h2>Headers of a request</h2>
${table(
  ['Header', 'Response'],
  preferenceExamples.map(([header, response]) => [html`<code>${header}</code>`, response]),
)}
<h2>Controls</h2>
${table(['Call', 'Effect'], paths)}
</main>
</body>
</html>
`.markup;
}

/** Paths, so that they work through any address of the mock. */
function linksOf({ portal, frontend }: Described): [path: string, text: string][] {
  return [
    ['/openapi.json', 'The contract'],
    ...(frontend ? [[frontendPath, 'A sample frontend'] as [string, string]] : []),
    ...(portal
      ? ([
          ['/docs', 'The portal'],
          ['/docs/mock', 'The guide to the mock'],
        ] as [string, string][])
      : []),
  ];
}

function faultList(faults: Fault[]): Html {
  const rows = faults.map((fault) => [
    fault.operation ? html`<code>${fault.operation}</code>` : 'all operations',
    effectOf(fault),
    rangeOf(fault),
  ]);
  return html`${table(['Operation', 'Effect', 'Requests'], rows)}
<form method="post" action="${controlPath}/faults/clear"><p><button>Clear all faults</button></p></form>`;
}

function effectOf({
  status,
  retryAfterSeconds,
  delaySeconds,
  uploadSeconds,
  bodySeconds,
  drop,
}: Fault): string {
  const parts = [
    delaySeconds && `delayed by ${delaySeconds} s`,
    status && `status ${status}`,
    retryAfterSeconds !== undefined && `Retry-After: ${retryAfterSeconds}`,
    uploadSeconds && `upload read over ${uploadSeconds} s`,
    bodySeconds && `body sent over ${bodySeconds} s`,
    drop && `connection closed ${drop === 'request' ? 'before' : 'after'} the request is handled`,
  ];
  return parts.filter(Boolean).join(', ');
}

function rangeOf({ times, share = 1 }: Fault): string {
  const some = share < 1 ? `${Math.round(share * 1000) / 10}% of requests` : '';
  return [some, times && `the next ${times}`].filter(Boolean).join(', ') || 'all';
}

function table(heads: string[], rows: (string | Html)[][]): Html {
  const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}
