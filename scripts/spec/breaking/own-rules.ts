import { type OperationObject, type Route, routesOf } from '../../../server/src/contract/routes.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';
import { schemaBreaks } from './schema-rules.ts';

type Compare = (before: OperationObject, after: OperationObject) => Omit<Break, 'where'>[];

/** Finds breaking changes that `redocly diff` 2.77 does not report. */
export function ownRules(released: Contract, current: Contract): Break[] {
  const paths = pairs(routesOf(released), routesOf(current));
  const webhooks = pairs(routesOf(released, 'webhooks'), routesOf(current, 'webhooks'));
  return [
    ...apply(paths, [requiredBody, changedDefaults, optionalHeaders]),
    ...apply(paths, [inheritedSecurity(released, current)]),
    ...apply(webhooks, [lostParameters], 'webhooks '),
    ...schemaBreaks(released, current),
  ];
}

type Pair = { route: Route; before: OperationObject; after: OperationObject };

function pairs(released: Route[], current: Route[]): Pair[] {
  return released.flatMap((route) => {
    const same = current.find(({ path, method }) => path === route.path && method === route.method);
    return same ? [{ route, before: route.operation, after: same.operation }] : [];
  });
}

function apply(compared: Pair[], rules: Compare[], place = ''): Break[] {
  return compared.flatMap(({ route, before, after }) =>
    rules.flatMap((rule) =>
      rule(before, after).map((found) => ({ ...found, where: `${place}${route.path} ${route.method}` })),
    ),
  );
}

function requiredBody({ requestBody: before }: OperationObject, { requestBody: after }: OperationObject) {
  if (before?.required || !after?.required) return [];
  return [{ rule: 'request-body-became-required', message: 'A request without a body is refused now.' }];
}

function changedDefaults(
  { parameters: before = [] }: OperationObject,
  { parameters: after = [] }: OperationObject,
) {
  return before.flatMap((parameter) => {
    const same = after.find(({ name, in: place }) => name === parameter.name && place === parameter.in);
    const [old, now] = [parameter.schema?.['default'], same?.schema?.['default']].map((value) =>
      JSON.stringify(value),
    );
    if (!same || old === undefined || old === now) return [];
    return [
      {
        rule: 'default-changed',
        message: `The default of \`${parameter.name}\` was ${old} and is ${now ?? 'gone'}.`,
      },
    ];
  });
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
