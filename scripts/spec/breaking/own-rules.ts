import { type OperationObject, type Route, routesOf } from '../../../server/src/contract/routes.ts';
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
  const events = pairs(routesOf(released, 'webhooks'), routesOf(current, 'webhooks'));
  return [
    ...operations.flatMap(renamedPathParameters),
    ...apply(operations, [requiredBody, narrowedForms, optionalHeaders]),
    ...apply(operations, [inheritedSecurity(released, current)]),
    ...apply(events, [lostParameters], 'webhooks '),
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

function mediaTypesOf({ requestBody }: OperationObject, field: string): string[] {
  const { contentType = '*/*' } = requestBody?.content['multipart/form-data']?.encoding?.[field] ?? {};
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
