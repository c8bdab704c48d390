import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { linkPath } from '../../domain/link-addresses.ts';
import { linkTokenPattern, verifiedId } from '../../domain/link-tokens.ts';
import { parseTraceparent, traceIdOf } from '../../domain/trace-context.ts';
import { ClientGone } from '../../http/client-gone.ts';
import { failureOf } from '../../http/failure.ts';
import { refuse } from '../../http/operation.ts';
import { Refused } from '../../http/refused.ts';
import { languageFor, type PageExchange, pageExchange, sendPage } from './exchange.ts';
import { linkHandlers } from './link-handlers.ts';
import { type Notice, noticePage } from './notice-page.ts';
import type { LinkPagesOptions, PageHandler } from './options.ts';
import { progressHandlers } from './progress-handlers.ts';

/**
 * Serves the pages of single-use links: the form that starts an execution, and its progress.
 *
 * They are at `/links/…` and at the path of `LINK_BASE_URL`, so that a proxy does not have to rewrite the path.
 */
export function linkPages(options: LinkPagesOptions): RequestHandler {
  const link = linkHandlers(options);
  const progress = progressHandlers(options);
  const publicPath = new URL(options.linkBaseUrl).pathname.replace(/\/+$/, '');
  const logger = options.logger.child({ page: 'link' });

  const handlerOf = (method: string, { kind }: PagePath): PageHandler => {
    if (kind === 'link' && method === 'POST') return link.confirm;
    if (method !== 'GET' && method !== 'HEAD') {
      const Allow = kind === 'link' ? 'GET, HEAD, POST' : 'GET, HEAD';
      throw new Refused(refuse(405, 'method_not_allowed'), { Allow });
    }
    return { link: link.open, progress: progress.open, result: progress.download }[kind];
  };

  /** Verifies the token before the database is queried and before a form is read. */
  const handle = async (
    handler: PageHandler,
    exchange: PageExchange,
    { kind, token }: PagePath,
  ): Promise<void> => {
    const id = verifiedId(options.key, kind === 'link' ? 'start' : 'progress', token);
    if (id !== undefined) return handler(exchange, { id, token });
    options.countRefused(exchange.request);
    const notice: Notice = kind === 'link' ? 'unknown' : 'gone';
    sendPage(exchange, 404, noticePage({ notice, language: languageFor(exchange) }));
  };

  return (request, response, next) => {
    // Express's is null for a target such as `http://?x`.
    const requested: string | null = request.path;
    if (requested === null) return next();
    const path =
      pathUnder(linkPath, requested) ??
      (publicPath === linkPath ? undefined : pathUnder(publicPath, requested));
    // The public path may also serve other pages: only what looks like a token is a link.
    const isLinkPage = path && (requested.startsWith(`${linkPath}/`) || linkTokenPattern.test(path.token));
    if (!isLinkPage) return next();
    const handler = handlerOf(request.method, path);
    const exchange = pageExchange(request, response);
    const startedAt = performance.now();
    const traceId = traceIdOf(parseTraceparent(request.headers['traceparent']));
    const log = logger.child({ requestId: exchange.id, traceId });
    handle(handler, exchange, path)
      .catch((error) => sendError(exchange, error, log))
      .then((status = response.statusCode) => {
        const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
        log.info({ status, milliseconds }, 'request completed');
      });
  };
}

interface PagePath {
  kind: 'link' | 'progress' | 'result';
  token: string;
}

function pathUnder(mount: string, path: string): PagePath | undefined {
  if (!path.startsWith(`${mount}/`)) return undefined;
  const rest = path.slice(mount.length + 1);
  const [, progress, result] = /^progress\/([^/]+)(\/result)?$/.exec(rest) ?? [];
  if (progress) return { kind: result ? 'result' : 'progress', token: progress };
  return rest === '' || rest.includes('/') ? undefined : { kind: 'link', token: rest };
}

/** Sends a page that reports an error. @returns the status to log if no page could be sent */
function sendError(exchange: PageExchange, error: unknown, logger: Logger): number | undefined {
  if (error instanceof ClientGone) return ClientGone.status;
  const { id, response } = exchange;
  const { status } = failureOf(error).refusal;
  if (status >= 500) logger.error({ err: error }, 'failed');
  if (response.headersSent) {
    response.destroy();
    return undefined;
  }
  const notice: Notice = status === 413 ? 'large' : status === 429 ? 'tooMany' : 'failed';
  const text = noticePage({ notice, language: languageFor(exchange), reference: id });
  const headers = error instanceof Refused ? error.headers : {};
  sendPage(exchange, status, text, status === 503 ? { 'Retry-After': '5' } : headers);
  return undefined;
}
