import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { linkPath } from '../../domain/link-addresses.ts';
import { linkTokenPattern, verifiedId } from '../../domain/link-tokens.ts';
import { failureOf } from '../../http/failure.ts';
import { refuse } from '../../http/operation.ts';
import { Refused } from '../../http/refused.ts';
import { languageFor, type PageExchange, pageExchange, sendPage } from './exchange.ts';
import { type Notice, noticePage } from './notice-page.ts';
import type { LinkPagesOptions, Visit } from './options.ts';
import { progressVisits } from './progress-visits.ts';
import { linkVisits } from './visits.ts';

/**
 * The pages of single-use links, for people: what a link starts, and how that goes on.
 *
 * They are at `/links/…`, and also at the path of `LINK_BASE_URL`, so that an address that leads straight here
 * works without a proxy that rewrites it.
 */
export function linkPages(options: LinkPagesOptions): RequestHandler {
  const link = linkVisits(options);
  const progress = progressVisits(options);
  const own = new URL(options.linkBaseUrl).pathname.replace(/\/+$/, '');
  const logger = options.logger.child({ page: 'link' });

  const visitOf = (method: string, { kind }: PagePath): Visit => {
    if (kind === 'link' && method === 'POST') return link.confirm;
    if (method !== 'GET' && method !== 'HEAD') {
      const Allow = kind === 'link' ? 'GET, HEAD, POST' : 'GET, HEAD';
      throw new Refused(refuse(405, 'method_not_allowed'), { Allow });
    }
    return { link: link.open, progress: progress.open, result: progress.download }[kind];
  };

  /** Before the database is asked and before a form is read. */
  const verified = async (visit: Visit, exchange: PageExchange, { kind, token }: PagePath): Promise<void> => {
    const id = verifiedId(options.key, kind === 'link' ? 'start' : 'progress', token);
    if (id !== undefined) return visit(exchange, { id, token });
    options.countRefused(exchange.request);
    const notice: Notice = kind === 'link' ? 'unknown' : 'gone';
    sendPage(exchange, 404, noticePage({ notice, language: languageFor(exchange) }));
  };

  return (request, response, next) => {
    const path =
      pathUnder(linkPath, request.path) ?? (own === linkPath ? undefined : pathUnder(own, request.path));
    // Elsewhere than at our own path, only what looks like a token is ours.
    const isOurs = path && (request.path.startsWith(`${linkPath}/`) || linkTokenPattern.test(path.token));
    if (!isOurs) return next();
    const visit = visitOf(request.method, path);
    const exchange = pageExchange(request, response);
    const startedAt = performance.now();
    verified(visit, exchange, path)
      .catch((error) => fail(exchange, error, logger))
      .finally(() => {
        const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
        logger.info(
          { requestId: exchange.id, status: response.statusCode, milliseconds },
          'request completed',
        );
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

/** A failure, too, is a page. */
function fail(exchange: PageExchange, error: unknown, logger: Logger): void {
  const { id, response } = exchange;
  const { status } = failureOf(error).refusal;
  if (status >= 500) logger.error({ requestId: id, err: error }, 'failed');
  if (response.headersSent) return void response.destroy();
  const notice: Notice = status === 413 ? 'large' : status === 429 ? 'tooMany' : 'failed';
  const text = noticePage({ notice, language: languageFor(exchange), reference: id });
  const headers = error instanceof Refused ? error.headers : {};
  sendPage(exchange, status, text, status === 503 ? { 'Retry-After': '5' } : headers);
}
