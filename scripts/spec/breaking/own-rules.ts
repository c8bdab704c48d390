import { isDeepStrictEqual } from 'node:util';
import { type OperationObject, type Route, resolve, routesOf } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';
import { type Pair, schemaBreaks } from './schema-rules.ts';

type Compare = (before: OperationObject, after: OperationObject) => Omit<Break, 'where'>[];

/**
 * Finds breaking changes that `redocly diff` 2.77 does not report.
 * @param released normalized, as `current` is
 */
export function ownRules(released: Contract, current: Contract): Break[] {
  const operations = pairs(routesOf(released), routesOf(current));
  const sent = routesOf(released, 'webhooks');
  const events = pairs(sent, routesOf(current, 'webhooks'));
  return [
    ...operations.flatMap(renamedPathParameters),
    ...operations.flatMap(changedServers(released, current)),
    ...apply(operations, [requiredBody, narrowedForms, changedEncoding, optionalHeaders]),
    ...apply(operations, [inheritedSecurity(released, current), changedLinks(released, current)]),
    ...lostEvents(sent, current),
    ...apply(events, [lostParameters, lostBody], 'webhooks '),
    ...schemaBreaks(released, current, { operations, events }),
  ];
}

/** Paths are the same if they differ only in the names of parameters. */
function pairs(released: Route[], current: Route[]): Pair[] {
  const keyOf = ({ path, method }: Route) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
  return released.flatMap((before) => {
    const after = current.find((route) => keyOf(route) === keyOf(before));
    return after ? [{ before, after }] : [];
  });
}

function apply(compared: Pair[], rules: Compare[], place = ''): Break[] {
  return compared.flatMap(({ before, after }) =>
    rules.flatMap((rule) =>
      rule(before.operation, after.operation).map((found) => ({
        ...found,
        where: `${place}${before.path} ${before.method}`,
      })),
    ),
  );
}

/** Clients name path parameters: in the URI templates that they hold, and as fields of generated types. */
function renamedPathParameters({ before, after }: Pair): Break[] {
  if (before.path === after.path) return [];
  return [
    { rule: 'path-parameter-renamed', where: before.path, message: `The path is \`${after.path}\` now.` },
  ];
}

function requiredBody({ requestBody: before }: OperationObject, { requestBody: after }: OperationObject) {
  if (before?.required || !after?.required) return [];
  return [{ rule: 'request-body-became-required', message: 'A request without a body is refused now.' }];
}

/** The encoding of a form lists the media types that a part may have; by default, a part may have any. */
function narrowedForms(before: OperationObject, after: OperationObject) {
  const { files = [], texts = [] } = before.form ?? {};
  return [...files, ...texts].flatMap((field) => {
    const [old, now] = [before, after].map((operation) => mediaTypesOf(operation, field)) as [
      string[],
      string[],
    ];
    const lost = old.filter((type) => !now.some((other) => includesType(other, type)));
    if (lost.length === 0) return [];
    return [
      {
        rule: 'form-media-type-removed',
        message: `\`${field}\` could be ${lost.join(', ')} and must be ${now.join(', ')}.`,
      },
    ];
  });
}

/** How the values of a field are written into a form. */
function changedEncoding(before: OperationObject, after: OperationObject) {
  const { files = [], texts = [] } = before.form ?? {};
  return [...files, ...texts].flatMap((field) => {
    const [old, now] = [before, after].map((operation) => {
      const { contentType: _, headers: __, ...encoding } = encodingOf(operation, field);
      return encoding;
    });
    if (isDeepStrictEqual(old, now)) return [];
    return [
      {
        rule: 'form-encoding-changed',
        message: `\`${field}\` was encoded with ${JSON.stringify(old)} and is with ${JSON.stringify(now)}.`,
      },
    ];
  });
}

function encodingOf(
  { requestBody }: OperationObject,
  field: string,
): Record<string, unknown> & { contentType?: string } {
  return requestBody?.content['multipart/form-data']?.encoding?.[field] ?? {};
}

function mediaTypesOf(operation: OperationObject, field: string): string[] {
  const { contentType = '*/*' } = encodingOf(operation, field);
  return contentType.split(',').map((type) => type.trim().toLowerCase());
}

/** Whether a media type or a range, such as `image/*`, includes another. */
function includesType(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

function optionalHeaders({ responses: before }: OperationObject, { responses: after }: OperationObject) {
  return Object.entries(before).flatMap(([status, response]) =>
    Object.entries(response.headers ?? {})
      .filter(([name, { required }]) => {
        const header = after[status]?.headers?.[name];
        return required && header !== undefined && !header.required;
      })
      .map(([name]) => ({
        rule: 'response-header-became-optional',
        message: `The header \`${name}\` of ${status} may be missing now.`,
      })),
  );
}

/** An operation without `security` inherits the document's. */
function inheritedSecurity(released: Contract, current: Contract): Compare {
  return ({ security: before }, { security: after }) => {
    // Redocly compares these.
    if (before && after) return [];
    const was = before ?? (released['security'] as Requirement[] | undefined) ?? [];
    const now = after ?? (current['security'] as Requirement[] | undefined) ?? [];
    const isEnough = (one: Requirement) => now.some((other) => isWithin(other, one));
    if (now.length === 0 || (was.length > 0 && was.every(isEnough))) return [];
    return [{ rule: 'security-narrowed', message: 'Credentials that were enough are not enough now.' }];
  };
}

type Requirement = Record<string, string[]>;

/** Whether credentials that fulfil `wide` fulfil `narrow`. */
function isWithin(narrow: Requirement, wide: Requirement): boolean {
  return Object.entries(narrow).every(
    ([scheme, roles]) => scheme in wide && roles.every((role) => wide[scheme]?.includes(role)),
  );
}

/** Servers of an operation or a path replace those of the document, which Redocly compares. */
function changedServers(released: Contract, current: Contract) {
  const serversOf = (contract: Contract, { path, operation }: Route) => {
    const own = (operation as { servers?: Server[] }).servers ?? contract.paths[path]?.['servers'];
    return {
      isOwn: own !== undefined,
      urls: ((own ?? contract['servers'] ?? []) as Server[]).map(({ url }) => url),
    };
  };
  return ({ before, after }: Pair): Break[] => {
    const [old, now] = [serversOf(released, before), serversOf(current, after)];
    const lost = old.urls.filter((url) => !now.urls.includes(url));
    if (lost.length === 0 || !(old.isOwn || now.isOwn)) return [];
    return [
      {
        rule: 'servers-changed',
        where: `${before.path} ${before.method}`,
        message: `It is no longer at ${lost.map((url) => `\`${url}\``).join(', ')}.`,
      },
    ];
  };
}

type Server = { url: string };

/** Tools follow links: a client generator's, a tester's, the portal's collection. */
function changedLinks(released: Contract, current: Contract): Compare {
  return ({ responses: before }, { responses: after }) =>
    Object.entries(before).flatMap(([status, { links = {} }]) => {
      const now = after[status]?.links ?? {};
      // Redocly reports a lost status.
      if (!(status in after)) return [];
      return Object.entries(links).flatMap(([name, link]) => {
        const changes = linkChanges(
          resolve<Link>(released, link as Link),
          resolve<Link | undefined>(current, now[name] as Link),
        );
        return changes.map(([rule, change]) => ({
          rule,
          message: `The link \`${name}\` of ${status} ${change}.`,
        }));
      });
    });
}

type Link = {
  operationId?: string;
  operationRef?: string;
  parameters?: Record<string, unknown>;
  requestBody?: unknown;
  'x-request-body'?: unknown;
};

function linkChanges(before: Link, after: Link | undefined): [rule: string, change: string][] {
  if (!after) return [['link-removed', 'is gone']];
  const targets = [before, after].map(({ operationId, operationRef }) => operationId ?? operationRef);
  const bodies = [before, after].map((link) => link['x-request-body'] ?? link.requestBody);
  const lost = Object.entries(before.parameters ?? {})
    .filter(([name, value]) => !isDeepStrictEqual(after.parameters?.[name], value))
    .map(([name]) => name);
  return [
    ...(targets[0] === targets[1]
      ? []
      : ([['link-changed', `leads to \`${targets[1]}\` now`]] as [string, string][])),
    ...lost.map((name): [string, string] => ['link-changed', `has another \`${name}\` now`]),
    ...(bodies[0] === undefined || isDeepStrictEqual(bodies[0], bodies[1])
      ? []
      : ([['link-changed', 'has another body now']] as [string, string][])),
  ];
}

/** Redocly pairs webhooks by operationId, so it does not report a new name. A removed one is reported once. */
function lostEvents(sent: Route[], current: Contract): Break[] {
  return sent
    .filter(({ path }) => !(path in (current.webhooks ?? {})))
    .map(({ path }) => ({
      rule: 'path-removed',
      where: `webhooks ${path}`,
      message: `Webhook \`${path}\` was removed.`,
    }));
}

function lostBody({ requestBody: before }: OperationObject, { requestBody: after }: OperationObject) {
  if (!before || (after && (after.required || !before.required))) return [];
  return [{ rule: 'event-body-lost', message: `The body ${after ? 'may be' : 'is'} missing now.` }];
}

/** For webhooks, the platform sends the parameters, so a receiver relies on them. */
function lostParameters(
  { parameters: before = [] }: OperationObject,
  { parameters: after = [] }: OperationObject,
) {
  return before.flatMap(({ name, in: place, required }) => {
    const same = after.find((one) => one.name === name && one.in === place);
    if (same && (same.required || !required)) return [];
    return [
      {
        rule: 'event-parameter-lost',
        message: `The ${place} \`${name}\` ${same ? 'may be' : 'is'} missing now.`,
      },
    ];
  });
}
