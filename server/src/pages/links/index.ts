import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Refused } from '../../../contract/index.ts';
import { ClientGone } from '../../../http-server/index.ts';
import { linkPath, linkTokenPattern, verifiedId } from '../../domain/link-tokens.ts';
import type { EntranceHandlers } from '../../http/entrances.ts';
import { failureOf } from '../../http/failure.ts';
import { linkHandlers } from './link.ts';
import { type Notice, noticePage } from './notice-page.ts';
import {
  type LinkPagesOptions,
  languageFor,
  type PageContext,
  pageContext,
  sendPage,
} from './page-context.ts';
import { progressHandlers } from './progress.ts';

export interface LinkPages extends Pick<EntranceHandlers, 'links' | 'progress'> {
  /** The entrance of a path at `LINK_BASE_URL`. */
  atPublicPath(path: string): 'links' | 'progress' | undefined;
}

/**
 * Serves the pages of single-use links: the form that starts an execution, and its progress.
 *
 * They are at `/links/…` and at the path of `LINK_BASE_URL`, so that a proxy does not have to rewrite the path.
 */
export function linkPages(options: LinkPagesOptions): LinkPages {
  const link = linkHandlers(options);
  const progress = progressHandlers(options);
  const publicPath = new URL(options.linkBaseUrl).pathname.replace(/\/+$/, '');

  /** Verifies the token before the database is queried and before a form is read. */
  const handlePath = async (context: PageContext, { kind, token }: PagePath): Promise<void> => {
    options.countRequest(context.request);
    const id = verifiedId(options.keys, kind === 'link' ? 'start' : 'progress', token);
    const isSubmitted = context.request.method === 'POST';
    const handler = {
      link: isSubmitted ? link.confirm : link.open,
      progress: progress.open,
      result: progress.download,
    };
    if (id !== undefined) return handler[kind](context, { id, token });
    options.countRefused(context.request);
    const notice: Notice = kind === 'link' ? 'unknown' : 'gone';
    sendPage(context, 404, noticePage({ notice, language: languageFor(context) }));
  };
  const handle: RequestHandler = async (request, response, next) => {
    const path = pathUnder(linkPath, request.path) ?? pathUnder(publicPath, request.path);
    if (!path) return next();
    const context = pageContext(request, response);
    await handlePath(context, path).catch((error) => sendError(context, error, options.logger));
  };

  return {
    links: handle,
    progress: handle,
    atPublicPath(path) {
      const found = pathUnder(publicPath, path);
      // The public path may also serve other pages: only what looks like a token is a link.
      if (!found || !linkTokenPattern.test(found.token)) return undefined;
      return found.kind === 'link' ? 'links' : 'progress';
    },
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

/** Sends a page that reports an error. */
function sendError(context: PageContext, error: unknown, logger: Logger): void {
  const { id, response } = context;
  if (error instanceof ClientGone) return void response.destroy();
  const { status } = failureOf(error).refusal;
  if (status >= 500) logger.error({ requestId: id, err: error }, 'failed');
  if (response.headersSent) return void response.destroy();
  const notice: Notice = status === 413 ? 'large' : status === 429 ? 'tooMany' : 'failed';
  const text = noticePage({ notice, language: languageFor(context), reference: id });
  const headers = error instanceof Refused ? error.headers : {};
  sendPage(context, status, text, status === 503 ? { 'Retry-After': '5' } : headers);
}
