import { type Html, html, trusted } from '../../domain/html.ts';
import { type Language, languages, regions } from '../../domain/languages.ts';
import { systemDesign } from '../design.ts';
import { policyOf } from '../private-page.ts';
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

/** The style of all link pages: a constant, so that the Content-Security-Policy can contain its digest. */
export const style = `${systemDesign}*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:var(--size)/1.6 var(--sans);
overflow-wrap:anywhere}
.sheet{max-width:40rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.top{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;align-items:center;margin:0 .25rem 1rem;min-height:1.75rem}
.top .by{margin:0;font-weight:650}
.top ul{display:flex;gap:.25rem;margin:0;padding:0;list-style:none}
.top li a,.top li span{display:inline-block;min-height:1.75rem;padding:.1rem .6rem;border-radius:99rem;font-size:var(--size-small)}
.top li span{background:var(--page);border:1px solid var(--line);color:var(--text)}
.sandbox{margin:0 0 1rem;padding:.6rem 1rem;border-radius:var(--radius);background:var(--warning-soft);color:var(--warning);font-weight:600}
main{background:var(--page);border:1px solid var(--line);border-radius:var(--radius);padding:2rem}
main>:first-child,.problems>:first-child{margin-top:0}
main>:last-child{margin-bottom:0}
h1{margin:.15rem 0 .75rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.012em;text-wrap:balance}
h2{margin:1.75rem 0 .75rem;font-size:1.125rem;line-height:1.3}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{color:var(--accent-hover)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.lead,.hint,.promise,.optional,.small{color:var(--muted)}
.eyebrow{margin:0;color:var(--muted)}
.small,.promise{font-size:var(--size-small)}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.25rem;margin:1.25rem 0;padding:.9rem 1rem;border-radius:var(--radius);background:var(--raised)}
.facts dt{color:var(--muted)}
.facts dd{margin:0;min-width:0}
form{margin:1.5rem 0 0}
.field{margin:0 0 1.35rem}
.field.wrong{padding-left:1rem;border-left:4px solid var(--bad)}
label,legend,.label{display:block;margin:0 0 .3rem;padding:0;font-weight:600}
.optional{font-weight:400}
.hint{margin:0 0 .4rem;font-size:var(--size-small)}
.problem{margin:0 0 .4rem;color:var(--bad);font-weight:600}
input:not([type=checkbox],[type=radio]),select,textarea{display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;
border:1px solid var(--strong-line);border-radius:var(--radius-small);background:var(--page);color:inherit;font:inherit}
input.short{max-width:14rem}
input[type=date],input[type=datetime-local]{max-width:16rem}
textarea{resize:vertical;line-height:1.45}
textarea.code,.whole textarea,pre{font:.875rem/1.5 var(--mono)}
[aria-invalid=true],.wrong fieldset input{border-color:var(--bad)!important}
.wrong :is(input,select,textarea){scroll-margin-top:10rem}
fieldset{min-width:0;margin:0;padding:0;border:0}
.tick{display:flex;gap:.6rem;align-items:flex-start;min-height:1.75rem}
.tick label{margin:0;font-weight:400}
.tick+.hint{margin:.2rem 0 0 2rem}
.tick+.problem,.tick+.hint+.problem{margin:.2rem 0 0 2rem}
.tick input{flex:none;width:1.4rem;height:1.4rem;margin:.1rem 0 0;accent-color:var(--accent)}
.answers{display:flex;flex-wrap:wrap;gap:.5rem 1.75rem}
.fixed,pre{margin:0;padding:.5rem .75rem;border-radius:var(--radius-small);background:var(--raised);white-space:pre-wrap}
.whole{margin:0 0 1.35rem;border:1px solid var(--line);border-radius:var(--radius);padding:.25rem 1rem}
.whole summary{padding:.5rem 0;cursor:pointer;font-weight:600}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.6rem 1.75rem;border:0;border-radius:var(--radius);
background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--accent-hover);color:var(--on-accent)}
button[aria-disabled=true]{opacity:.6;cursor:progress}
.button.plain{min-height:2.5rem;padding:.35rem 1rem;border:1px solid var(--strong-line);background:none;color:var(--text)}
.button.plain:hover{background:var(--raised);color:var(--text)}
.promise{margin:.75rem 0 0}
.problems{margin:0 0 1.5rem;padding:1rem 1.25rem;border:2px solid var(--bad);border-radius:var(--radius);background:var(--bad-soft)}
.problems h2{margin:0 0 .25rem;color:var(--bad)}
.problems ul{margin:0;padding-left:1.1rem}
.problems a{color:var(--bad)}
.state+p{margin-top:0}
#progress .facts{margin-bottom:0}
.state{display:inline-flex;align-items:center;gap:.5rem;margin:0 0 .75rem;padding:.2rem .8rem;border-radius:99rem;font-weight:650;
background:var(--raised);color:var(--text)}
.state::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:currentcolor}
.state.RUNNING{background:var(--accent-soft);color:var(--accent)}
.state.COMPLETED{background:var(--good-soft);color:var(--good)}
.state.FAILED{background:var(--bad-soft);color:var(--bad)}
.state.EXPIRED,.state.CANCELLED{background:var(--warning-soft);color:var(--warning)}
.bar{height:.375rem;margin:.25rem 0 1.25rem;border-radius:99rem;overflow:hidden;background:var(--accent-soft)}
.bar::before{content:"";display:block;width:35%;height:100%;border-radius:inherit;background:var(--accent)}
@media (prefers-reduced-motion:no-preference){.bar::before{animation:run 1.8s ease-in-out infinite}
.state.RUNNING::before{animation:beat 1.8s ease-in-out infinite}}
@keyframes run{from{transform:translateX(-105%)}to{transform:translateX(300%)}}
@keyframes beat{50%{opacity:.35}}
.value{margin:0}
dl.value{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);border-top:1px solid var(--line)}
dl.value>dt,dl.value>dd{margin:0;padding:.5rem 0;border-bottom:1px solid var(--line)}
dl.value>dt{padding-right:1.25rem;color:var(--muted)}
dl.value>dd.nested{grid-column:1/-1;border-left:3px solid var(--line)}
dl.value>dt.nested{grid-column:1/-1;border-bottom:0;padding-bottom:.15rem;font-weight:600}
dl.value dl.value{border-top:0}
dl.value>:last-child,dl.value>dt:nth-last-child(2):not(.nested){border-bottom:0}
dl.value>dd.nested{padding:0 0 0 1rem;margin-bottom:.5rem;border-bottom:0}
main>dl.value,#progress>dl.value,form dl.value{border-bottom:1px solid var(--line)}
ol.value{padding-left:1.4rem}
.text{white-space:pre-wrap}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1.5rem 0 0}
footer{margin:1rem .25rem 0;color:var(--muted);font-size:var(--size-small)}
@media (max-width:30rem){.sheet{padding:1rem .75rem 2rem}main{padding:1.35rem 1.1rem;border-radius:var(--radius)}h1{font-size:1.5rem}
.facts{grid-template-columns:1fr;gap:0}.facts dd+dt{margin-top:.5rem}button{width:100%}
dl.value{grid-template-columns:1fr}dl.value>dt:not(.nested){border-bottom:0;padding-bottom:0}dl.value>dd{padding-top:.1rem}}
@media (forced-colors:active){.state,main,button{border:1px solid}}
@media print{.top ul,.actions,.bar{display:none}main{border:0}}
`;

/** The field name of a submission that only shows the form again, in another language. */
export const redisplayName = 'redisplay';

/**
 * Optional: every page works without JavaScript. It shows times in the reader's time zone, ignores a second click, keeps
 * what was entered when the language changes, and polls for the progress of a running execution with increasing delays,
 * without reloading the page.
 */
export const script = `
'use strict';
const region = ${JSON.stringify(regions)}[document.documentElement.lang];
const moment = new Intl.DateTimeFormat(region, { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit',
  minute: '2-digit', timeZoneName: 'short' });
const localize = () => {
  for (const time of document.querySelectorAll('time')) time.textContent = moment.format(new Date(time.dateTime));
};
localize();
const localInput = (date) => new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
const inputs = [...document.querySelectorAll('input[type=datetime-local]')].map((shown) => {
  const sent = Object.assign(document.createElement('input'), { type: 'hidden', name: shown.name });
  shown.removeAttribute('name');
  shown.after(sent);
  const { defaultValue, dataset } = shown;
  if (defaultValue && shown.value === defaultValue) shown.value = localInput(new Date(defaultValue + 'Z'));
  const hint = document.getElementById(shown.id + '-hint');
  if (hint) hint.textContent = hint.textContent.replace(dataset.utc, dataset.local + ' (' + moment.resolvedOptions().timeZone + ')');
  const initial = shown.value;
  return () => {
    const changed = shown.value !== initial;
    sent.value = !changed ? defaultValue : shown.value && new Date(shown.value).toISOString().slice(0, 19);
  };
});
addEventListener('submit', (event) => {
  for (const convert of inputs) convert();
  const button = event.target.querySelector('button');
  if (button.getAttribute('aria-disabled')) event.preventDefault();
  button.setAttribute('aria-disabled', 'true');
});
addEventListener('click', (event) => {
  const link = event.target.closest('nav a');
  const form = document.querySelector('main form');
  if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const button = Object.assign(document.createElement('button'), { name: '${redisplayName}', formAction: link.href,
    formNoValidate: true, hidden: true });
  form.append(button);
  form.requestSubmit(button);
  button.remove();
});
addEventListener('pageshow', () => document.querySelector('button')?.removeAttribute('aria-disabled'));
const running = () => document.querySelector('#progress[data-status=RUNNING]');
let delay = 1000;
const poll = async () => {
  if (!running()) return;
  try {
    const response = await fetch(location.href, { cache: 'no-store' });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [updated, shown] = [next.querySelector('#progress'), document.querySelector('#progress')];
    if (updated && updated.dataset.status !== shown.dataset.status) {
      shown.replaceChildren(...updated.childNodes);
      shown.dataset.status = updated.dataset.status;
      document.title = next.title;
      localize();
    }
  } catch {}
  delay = Math.min(delay * 1.2, 15000);
  setTimeout(poll, delay);
};
if (running()) setTimeout(poll, delay);
`;

export const pagePolicy = policyOf({ style, script });

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
