import type { EnvironmentName } from '../config.ts';
import { type Html, html, trusted } from '../domain/html.ts';
import { digest, policyOf } from '../pages/private-page.ts';
import { liveScript } from './live-script.ts';
import { style } from './style.ts';

export interface Page {
  title: string;
  environment: EnvironmentName;
  main: Html;
  /** Links to the other pages. */
  navigation?: { href: string; name: string; isCurrent: boolean }[];
  /** The page updates itself while it is open. */
  isLive?: boolean;
}

/** What a page in a file may do: nothing but show itself. */
const filePolicy = [
  "default-src 'none'",
  'img-src data:',
  `style-src ${digest(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
];

/** What a served page may do: load itself again, and send its forms. */
export const pagePolicy = policyOf({ style, script: liveScript });

/** A page of the console. */
export function servedPage(page: Page): string {
  return document(page, html``, page.isLive === true && html`<script>${trusted(liveScript)}</script>`);
}

/** A page that needs nothing but its file: it loads nothing and has no script. */
export function pageInFile(page: Page): string {
  const policy = html`<meta http-equiv="Content-Security-Policy" content="${filePolicy.join('; ')}">
`;
  return document(page, policy, false);
}

function document(
  { title, environment, main, navigation = [] }: Page,
  head: Html,
  end: Html | false,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="same-origin">
<title>${title} – ${environment}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<header class="top">
<a class="skip" href="#main">Skip to the content</a>
<p class="by">Workflow and Records Platform <span class="badge ${environment}">${environment}</span></p>
${
  navigation.length > 0 &&
  html`<nav aria-label="Pages"><ul>${navigation.map(
    ({ href, name, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`
}
</header>
<main id="main" tabindex="-1">
${main}
</main>
${end}
</body>
</html>
`.markup;
}
