import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import type { ContractDocument } from '../contract/document.ts';
import { absoluteLinks } from '../contract/portal-links.ts';
import { etagOf } from './portal-site.ts';
import { addressing, type ServedAddresses } from './served-addresses.ts';

const compress = promisify(gzip);

/**
 * `/openapi.json` and `/openapi.yaml`: the contract in one document, with the URLs of this platform and absolute
 * links to its portal. `/openapi-without-webhooks.json`: what the operations need of it, for generators that refuse
 * webhooks.
 */
export function contractDocuments(contract: ContractDocument, addresses: ServedAddresses): RequestHandler {
  const writeJson = async (document: object = contract) => {
    const replaceUrls = addressing(addresses);
    const base = addresses.baseUrls[addresses.environment];
    return absoluteLinks(replaceUrls(JSON.stringify(document, null, 2)), contract, base);
  };
  const router = Router();
  router.get('/openapi.json', document('application/json', writeJson));
  router.get(
    '/openapi-without-webhooks.json',
    document('application/json', () => writeJson(withoutWebhooks(contract))),
  );
  router.get(
    '/openapi.yaml',
    document('application/yaml', async () => {
      const { stringify } = await import('yaml');
      return stringify(JSON.parse(await writeJson()), { aliasDuplicateObjects: false });
    }),
  );
  return router;
}

/** The contract with its operations and the components that they use. */
export function withoutWebhooks({ webhooks: _, components, ...rest }: ContractDocument): ContractDocument {
  const used = new Set<string>();
  const follow = (node: unknown) => {
    for (const [reference, section = '', name = ''] of JSON.stringify(node).matchAll(
      /#\/components\/(\w+)\/([\w.-]+)/g,
    )) {
      if (used.has(reference)) continue;
      used.add(reference);
      follow(components[section]?.[name]);
    }
  };
  follow(rest.paths);
  const kept = Object.entries(components).map(([section, parts]) => {
    const isKept = (name: string) =>
      section === 'securitySchemes' || used.has(`#/components/${section}/${name}`);
    return [section, Object.fromEntries(Object.entries(parts).filter(([name]) => isKept(name)))];
  });
  return { ...rest, components: Object.fromEntries(kept) };
}

/** @param write called when the document is first requested */
function document(type: string, write: () => Promise<string>): RequestHandler {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (request, response) => {
    prepared ??= write().then(prepare);
    const { text, compressed, etag } = await prepared;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding').type(type);
    if (request.fresh) return void response.status(304).end();
    if (!request.acceptsEncodings('gzip')) return void response.send(text);
    response.set('Content-Encoding', 'gzip').send(compressed);
  };
}

async function prepare(text: string) {
  return { text, etag: etagOf(text), compressed: await compress(text) };
}
