import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';

const compress = promisify(gzip);

export interface PortalPage {
  html: Buffer;
  /** The page's Content-Security-Policy. */
  policy: string;
}

/**
 * `/docs`: the portal, one self-contained page.
 *
 * @param build makes the page; asked at the first request, and again after a failure
 */
export function portal(build: () => Promise<PortalPage>): RequestHandler {
  let prepared: ReturnType<typeof prepare> | undefined;
  const router = Router();
  router.use('/docs', helmet({ contentSecurityPolicy: false, strictTransportSecurity: false }));
  router.get('/docs', async (request, response) => {
    prepared ??= prepare(build);
    prepared.catch(() => {
      prepared = undefined;
    });
    const { html, compressed, etag, policy } = await prepared;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    response.set('Content-Security-Policy', policy).type('html');
    if (request.fresh) return void response.status(304).end();
    if (!request.acceptsEncodings('gzip')) return void response.send(html);
    response.set('Content-Encoding', 'gzip').send(compressed);
  });
  return router;
}

async function prepare(build: () => Promise<PortalPage>) {
  const { html, policy } = await build();
  const etag = `"${createHash('sha256').update(html).digest('base64url')}"`;
  return { html, policy, etag, compressed: await compress(html) };
}
