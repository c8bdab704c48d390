import { buffer } from 'node:stream/consumers';
import { readStored } from '../../../blobs/index.ts';
import { sendFile } from '../../../http-bodies/index.ts';
import { findLinkExecution, type LinkExecution } from '../../store/link-executions.ts';
import { findResultFile } from '../../store/results.ts';
import { retentionMilliseconds } from '../../workflows/results.ts';
import { languageFor, type PageExchange, sendPage } from './exchange.ts';
import { noticePage } from './notice-page.ts';
import type { LinkPagesOptions, PageHandler } from './options.ts';
import { progressPage, type ShownResult } from './progress-page.ts';

/** The maximum size in bytes of a result that the page shows. Larger ones can be downloaded. */
const maxShownBytes = 200_000;

/** The progress of an execution, at a secret URL that only the page that started it links to. */
export function progressHandlers(options: LinkPagesOptions): Record<'open' | 'download', PageHandler> {
  const { database, blobs, now } = options;

  const findResult = ({ id }: LinkExecution) =>
    findResultFile(database, id, new Date(now().getTime() - retentionMilliseconds));
  const refuse = (exchange: PageExchange) =>
    sendPage(exchange, 404, noticePage({ notice: 'gone', language: languageFor(exchange) }));

  const shownResult = async (execution: LinkExecution): Promise<ShownResult> => {
    const file = await findResult(execution);
    if (!file) return { kind: 'gone' };
    if (file.size > maxShownBytes) return { kind: 'large', size: file.size };
    const bytes = await buffer(await readStored(blobs, file));
    return { kind: 'shown', value: JSON.parse(bytes.toString()) };
  };

  return {
    async open(exchange, { id, token }) {
      const execution = await findLinkExecution(database, id);
      if (!execution) return refuse(exchange);
      const { status, locale, createdAt, workspaceType } = execution;
      const isPaused = exchange.query.get('refresh') === 'off';
      const page = progressPage({
        execution,
        language: languageFor(exchange, locale),
        sandbox: options.sandbox || workspaceType === 'SANDBOX',
        result: status === 'COMPLETED' ? await shownResult(execution) : undefined,
        downloadHref: `${token}/result`,
        refreshSeconds: isPaused ? 0 : refreshSeconds(now().getTime() - createdAt.getTime()),
        chosen: exchange.chosen,
        query: isPaused ? { refresh: 'off' } : {},
      });
      sendPage(exchange, 200, page);
    },

    async download(exchange, { id }) {
      const execution = await findLinkExecution(database, id);
      const file = execution && (await findResult(execution));
      if (!file) return refuse(exchange);
      const headers = { 'Request-Id': exchange.id, 'Referrer-Policy': 'no-referrer' };
      await sendFile(exchange.request, exchange.response, file, { blobs, headers });
    },
  };
}

/** The longer an execution runs, the less often its page reloads. @param age milliseconds since the start */
function refreshSeconds(age: number): number {
  if (age < 60_000) return 3;
  return age < 600_000 ? 10 : 30;
}
