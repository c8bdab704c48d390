import { createRequire } from 'node:module';
import type { Contract } from '../contract-source.ts';
import { contractPages, withoutGuides } from './contract-pages.ts';
import { namedServers } from './reference-page.ts';

interface Conversion {
  result: boolean;
  reason?: string;
  output: { type: string; data: Collection }[];
}

export interface Collection {
  info: { name: string; description?: unknown; schema: string };
  item: CollectionItem[];
  auth?: unknown;
  variable?: { key: string; value: string; type?: string; description?: string }[];
  [key: string]: unknown;
}

interface Header {
  key: string;
  value: string;
  [key: string]: unknown;
}

export interface CollectionItem {
  name: string;
  description?: unknown;
  item?: CollectionItem[];
  request?: { method: string; auth?: unknown; header?: Header[]; [key: string]: unknown };
  response?: unknown[];
}

type Convert = (
  input: { type: 'json'; data: unknown },
  options: object,
  done: (error: Error | null, conversion: Conversion) => void,
) => void;

const options = {
  folderStrategy: 'Tags',
  // The contract's examples, rather than invented values.
  parametersResolution: 'Example',
  includeAuthInfoInExample: false,
  optimizeConversion: false,
};

/** The Postman collection of all operations: it calls the sandbox, with the token of one variable. */
export async function postmanCollection(contract: Contract): Promise<Collection> {
  const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2') as { convertV2: Convert };
  const conversion = await new Promise<Conversion>((resolve, reject) =>
    convertV2({ type: 'json', data: foldered(contract) }, options, (error, result) =>
      error ? reject(error) : resolve(result),
    ),
  );
  const collection = conversion.output?.[0]?.data;
  if (!conversion.result || !collection) {
    throw new Error(
      `The Postman collection could not be made: ${conversion.reason ?? 'no reason was given'}`,
    );
  }
  return withOneToken(collection, sandboxUrl(contract));
}

/** Folders are called by the tags' titles. */
function foldered(contract: Contract): Contract {
  const titles = new Map(contractPages(contract).groups.map(({ name, title }) => [name, title]));
  const reference = structuredClone(withoutGuides(contract));
  const operations = Object.values(reference.paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    const { tags } = operation as { tags?: string[] };
    if (tags) (operation as { tags: string[] }).tags = tags.map((tag) => titles.get(tag) ?? tag);
  }
  const tags = (reference['tags'] as { name: string; description?: string }[]).map(
    ({ name, description }) => ({
      ...{ name: titles.get(name) ?? name, description },
    }),
  );
  return { ...reference, tags, servers: [{ url: sandboxUrl(contract) }], webhooks: {} };
}

function sandboxUrl(contract: Contract): string {
  const servers = namedServers(contract);
  return (servers.find(({ description = '' }) => description.startsWith('Sandbox')) ?? servers[0])?.url ?? '';
}

/** Each request that needs a caller takes the collection's token; the others say that they need none. */
function withOneToken(collection: Collection, baseUrl: string): Collection {
  const settle = (item: CollectionItem): CollectionItem => {
    if (item.item) return { ...item, item: item.item.map(settle) };
    const { auth, header = [], ...rest } = item.request ?? { method: 'GET' };
    const request = { ...rest, header: header.map(freshKey) };
    const isPublic = auth === null || auth === undefined || (auth as { type?: string }).type === 'noauth';
    return { ...item, request: isPublic ? { ...request, auth: { type: 'noauth' } } : request };
  };
  return {
    ...collection,
    item: collection.item.map(settle),
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: '{{organizationToken}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string' },
      { key: 'organizationToken', value: '', type: 'string', description: 'tot_…, without Bearer' },
    ],
  };
}

/** Each request is a new intention: the example's key would give the first answer for a day. */
function freshKey(header: Header): Header {
  return header.key === 'Idempotency-Key' ? { ...header, value: '{{$guid}}' } : header;
}
