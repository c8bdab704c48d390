import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { absoluteLinks } from '../contract/portal-links.ts';
import { isAmong } from '../domain/entity-tags.ts';
import { etagOf } from './portal-site.ts';
import { addressing, type ServedAddresses } from './served-addresses.ts';

const compress = promisify(gzip);

/**
 * `/openapi.json` and `/openapi.yaml`: the contract in one document, with the URLs of this platform and absolute
 * links to its portal.
 */
export function contractDocuments(contract: object, addresses: ServedAddresses): RequestHandler {
  const writeJson = async () => {
    const replaceUrls = addressing(addresses);
    const base = addresses.baseUrls[addresses.environment];
    return absoluteLinks(replaceUrls(JSON.stringify(contract, null, 2)), contract, base);
  };
  const router = Router();
  router.get('/openapi.json', document('application/json', writeJson));
  router.get(
    '/openapi.yaml',
    document('application/yaml', async () => {
      const { stringify } = await import('yaml');
      return stringify(JSON.parse(await writeJson()), { aliasDuplicateObjects: false });
    }),
  );
  return router;
}

/** @param write called when the document is first requested */
function document(type: string, write: () => Promise<string>): RequestHandler {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (request, response) => {
    prepared ??= write().then(prepare);
    const { text, compressed, etag } = await prepared;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding').type(type);
    if (isAmong(request.headers['if-none-match'], etag)) return void response.status(304).end();
    const isCompressed = request.acceptsEncodings('gzip') !== false;
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    const body = isCompressed ? compressed : Buffer.from(text);
    response.set('Content-Length', String(body.length)).end(request.method === 'HEAD' ? undefined : body);
  };
}

async function prepare(text: string) {
  return { text, etag: etagOf(text), compressed: await compress(text) };
}
