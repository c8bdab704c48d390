import { nearest } from '../../../generated/nearest.js';
import { errorMessages } from '../../../generated/operations.ts';
import {
  absoluteLinks,
  type ContractDocument,
  errorCodesOf,
  type MediaType,
  operationPage,
  permissionOf,
  type Route,
  resolve,
  routesOf,
} from '../../contract/index.ts';
import { PortalNotBuiltError, type PortalSite } from '../pages/portal-site.ts';
import { excerptOf, loadIndexInTurns, search } from '../pages/search-index.js';
import { type ServedAddresses, urlRewriter } from '../pages/served-addresses.ts';

export type Documentation = ReturnType<typeof documentationOf>;

export interface Described {
  text: string;
  /** The page for readers. */
  url: string;
}

/** Of a given name, the characters that are compared with others. */
const longestName = 100;

/** A one-letter prefix matches most of the index, and each word costs a search. */
const longestQuery = 8;

/**
 * What agents read: the search of the portal, its guides, and the operations of the contract.
 *
 * @param site the portal, opened at the first use
 */
export function documentationOf(
  contract: ContractDocument,
  site: () => Promise<PortalSite>,
  addresses: ServedAddresses,
) {
  const base = addresses.baseUrls[addresses.environment];
  const replaceUrls = urlRewriter(addresses);
  const routes = new Map(
    (['paths', 'webhooks'] as const).flatMap((section) =>
      routesOf(contract, section).map((route) => [nameOf(route, section), { route, section }] as const),
    ),
  );
  const codes = Object.keys(errorMessages);
  const names = new Map([
    ...[...routes].map(([name, { route }]) => [pageOf(route), name] as const),
    ...codes.map((code) => [errorPage(code), code] as const),
  ]);
  let index: ReturnType<typeof loadIndexInTurns> | undefined;
  const load = async () => {
    const portal = await site();
    const file = portal.files.find(({ path }) => path.endsWith('/search-index.json'));
    if (!file) throw new PortalNotBuiltError();
    return loadIndexInTurns(String(await portal.read(file, undefined)));
  };
  const loaded = () => {
    index ??= load();
    index.catch(() => {
      index = undefined;
    });
    return index;
  };
  const guide = async (name: string) => {
    // A text can link to the portal of the other environment.
    const url = Object.values(addresses.baseUrls).find((start) => name.startsWith(`${start}/`)) ?? '';
    const [path = ''] = name.slice(url.length).split('#');
    const markdown = path === '/docs' ? '/docs/index.md' : path.replace(/(?:\.md)?$/, '.md');
    const portal = await site();
    const file = markdown.startsWith('/docs/') ? portal.find(markdown) : undefined;
    return file && { text: String(await portal.read(file, undefined)), url: `${base}${markdown}` };
  };

  return {
    /** The version of the contract. */
    version: String(contract.info['version']),
    async search(query: string, limit: number) {
      const results = search(await loaded(), bounded(query)).slice(0, limit);
      return {
        results: results.map((result) => ({
          title: result.title,
          in: result.where,
          name: names.get(result.href) ?? result.href.replace(/#.*$/, ''),
          excerpt: excerptOf(result),
        })),
      };
    },
    /** The most similar name that `describe` takes; undefined if none is similar. */
    async nameLike(given: string): Promise<string | undefined> {
      const similar = similarName(given, [...routes.keys(), ...codes]);
      if (similar !== undefined) return similar;
      const guides = (await site()).files.flatMap(
        ({ path }) => /^\/docs\/([\w-]+)\.md$/.exec(path)?.[1] ?? [],
      );
      const guide = similarName(given.replace(/^\/(?:docs(?:\/|$))?/, ''), guides);
      return guide && `/docs/${guide}`;
    },
    /** @returns undefined for an unknown name */
    async describe(name: string): Promise<Described | undefined> {
      const found = routes.get(name);
      if (!found) {
        if (!codes.includes(name)) return guide(name);
        const url = `${base}${errorPage(name)}`;
        const text = JSON.stringify({ ...errorOf(contract, name), documentation: url });
        return { text: absoluteLinks(replaceUrls(text), contract, base), url };
      }
      const { route, section } = found;
      const described = section === 'webhooks' ? eventOf(route) : operationOf(contract, route);
      const url = `${base}${pageOf(route)}`;
      const whole = { ...described, documentation: url, ...schemasOf(contract, described) };
      return { text: absoluteLinks(replaceUrls(JSON.stringify(whole)), contract, base), url };
    },
  };
}

/** The name that begins like a given one, or that it begins like, or that one mistyped; undefined if there is none. */
export function similarName(given: string, names: readonly string[]): string | undefined {
  const asked = given.toLowerCase();
  if (asked === '') return undefined;
  const [similar] = names
    .filter((name) => name.toLowerCase().startsWith(asked) || asked.startsWith(name.toLowerCase()))
    .sort((one, other) => Math.abs(one.length - asked.length) - Math.abs(other.length - asked.length));
  return similar ?? nearest(given.slice(0, longestName), names);
}

function bounded(query: string): string {
  const words = query.split(/[\s/]+/).filter(Boolean);
  const long = words.filter((word) => word.length > 1);
  return (long.length > 0 ? long : words.slice(0, 1)).slice(0, longestQuery).join(' ');
}

function nameOf({ path, operation }: Route, section: 'paths' | 'webhooks'): string {
  return section === 'webhooks' ? path : operation.operationId;
}

function pageOf({ operation }: Route): string {
  return operationPage(operation.tags?.[0] ?? '', operation.operationId);
}

function operationOf(contract: ContractDocument, { path, method, operation }: Route) {
  const { operationId, summary, description, deprecated, parameters, responses, security } = operation;
  return {
    operationId,
    request: `${method.toUpperCase()} ${path}`,
    summary,
    description,
    deprecated,
    authorization: security?.length === 0 ? 'none' : 'required',
    permission: permissionOf(operation) ?? 'none',
    parameters: parameters.map(({ name, in: where, required, schema, example, ...rest }) => ({
      name,
      in: where,
      required,
      description: (rest as { description?: string }).description,
      schema: resolve(contract, schema),
      example,
    })),
    body: bodiesOf(operation.requestBody?.content),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        status < '400' ? { body: bodiesOf(response.content) } : { codes: errorCodesOf(response) },
      ]),
    ),
  };
}

function eventOf({ path, operation: { summary, description, requestBody } }: Route) {
  return { event: path, summary, description, body: bodiesOf(requestBody?.content) };
}

const errorPage = (code: string) => `/docs/errors#${code}`;

/** An error code with its entry in the guide, and the operations that respond with it, by status. */
function errorOf(contract: ContractDocument, code: string) {
  const tags = (contract['tags'] ?? []) as { name: string; description?: string }[];
  const guide = tags.find(({ name }) => name === 'errors')?.description ?? '';
  const [, explanation] = new RegExp(`^- \`${code}\`: (.*)$`, 'm').exec(guide) ?? [];
  const found = routesOf(contract).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses)
      .filter(([, response]) => errorCodesOf(response).includes(code))
      .map(([status]) => ({ status, operationId })),
  );
  const responses = Object.fromEntries(
    found.map(({ status }) => [
      status,
      found.filter((one) => one.status === status).map(({ operationId }) => operationId),
    ]),
  );
  return { code, message: (errorMessages as Record<string, string>)[code], explanation, responses };
}

/** The schema and one example for each media type. */
function bodiesOf(content: Record<string, MediaType> = {}) {
  const bodies = Object.entries(content).map(([type, { schema, example, examples = {} }]) => [
    type,
    { schema, example: example ?? Object.values(examples)[0]?.value },
  ]);
  return bodies.length > 0 ? Object.fromEntries(bodies) : undefined;
}

/** The schemas that a value refers to, directly and through others, by their references. */
function schemasOf(contract: ContractDocument, value: unknown): { schemas?: Record<string, unknown> } {
  const found: Record<string, unknown> = {};
  const visit = (node: unknown): void => {
    for (const [, reference = ''] of JSON.stringify(node).matchAll(/"\$ref":"(#\/[^"]+)"/g)) {
      if (Object.hasOwn(found, reference)) continue;
      found[reference] = resolve(contract, { $ref: reference });
      visit(found[reference]);
    }
  };
  visit(value);
  return Object.keys(found).length > 0 ? { schemas: found } : {};
}
