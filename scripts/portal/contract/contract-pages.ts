import {
  guideGroups,
  type OperationObject,
  type Route,
  routesOf,
  type TagGroup,
} from '../../../server/contract/index.ts';
import { documentedAddresses, namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { Contract } from '../../contract/source.ts';

export interface Tag {
  name: string;
  title: string;
  description: string;
}

/** An operation or event, with the properties that pages show. */
export interface DescribedOperation extends OperationObject {
  summary: string;
  description: string;
  tags: string[];
  deprecated?: boolean;
  'x-codeSamples'?: { lang: string; label?: string; source: string }[];
}

/** Sentences in Markdown about the releases of an operation or event. */
export interface RouteHistory {
  /** When it came, if not with the first release. */
  added?: string | undefined;
  /** What a later release changed last, and in a few words when: `Changed in 3.1.0`. */
  changed?: { heading: string; text: string } | undefined;
}

export interface DescribedRoute extends Route {
  operation: DescribedOperation;
  /** Whether it is a webhook event, which the platform sends. */
  isEvent: boolean;
  history?: RouteHistory;
}

export interface Guide extends Tag {
  /** The name of its tag group. */
  part: string;
}

/** One resource of the reference. */
export interface OperationGroup extends Tag {
  routes: DescribedRoute[];
}

export interface ContractPages {
  title: string;
  version: string;
  summary: string;
  introduction: string;
  guides: Guide[];
  groups: OperationGroup[];
}

type RawTag = { name: string; description?: string; 'x-displayName'?: string };

/** The contract in reading order: guides, then groups of operations and events. */
export function contractPages(contract: Contract): ContractPages {
  const { title, version, summary = '', description = '' } = contract.info as Record<string, string>;
  const tags = (contract['tags'] ?? []) as RawTag[];
  const routes = describedRoutes(contract);
  const inOrder = (groups: TagGroup[]) =>
    groups.flatMap((group) =>
      group.tags.flatMap((name) => {
        const tag = tags.find((one) => one.name === name);
        return tag ? [{ ...toTag(tag), part: group.name }] : [];
      }),
    );
  return {
    title: title ?? '',
    version: version ?? '',
    summary,
    introduction: description,
    guides: inOrder(guideGroups(contract)),
    groups: inOrder(tagGroupsOf(contract))
      .map(({ part: _, ...tag }) => ({
        ...tag,
        routes: routes.filter(({ operation }) => operation.tags[0] === tag.name),
      }))
      .filter((group) => group.routes.length > 0),
  };
}

const tagGroupsOf = (contract: Contract) => (contract['x-tagGroups'] ?? []) as TagGroup[];

/** The contract without its guides, for Redoc and Postman. */
export function withoutGuides(contract: Contract): Contract {
  const groups = guideGroups(contract);
  const guides = new Set(groups.flatMap((group) => group.tags));
  const names = new Set(groups.map(({ name }) => name));
  const tags = (contract['tags'] ?? []) as RawTag[];
  return {
    ...contract,
    tags: tags.filter(({ name }) => !guides.has(name)),
    'x-tagGroups': tagGroupsOf(contract).filter(({ name }) => !names.has(name)),
  };
}

type Server = { url: string; description?: string; variables?: Record<string, { default: string }> };

/** The servers with their variables filled in, each with the URL of its own environment wherever it is read. */
export function namedServers(contract: Contract): Server[] {
  const servers = (contract['servers'] ?? []) as Server[];
  return servers.map(({ url, variables = {}, ...rest }) => ({
    ...rest,
    url: url
      .replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? name)
      .replace(documentedAddresses.production, namedAddresses.production),
  }));
}

/** The permissions that a caller needs; `public` if no credentials are required. */
export function permissionOf({ security = [] }: OperationObject): 'public' | string[] {
  if (security.length === 0) return 'public';
  return [...new Set(security.flatMap((requirement) => Object.values(requirement).flat()))];
}

function describedRoutes(contract: Contract): DescribedRoute[] {
  const describe = (isEvent: boolean) => (route: Route) => ({
    ...route,
    operation: {
      // The lint demands one; a review also shows contracts with findings.
      summary: route.operation.operationId,
      description: '',
      tags: [],
      ...route.operation,
    } as unknown as DescribedOperation,
    isEvent,
  });
  return [...routesOf(contract).map(describe(false)), ...routesOf(contract, 'webhooks').map(describe(true))];
}

function toTag({ name, description = '', 'x-displayName': title = name }: RawTag): Tag {
  return { name, title, description };
}
