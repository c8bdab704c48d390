import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { absoluteLinks, type ContractDocument } from '../../contract/index.ts';
import { isAmong } from '../../http-bodies/index.ts';
import type { EnvironmentName } from '../config.ts';
import { etagOf } from './portal-site.ts';
import {
  documentedAddresses,
  namedAddresses,
  type ServedAddresses,
  urlRewriter,
} from './served-addresses.ts';

const compress = promisify(gzip);

/**
 * `/openapi.json` and `/openapi.yaml`: the contract in one document, with the URLs of this platform and absolute
 * links to its portal. `/openapi-without-webhooks.json`: what the operations need of it, for generators that refuse
 * webhooks.
 */
export function contractDocuments(contract: ContractDocument, addresses: ServedAddresses): RequestHandler {
  const writeJson = async (document: object = contract) => {
    const { environment, baseUrls } = addresses;
    const text = JSON.stringify({ ...document, servers: serversFor(environment, contract) }, null, 2);
    return absoluteLinks(urlRewriter(addresses)(text), contract, baseUrls[environment]);
  };
  const router = Router();
  router.get('/openapi.json', document('application/json', writeJson));
  router.get(
    '/openapi-without-webhooks.json',
    document('application/json', () => writeJson(withoutWebhooks(contract))),
  );
  router.get(
    '/openapi.yaml',
    document('application/yaml', async () => yamlInTurns(JSON.parse(await writeJson()))),
  );
  return router;
}

/** The servers, each with the URL of its own environment, and the one that is asked first: generators take it. */
function serversFor(environment: EnvironmentName, { servers }: ContractDocument): unknown[] {
  const texts = ((servers ?? []) as unknown[]).map((server) => JSON.stringify(server));
  const isOwn = (text: string) => text.includes(documentedAddresses[environment]);
  return [...texts.filter(isOwn), ...texts.filter((text) => !isOwn(text))].map((text) =>
    JSON.parse(text.replaceAll(documentedAddresses.production, namedAddresses.production)),
  );
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

/** @param write called when the document is first requested; all responses share its bytes */
function document(type: string, write: () => Promise<string>): RequestHandler {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (request, response) => {
    prepared ??= write().then(prepare);
    const { bytes, compressed, etag } = await prepared;
    response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).vary('Accept-Encoding').type(type);
    if (isAmong(request.headers['if-none-match'], etag)) return void response.status(304).end();
    const isCompressed = request.acceptsEncodings('gzip') !== false;
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    const body = isCompressed ? compressed : bytes;
    response.set('Content-Length', String(body.length)).end(request.method === 'HEAD' ? undefined : body);
  };
}

async function prepare(text: string) {
  const bytes = Buffer.from(text);
  return { bytes, etag: etagOf(bytes), compressed: await compress(bytes) };
}

/** How deep an object is divided: to the single paths and the single schemas. */
const dividedLevels = 3;

/** Writes a mapping of mappings as YAML, an entry in each turn of the event loop: the whole takes a tenth of a second. */
async function yamlInTurns(value: object, levels = dividedLevels): Promise<string> {
  const { stringify } = await import('yaml');
  let text = '';
  for (const [key, entry] of Object.entries(value)) {
    const isMapping = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
    if (levels > 1 && isMapping && Object.keys(entry).length > 0) {
      const lines = await yamlInTurns(entry, levels - 1);
      text += `${stringify(key).trimEnd()}:\n${lines.replaceAll(/^(?=.)/gm, '  ')}`;
    } else {
      text += stringify({ [key]: entry }, { aliasDuplicateObjects: false });
      await setImmediate();
    }
  }
  return text;
}
