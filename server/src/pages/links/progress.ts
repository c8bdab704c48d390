import { buffer } from 'node:stream/consumers';
import { readStored } from '../../../blobs/index.ts';
import { sendFile } from '../../../http-bodies/index.ts';
import { definitionTexts, fieldTexts } from '../../domain/definition-texts.ts';
import { type Html, html } from '../../domain/html.ts';
import type { Language } from '../../domain/languages.ts';
import { findLinkExecution, type LinkExecution } from '../../store/links.ts';
import { findResultFile } from '../../store/results.ts';
import { retentionMilliseconds } from '../../workflows/ending.ts';
import { pageText } from './layout.ts';
import { noticePage } from './notice-page.ts';
import {
  type LinkPagesOptions,
  languageFor,
  type PageContext,
  type PageHandler,
  sendPage,
} from './page-context.ts';
import { type Shown, shownMoment, shownValue } from './shown-value.ts';
import { type Texts, textsOf } from './texts.ts';

/** The maximum size in bytes of a result that the page shows. Larger ones can be downloaded. */
const maxShownBytes = 200_000;

/** The progress of an execution, at a secret URL that only the page that started it links to. */
export function progressHandlers(options: LinkPagesOptions): Record<'open' | 'download', PageHandler> {
  const { database, blobs, now } = options;

  const findResult = ({ id }: LinkExecution) =>
    findResultFile(database, id, new Date(now().getTime() - retentionMilliseconds));
  const refuse = (context: PageContext) =>
    sendPage(context, 404, noticePage({ notice: 'gone', language: languageFor(context) }));

  const shownResult = async (execution: LinkExecution): Promise<ShownResult> => {
    const file = await findResult(execution);
    if (!file) return { kind: 'gone' };
    if (file.size > maxShownBytes) return { kind: 'large', size: file.size };
    const bytes = await buffer(await readStored(blobs, file));
    return { kind: 'shown', value: JSON.parse(bytes.toString()) };
  };

  return {
    async open(context, { id, token }) {
      const execution = await findLinkExecution(database, id);
      if (!execution) return refuse(context);
      const { status, locale, createdAt, workspaceType } = execution;
      const isPaused = context.query.get('refresh') === 'off';
      const page = progressPage({
        execution,
        language: languageFor(context, locale),
        sandbox: options.sandbox || workspaceType === 'SANDBOX',
        result: status === 'COMPLETED' ? await shownResult(execution) : undefined,
        downloadHref: `${token}/result`,
        refreshSeconds: isPaused ? 0 : refreshSeconds(now().getTime() - createdAt.getTime()),
        chosen: context.chosen,
        query: isPaused ? { refresh: 'off' } : {},
      });
      sendPage(context, 200, page);
    },

    async download(context, { id }) {
      const execution = await findLinkExecution(database, id);
      const file = execution && (await findResult(execution));
      if (!file) return refuse(context);
      const headers = { 'Request-Id': context.id, 'Referrer-Policy': 'no-referrer' };
      await sendFile(context.request, context.response, file, { blobs, headers });
    },
  };
}

/** The longer an execution runs, the less often its page reloads. @param age milliseconds since the start */
function refreshSeconds(age: number): number {
  if (age < 60_000) return 3;
  return age < 600_000 ? 10 : 30;
}

/** A result, or why it is not shown. */
type ShownResult = { kind: 'shown'; value: unknown } | { kind: 'large'; size: number } | { kind: 'gone' };

interface ProgressPage {
  execution: LinkExecution;
  language: Language;
  sandbox: boolean;
  /** Only of a completed execution. */
  result: ShownResult | undefined;
  /** The URL of the complete result, relative to the page. */
  downloadHref: string;
  /** How often the page reloads without JavaScript; 0: never. */
  refreshSeconds: number;
  /** The language chosen on the page. */
  chosen: Language | undefined;
  /** Query parameters of the request except the language. */
  query: Record<string, string>;
}

/** Renders the progress and the result of an execution that was started from a link. */
function progressPage(page: ProgressPage): string {
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
${page.result && resultPart(page.result, page.downloadHref, { language, texts: fieldTexts(definition, language) })}
${timestamps(execution, language)}
${running && html`<noscript>${refreshPart(page, texts)}</noscript>`}
</div>`;
  const foot = html`${texts.keepAddress}<br>${texts.reference}${texts.colon}${execution.id}`;
  // In noscript, because the script updates the page without reloading it. With a URL, because a page with a fragment
  // would not be reloaded without one.
  const refresh = `${refreshSeconds}; url=?${new URLSearchParams(chosen ? { lang: chosen } : {})}`;
  const head =
    running &&
    refreshSeconds > 0 &&
    html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>
`;
  const heading = `${texts.status[status].title}${texts.colon}${title}`;
  return pageText({ language, title: heading, organization, sandbox, main, foot, head, query });
}

function timestamps({ createdAt, endedAt }: LinkExecution, language: Language): Html {
  const texts = textsOf[language];
  return html`<dl class="facts"><dt>${texts.started}</dt><dd>${shownMoment(createdAt, language)}</dd>
${endedAt && html`<dt>${texts.ended}</dt><dd>${shownMoment(endedAt, language)}</dd>`}</dl>`;
}

/** Readers must be able to stop the automatic refresh (WCAG 2.2, 2.2.2). */
function refreshPart({ refreshSeconds, language }: ProgressPage, texts: Texts): Html {
  const refreshes = refreshSeconds > 0;
  const search = new URLSearchParams({ lang: language, ...(refreshes && { refresh: 'off' }) });
  return html`<p class="actions">${
    refreshes &&
    html`<span class="small">${texts.refreshing(refreshSeconds)}</span>
`
  }<a class="button plain" href="?${search.toString()}">${refreshes ? texts.stopRefreshing : texts.resumeRefreshing}</a>${
    !refreshes &&
    html` <a class="button plain" href="?${new URLSearchParams({ lang: language, refresh: 'off' }).toString()}">${texts.refresh}</a>`
  }</p>`;
}

function resultPart(result: ShownResult, href: string, shown: Shown): Html {
  const { language } = shown;
  const texts = textsOf[language];
  const download = html`<p class="actions"><a class="button plain" href="${href}" download>${texts.download}</a></p>`;
  switch (result.kind) {
    case 'shown':
      return html`<h2>${texts.result}</h2>
${shownValue(result.value, shown)}
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
