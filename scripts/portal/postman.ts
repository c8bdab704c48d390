import { createRequire } from 'node:module';
import { resolve } from '../../server/src/contract/document.ts';
import { absoluteLinks } from '../../server/src/contract/portal-links.ts';
import type { MediaType } from '../../server/src/contract/routes.ts';
import { documentedAddresses } from '../../server/src/pages/served-addresses.ts';
import type { Contract } from '../contract/source.ts';
import { contractPages, type DescribedRoute, withoutGuides } from './contract-pages.ts';
import {
  type Collection,
  type CollectionItem,
  type CollectionRequest,
  type FormField,
  settledRequest,
} from './postman-request.ts';
import { type TriedContract, triedContract } from './tried-contract.ts';

export type { Collection, CollectionItem } from './postman-request.ts';

interface Conversion {
  result: boolean;
  reason?: string;
  output: { type: string; data: Collection }[];
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
/** A platform puts its own address in its place. */
const sandbox = documentedAddresses.sandbox;

/** The Postman collection of all operations: it calls the sandbox, with the token of one variable. */
export async function postmanCollection(original: Contract): Promise<Collection> {
  // The converter looks for it in passing, at which Node 26 warns on standard error.
  Reflect.deleteProperty(globalThis, 'localStorage');
  const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2') as { convertV2: Convert };
  const tried = await triedContract(original);
  const { contract } = tried;
  const conversion = await new Promise<Conversion>((done, reject) =>
    convertV2({ type: 'json', data: foldered(contract) }, options, (error, result) =>
      error ? reject(error) : done(result),
    ),
  );
  const collection = conversion.output?.[0]?.data;
  if (!conversion.result || !collection) {
    throw new Error(
      `The Postman collection could not be made: ${conversion.reason ?? 'no reason was given'}`,
    );
  }
  const settled = settle(collection, contract, tried);
  return JSON.parse(absoluteLinks(asMarkdown(JSON.stringify(settled)), contract, sandbox));
}

/** The texts are Markdown, which the converter does not say. */
function asMarkdown(text: string): string {
  return text.replaceAll('"type":"text/plain"', '"type":"text/markdown"');
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
  return { ...reference, tags, servers: [{ url: sandbox }], webhooks: {} };
}

/** One token and one set of identifiers for all requests, each given once. */
function settle(collection: Collection, contract: Contract, { isKnown }: TriedContract): Collection {
  const routes = contractPages(contract).groups.flatMap((group) => group.routes);
  const ids = new Map<string, string>();
  const settleItem = (item: CollectionItem): CollectionItem => {
    if (item.item) return { ...item, item: item.item.map(settleItem) };
    const { request } = item;
    if (!request) return item;
    for (const { key, value } of request.url?.variable ?? []) ids.set(key, isKnown(value) ? value : '');
    const route = routes.find(({ operation, isEvent }) => !isEvent && operation.summary === item.name);
    return { ...item, request: settledRequest(request, formFieldsOf(contract, route)) as CollectionRequest };
  };
  const item = collection.item.map(settleItem);
  return {
    ...collection,
    item,
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: '{{organizationToken}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: sandbox, type: 'string' },
      { key: 'organizationToken', value: '', type: 'string', description: 'tot_…, without Bearer' },
      ...[...ids].map(([key, value]) => ({
        ...{ key, value, type: 'string' },
        description: value ? "Of the sandbox's demonstration data" : 'Out of an answer',
      })),
    ],
  };
}

/** The fields of a form that are no file, as the first example fills them in; a list is a field for each entry. */
function formFieldsOf(contract: Contract, route: DescribedRoute | undefined): FormField[] {
  const form: MediaType | undefined = route?.operation.requestBody?.content?.['multipart/form-data'];
  const [example] = Object.values(form?.examples ?? {});
  const { value = {} } = (example ? resolve(contract, example) : {}) as { value?: Record<string, unknown> };
  return Object.entries(value).flatMap(([key, field]) =>
    [field].flat().map((one) => ({ key, value: String(one), type: 'text' })),
  );
}
