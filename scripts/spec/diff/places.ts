import { type OperationObject, resolve, routesOf } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';

/** Where a reader finds a change, and the keys that lead from there to what changed. */
export type Place = {
  subject: 'operation' | 'event' | 'schema' | 'guide' | 'contract';
  /** The operationId, the event type, the name of the schema, the title of the guide. */
  name: string;
  /** Method and path of an operation, such as `GET /organizations/users`. */
  route?: string;
  operation?: OperationObject;
  keys: string[];
};

/** The places of one contract. */
export type Places = {
  /** Every operation, then every event; without keys. */
  routes: Place[];
  guides: string[];
  /** The places that a pointer leads to. */
  placesOf(pointer: string[]): Place[];
};

/** Reads the contract once: a comparison looks up hundreds of pointers. */
export function placesIn(document: Contract): Places {
  const guides = ((document['tags'] ?? []) as { name: string; 'x-displayName'?: string }[]).map(
    (tag) => tag['x-displayName'] ?? tag.name,
  );
  const found = (['paths', 'webhooks'] as const).flatMap((section) =>
    routesOf(document, section).map(({ path, method, operation }) => {
      const isEvent = section === 'webhooks';
      const place: Place = isEvent
        ? { subject: 'event', name: path, operation, keys: [] }
        : {
            subject: 'operation',
            name: operation.operationId,
            route: `${method.toUpperCase()} ${path}`,
            operation,
            keys: [],
          };
      return { section, path, method, place };
    }),
  );
  const uses = new Map<unknown, Place[]>();
  for (const { section, path, method, place } of found) {
    const source = document[section]?.[path];
    for (const part of [source?.[method], { parameters: source?.['parameters'] }]) {
      addUses(part, [], (component, keys) => {
        uses.set(component, [...(uses.get(component) ?? []), { ...place, keys }]);
      });
    }
  }

  /** Calls `add` for every component that a part refers to, with the keys that lead to it. */
  function addUses(part: unknown, keys: string[], add: (component: object, keys: string[]) => void): void {
    if (typeof part !== 'object' || part === null) return;
    const reference = (part as { $ref?: string }).$ref;
    if (reference?.startsWith('#/components/schemas/')) return;
    const target = resolve(document, part);
    if (target !== part) add(target, keys);
    for (const [key, value] of Object.entries(target)) addUses(value, [...keys, key], add);
  }

  return {
    routes: found.map(({ place }) => place),
    guides,
    placesOf([section = '', first = '', second = '', ...rest]) {
      if (section === 'paths' || section === 'webhooks') {
        return found
          .filter((one) => one.section === section && one.path === first)
          .filter(({ method }) => second === '' || method === second)
          .map(({ place }) => ({ ...place, keys: rest }));
      }
      if (section === 'tags') {
        return [{ subject: 'guide', name: guides[Number(first)] ?? first, keys: [second, ...rest] }];
      }
      const keys = second === '' ? [first] : [first, second, ...rest];
      if (section !== 'components') return [{ subject: 'contract', name: section, keys }];
      if (first === 'schemas') return [{ subject: 'schema', name: second, keys: rest }];
      if (first === 'securitySchemes') return [{ subject: 'contract', name: second, keys: rest }];
      // A reader does not know shared parameters and responses, so a change to one is a change to its operations.
      const component = document.components[first]?.[second];
      return (uses.get(component) ?? []).map((use) => ({ ...use, keys: [...use.keys, ...rest] }));
    },
  };
}
