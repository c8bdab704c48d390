import { createHash } from 'node:crypto';
import { type Html, html, trusted } from '../../domain/html.ts';
import { type Language, languages } from '../../domain/languages.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { textsOf } from './texts.ts';

export interface Page {
  language: Language;
  title: string;
  /** The name of the organization, if it is known. */
  organization?: string | undefined;
  sandbox?: boolean;
  main: Html;
  /** The content of the footer. */
  foot?: Html | false;
  /** Additional elements of `<head>`. */
  head?: Html | false;
  /** Query parameters that the language links keep. */
  query?: Record<string, string>;
}

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page loads nothing, and runs and submits only its own script and forms. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a whole page. */
export function pageText({
  language,
  title,
  organization,
  sandbox,
  main,
  foot,
  head,
  query = {},
}: Page): string {
  const texts = textsOf[language];
  const name = organization === undefined ? '' : ` – ${organization}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}${name}</title>
<link rel="icon" href="data:,">
${head}<style>${trusted(style)}</style>
</head>
<body>
<div class="sheet">
<header class="top">
<p class="by">${organization !== undefined && html`<bdi>${organization}</bdi>`}</p>
<nav aria-label="${texts.languages}"><ul>${languages.map((other) => languageEntry(other, language, query))}</ul></nav>
</header>
${sandbox && html`<p class="sandbox">${texts.sandbox}</p>`}
<main>
${main}
</main>
${foot && html`<footer>${foot}</footer>`}
</div>
<script>${trusted(script)}</script>
</body>
</html>
`.markup;
}

function languageEntry(language: Language, current: Language, query: Record<string, string>): Html {
  const { languageName } = textsOf[language];
  if (language === current)
    return html`<li><span lang="${language}" aria-current="true">${languageName}</span></li>`;
  const search = new URLSearchParams({ ...query, lang: language });
  return html`<li><a href="?${search.toString()}" lang="${language}" hreflang="${language}">${languageName}</a></li>`;
}
