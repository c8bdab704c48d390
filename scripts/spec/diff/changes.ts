import { isDeepStrictEqual } from 'node:util';
import { type Route, routesOf } from '../../../server/src/contract/routes.ts';
import type { Contract } from '../../contract/source.ts';
import { type Change, type Detail, kinds } from './change.ts';
import { operationChanges } from './operation-changes.ts';
import { type Schema, schemaChanges, typeText } from './schema-changes.ts';

/** Everything that differs between two contracts: operations first, then events, schemas, guides. */
export function changesBetween(from: Contract, to: Contract): Change[] {
  return [
    ...routeChanges('operation', routesOf(from), routesOf(to)),
    ...routeChanges('event', routesOf(from, 'webhooks'), routesOf(to, 'webhooks')),
    ...schemasChanges(from, to),
    ...schemeChanges(from, to),
    ...guideChanges(from, to),
  ];
}

function routeChanges(subject: 'operation' | 'event', before: Route[], after: Route[]): Change[] {
  const place = ({ path, method }: Route) => `${method.toUpperCase()} ${path}`;
  const named = (route: Route) =>
    subject === 'event'
      ? { subject, name: route.path }
      : { subject, name: route.operation.operationId, route: place(route) };
  const summaryOf = ({ operation }: Route) => operation.summary ?? '';
  const found = after.flatMap((route): Change[] => {
    const previous = before.find((one) => place(one) === place(route));
    if (!previous) return [{ kind: 'added', ...named(route), text: summaryOf(route) }];
    const details = operationChanges(previous.operation, route.operation);
    const [old, now] = [previous.operation.operationId, route.operation.operationId];
    if (subject === 'operation' && old !== now) {
      details.unshift({ kind: 'changed', text: `It was called \`${old}\`.` });
    }
    return details.map((detail) => ({ ...named(route), ...detail }));
  });
  const lost = before.filter((route) => !after.some((one) => place(one) === place(route)));
  return [
    ...found,
    ...lost.map((route): Change => ({ kind: 'removed', ...named(route), text: summaryOf(route) })),
  ];
}

function schemasChanges(from: Contract, to: Contract): Change[] {
  return named('schema', from.components['schemas'], to.components['schemas'], (before, after) =>
    schemaChanges(before as Schema, after as Schema),
  );
}

function schemeChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [from, to].map(({ components }) => components['securitySchemes']);
  return named('contract', before, after, () => [{ kind: 'changed', text: 'The security scheme differs.' }]);
}

type Tag = { name: string; description?: string; 'x-displayName'?: string };

function guideChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [from, to].map((contract) => {
    const tags = (contract['tags'] ?? []) as Tag[];
    return Object.fromEntries(tags.map((tag) => [tag['x-displayName'] ?? tag.name, tag.description ?? '']));
  });
  return named('guide', before, after, () => [{ kind: 'documentation', text: '' }]);
}

function named(
  subject: Change['subject'],
  before: Record<string, unknown> = {},
  after: Record<string, unknown> = {},
  compare: (old: unknown, now: unknown) => Detail[],
): Change[] {
  const text = (value: unknown) => (subject === 'schema' ? typeText(value as Schema) : '');
  const found = Object.entries(after).flatMap(([name, value]): Change[] => {
    if (!(name in before)) return [{ kind: 'added', subject, name, text: text(value) }];
    if (isDeepStrictEqual(before[name], value)) return [];
    return compare(before[name], value).map((detail) => ({ subject, name, ...detail }));
  });
  const lost = Object.entries(before).filter(([name]) => !(name in after));
  return [
    ...found,
    ...lost.map(([name, value]): Change => ({ kind: 'removed', subject, name, text: text(value) })),
  ];
}

/** The changes of each kind, in the order in which they are told; a kind without changes is left out. */
export function byKind(changes: Change[]): [Change['kind'], Change[]][] {
  return kinds
    .map((kind): [Change['kind'], Change[]] => [kind, changes.filter((change) => change.kind === kind)])
    .filter(([, some]) => some.length > 0);
}
