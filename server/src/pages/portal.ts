import { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { isAmong } from '../../http-bodies/index.ts';
import { type PortalFile, PortalNotBuiltError, type PortalSite, rewrittenSite } from './portal-site.ts';
import { type ServedAddresses, urlRewriter } from './served-addresses.ts';

/** The page for unknown paths. */
const notFound = '/docs/not-found';
const atRoot = ['/llms.txt', '/llms-full.txt', '/robots.txt', '/sitemap.xml'];
const immutableCaching = 'public, max-age=31536000, immutable';

/** The portal with the URLs of a platform: opened at the first use, and again after a failure. */
export interface OpenedPortal {
  site(): Promise<PortalSite>;
  /** Opens it anew at the next use. */
  forget(): void;
}

/** @param addresses the URLs of this platform; default: the documented ones, of no environment */
export function openedPortal(open: () => Promise<PortalSite>, addresses?: ServedAddresses): OpenedPortal {
  let opened: Promise<PortalSite> | undefined;
  const rewritten = async () => rewrittenSite(await open(), urlRewriter(addresses));
  const forget = () => {
    opened = undefined;
  };
  return {
    forget,
    site() {
      opened ??= rewritten();
      opened.catch(forget);
      return opened;
    },
  };
}

/**
 * `/docs`, and a few files at the root such as `/llms.txt`: the files of the built portal. `/` redirects readers to it.
 * A page is also served as Markdown: with `.md` after its path, or for `Accept: text/markdown`.
 */
export function portal({ site, forget }: OpenedPortal): RequestHandler {
  const router = Router();
  const secured = helmet({ contentSecurityPolicy: false, strictTransportSecurity: false });
  router.get('/', secured, (request, response, next) => {
    response.vary('Accept');
    const preferred = request.accepts('json', 'html', 'text/markdown');
    if (preferred === 'html' || preferred === 'text/markdown') response.redirect(302, '/docs');
    else next();
  });
  router.use(['/docs', ...atRoot], secured, async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = `${request.baseUrl}${request.path}`.replace(/\/$/, '');
    // A former page. Browsers keep the fragment, which names an operation.
    if (path === '/docs/console') return response.redirect(301, '/docs/reference');
    const forReader = wantsPage(request);
    const built = await site().catch((error) => {
      if (!(error instanceof PortalNotBuiltError)) throw error;
    });
    if (!built) return forReader ? sendNotBuilt(response) : next();
    const markdown = built.find(path === '/docs' ? '/docs/index.md' : `${path}.md`);
    if (markdown) response.vary('Accept');
    const prefersMarkdown = request.accepts('html', 'text/markdown') === 'text/markdown';
    const found = (prefersMarkdown && markdown) || built.find(path);
    const file = found ?? (forReader ? built.find(notFound) : undefined);
    if (!file) return next();
    if (file.path === notFound) response.status(404);
    setHeaders(file, response);
    if (found && isAmong(request.headers['if-none-match'], file.etag)) return void response.status(304).end();
    // In this order, because browsers list the better encoding last.
    const encoding = file.encodings.find((name) => request.acceptsEncodings(name) === name);
    const body = await built.read(file, encoding).catch((error) => {
      // Portals of older contracts are deleted after a while; the next request opens the current one.
      forget();
      throw error;
    });
    if (encoding) response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(body.length)).end(request.method === 'HEAD' ? undefined : body);
  });
  return router;
}

/** For programs, the fallback responds with the contract's error object. */
function wantsPage(request: Request): boolean {
  return request.accepts('json', 'html') === 'html';
}

function sendNotBuilt(response: Response): void {
  response
    .status(404)
    .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
    .type('html')
    .send(
      '<!doctype html><html lang="en"><title>The portal is not built</title><h1>The portal is not built</h1>' +
        '<p>Run <code>npm run portal</code>, then load this page again.</p></html>',
    );
}

function setHeaders({ etag, type, immutable, policy }: PortalFile, response: Response): void {
  response.vary('Accept-Encoding').set({
    ETag: etag,
    'Content-Type': type,
    'Cache-Control': immutable ? immutableCaching : 'no-cache',
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
  });
}
