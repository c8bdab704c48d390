import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { stringify } from 'yaml';

const compress = promisify(gzip);

/** `/openapi.json` and `/openapi.yaml`: the contract itself, as one document. */
export function contractDocuments(contract: object): RequestHandler {
  const router = Router();
  router.get(
    '/openapi.json',
    document('application/json', () => JSON.stringify(contract, null, 2)),
  );
  router.get(
    '/openapi.yaml',
    document('application/yaml', () => stringify(contract, { aliasDuplicateObjects: false })),
  );
  return router;
}

/** @param write asked when the document is first wanted */
function document(type: string, write: () => string): RequestHandler {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (request, response) => {
    prepared ??= prepare(write());
    const { text, compressed, etag } = await prepared;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding').type(type);
    if (request.fresh) return void response.status(304).end();
    if (!request.acceptsEncodings('gzip')) return void response.send(text);
    response.set('Content-Encoding', 'gzip').send(compressed);
  };
}

async function prepare(text: string) {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  return { text, etag, compressed: await compress(text) };
}
