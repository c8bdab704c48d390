import { type Html, html } from '../../domain/html.ts';
import { type Language, readableMoment } from '../../domain/languages.ts';
import type { LinkExecution } from '../../store/link-executions.ts';
import { definitionTexts } from '../../workflows/titles.ts';
import { pageText } from './layout.ts';
import { shownValue } from './shown-value.ts';
import { type Texts, textsOf } from './texts.ts';

/** A result as far as it is shown; `large` and `gone` say why it is not. */
export type ShownResult =
  | { kind: 'shown'; value: unknown }
  | { kind: 'large'; size: number }
  | { kind: 'gone' };

export interface ProgressPage {
  execution: LinkExecution;
  language: Language;
  sandbox: boolean;
  /** Of an execution that is completed. */
  result: ShownResult | undefined;
  /** Where the result can be had whole, relative to the page. */
  downloadHref: string;
  /** Without JavaScript the page is loaded again after so many seconds; 0: not by itself. */
  refreshSeconds: number;
  /** The language, where the person has chosen one. */
  chosen: Language | undefined;
  /** The query that the page was asked with, the language excepted. */
  query: Record<string, string>;
}

/** How an execution is going that was started from a link, and what came of it. */
export function progressPage(page: ProgressPage): string {
  const { execution, language, sandbox, refreshSeconds, chosen, query } = page;
  const texts = textsOf[language];
  const { definition, status, organization } = execution;
  const { title } = definitionTexts(definition, language);
  const running = status === 'RUNNING';
  const main = html`<p class="eyebrow"><bdi>${execution.caseName}</bdi></p>
<h1><bdi>${title}</bdi></h1>
<div id="progress" data-status="${status}" aria-live="polite">
<p class="state ${status}">${texts.status[status].title}</p>
${running && html`<div class="bar" aria-hidden="true"></div>`}
<p>${texts.status[status].text}</p>
${page.result && resultPart(page.result, page.downloadHref, texts, language)}
${moments(execution, language)}
${running && html`<noscript>${refreshPart(page, texts)}</noscript>`}
</div>`;
  const foot = html`${texts.keepAddress}<br>${texts.reference}${texts.colon}${execution.id}`;
  // In noscript: with JavaScript the page follows by itself, and nothing is taken from under a reader. With an
  // address: without one a page that was reached with a fragment would not be loaded again.
  const again = `${refreshSeconds}; url=?${new URLSearchParams(chosen ? { lang: chosen } : {})}`;
  const head =
    running &&
    refreshSeconds > 0 &&
    html`<noscript><meta http-equiv="refresh" content="${again}"></noscript>
`;
  const heading = `${texts.status[status].title}${texts.colon}${title}`;
  return pageText({ language, title: heading, organization, sandbox, main, foot, head, query });
}

function moments({ createdAt, endedAt }: LinkExecution, language: Language): Html {
  const texts = textsOf[language];
  return html`<dl class="facts"><dt>${texts.started}</dt><dd>${readableMoment(createdAt, language)}</dd>
${endedAt && html`<dt>${texts.ended}</dt><dd>${readableMoment(endedAt, language)}</dd>`}</dl>`;
}

/** Whoever is disturbed by a page that loads itself can stop that (WCAG 2.2, 2.2.2). */
function refreshPart({ refreshSeconds, language }: ProgressPage, texts: Texts): Html {
  const on = refreshSeconds > 0;
  const search = new URLSearchParams({ lang: language, ...(on && { refresh: 'off' }) });
  return html`<p class="actions">${
    on &&
    html`<span class="small">${texts.refreshing(refreshSeconds)}</span>
`
  }<a class="button plain" href="?${search.toString()}">${on ? texts.stopRefreshing : texts.resumeRefreshing}</a>${
    !on &&
    html` <a class="button plain" href="?${new URLSearchParams({ lang: language, refresh: 'off' }).toString()}">${texts.refresh}</a>`
  }</p>`;
}

function resultPart(result: ShownResult, href: string, texts: Texts, language: Language): Html {
  const download = html`<p class="actions"><a class="button plain" href="${href}" download>${texts.download}</a></p>`;
  switch (result.kind) {
    case 'shown':
      return html`<h2>${texts.result}</h2>
${shownValue(result.value, language)}
${download}`;
    case 'large': {
      const unit = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
      const size = new Intl.NumberFormat(language, unit).format(result.size / 1e6);
      return html`<h2>${texts.result}</h2>
<p>${texts.tooLarge(size)}</p>
${download}`;
    }
    case 'gone':
      return html`<p>${texts.resultGone}</p>`;
  }
}
