import {
  parameterNames,
  type Route,
  resolve,
  routesOf,
  type Schema,
} from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';
import { defaultTotal, type Page, pageOf, sharedUuids, withMore } from './pages.ts';

type Value = Record<string, unknown>;

/** What the examples of a contract say together about objects: which exist, and how each looks. */
export interface ExampleObjects {
  /** The first of these path parameters that names an object of no example; undefined if all are known. */
  unknownAmong(names: readonly string[], path: Record<string, string>): string | undefined;
  /** What reading the object that the path of an operation names last returns; undefined if no operation reads it. */
  at(route: Route, path: Record<string, string>): Value | undefined;
  /**
   * The page that a query selects, defaults included; undefined if the response is no page.
   *
   * @param schema of the response
   */
  page(schema: Schema | undefined, query: Value): Page | undefined;
  /**
   * Makes an example the response for the objects of the path.
   *
   * @param schema of the response
   * @param path of the request
   */
  fit(
    example: unknown,
    request: { schema: Schema | undefined; route: Route; path: Record<string, string> },
  ): unknown;
}

export function exampleObjects(contract: Contract): ExampleObjects {
  const routes = routesOf(contract);
  const bySchema = objectsOf(contract, routes);
  completePages(contract, { routes, bySchema });
  const known = knownIds(contract, { routes, bySchema });
  const objectsBehind = (schema: Schema | undefined) => bySchema.get(schema?.$ref ?? '') ?? new Map();

  return {
    unknownAmong: (names, path) => names.find((name) => known.get(name)?.has(path[name] ?? '') === false),
    at(route, path) {
      const name = parameterNames(route.path).at(-1) ?? '';
      const read = routes.find(
        (one) => one.method === 'get' && one.path.endsWith(`/{${name}}`) && route.path.startsWith(one.path),
      );
      const { schema } = read?.operation.responses['200']?.content?.['application/json'] ?? {};
      return objectsBehind(schema).get(path[name]);
    },
    page(schema, query) {
      const { properties } = resolve(contract, schema) ?? {};
      const items = itemsOfPage(contract, schema);
      return items && pageOf([...objectsBehind(items).values()], query, Object.keys(properties ?? {}));
    },
    fit(example, { schema, route, path }) {
      const renamed = withIdsOf(path, route, example);
      const id = path[parameterNames(route.path).at(-1) ?? ''];
      if (!isObject(example) || id === undefined || example['id'] === id) return renamed;
      const objects = objectsBehind(schema);
      const [requested, shown] = [objects.get(id), objects.get(example['id'])];
      // An action changes the requested object in the way in which its example changes another.
      return requested && shown ? changedAlike(requested, shown, example) : renamed;
    },
  };
}

/** The objects with an `id` in the examples of responses, by schema. What reads an object prevails over what changes it. */
function objectsOf(contract: Contract, routes: Route[]): Map<string, Map<unknown, Value>> {
  const found = new Map<string, Map<unknown, Value>>();
  const visit = (declared: Schema | undefined, value: unknown): void => {
    const schema = resolve(contract, declared);
    if (Array.isArray(value)) for (const item of value) visit(schema?.items, item);
    if (!isObject(value)) return;
    const name = declared?.$ref;
    if (name && value['id'] !== undefined) {
      const objects = found.get(name) ?? new Map();
      found.set(name, objects);
      if (!objects.has(value['id'])) objects.set(value['id'], value);
    }
    for (const [key, item] of Object.entries(value)) visit(schema?.properties?.[key], item);
  };
  const reading = routes.filter(({ method }) => method === 'get');
  for (const route of [...reading, ...routes])
    for (const { schema, value } of successesOf(route)) visit(schema, value);
  return found;
}

interface Objects {
  routes: Route[];
  bySchema: Map<string, Map<unknown, Value>>;
}

/** The schema of the entries of a page; undefined for any other schema. */
function itemsOfPage(contract: Contract, schema: Schema | undefined): Schema | undefined {
  const { content, totalElements, nextCursor } = resolve(contract, schema)?.properties ?? {};
  return (totalElements || nextCursor) && resolve(contract, content)?.items;
}

/** Adds objects until there are as many as the example of their first page says. */
function completePages(contract: Contract, { routes, bySchema }: Objects): void {
  const shared = sharedUuids([...bySchema.values()].flatMap((objects) => [...objects.values()]));
  for (const { schema, value } of routes.flatMap(successesOf)) {
    const objects = bySchema.get(itemsOfPage(contract, schema)?.$ref ?? '');
    if (!objects || !isObject(value)) continue;
    const total = Number(value['totalElements'] ?? (value['nextCursor'] ? defaultTotal : 0));
    for (const object of withMore([...objects.values()], total, shared)) objects.set(object['id'], object);
  }
}

/** The identifiers that examples have for each path parameter. A parameter without any is missing. */
function knownIds(contract: Contract, { routes, bySchema }: Objects): Map<string, Set<unknown>> {
  const known = new Map<string, Set<unknown>>();
  const add = (name: string, id: unknown) => {
    if (typeof id === 'string') known.set(name, (known.get(name) ?? new Set()).add(id));
  };
  const parameters = new Set<string>();
  for (const { path, operation } of routes) {
    for (const name of parameterNames(path)) parameters.add(name);
    for (const { name, in: place, example } of operation.parameters) if (place === 'path') add(name, example);
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (parameters.has(key)) add(key, item);
      visit(item);
    }
  };
  for (const route of [...routes, ...routesOf(contract, 'webhooks')])
    for (const { value } of [...bodiesOf(route), ...successesOf(route)]) visit(value);
  // `/users` has the objects whose ids `/users/{userId}` takes.
  for (const name of parameters) {
    const collections = routes.flatMap(({ path }) => {
      const end = path.indexOf(`/{${name}}`);
      return end < 0 ? [] : [path.slice(0, end), path.slice(0, end + name.length + 3)];
    });
    for (const route of routes.filter(({ path }) => collections.includes(path)))
      for (const { schema, value } of successesOf(route)) {
        for (const item of itemsOf(value)) if (isObject(item)) add(name, item['id']);
        const items = itemsOfPage(contract, schema);
        for (const id of bySchema.get(items?.$ref ?? '')?.keys() ?? []) add(name, id);
      }
  }
  return known;
}

function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) && Array.isArray(value['content']) ? value['content'] : [value];
}

function successesOf({ operation }: Route): { schema: Schema | undefined; value: unknown }[] {
  return Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => contentsOf(response));
}

const bodiesOf = ({ operation }: Route) => (operation.requestBody ? contentsOf(operation.requestBody) : []);

function contentsOf({ content = {} }: { content?: Route['operation']['responses'][string]['content'] }) {
  return Object.values(content).flatMap(({ schema, examples = {} }) =>
    Object.values(examples).map(({ value }) => ({ schema, value })),
  );
}

/** Wherever an example names an object of its own path, also in a link, it names that of the request. */
function withIdsOf(path: Record<string, string>, { operation }: Route, example: unknown): unknown {
  const documented = operation.parameters.filter((parameter) => typeof parameter.example === 'string');
  const ids = documented.map(({ name, example: id }) => [name, String(id), path[name]] as const);
  const replaced = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaced(item, key));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, name)]));
    if (typeof value !== 'string') return value;
    if (/^https?:/.test(value))
      return ids.reduce((link, [, from, to]) => (to === undefined ? link : link.replaceAll(from, to)), value);
    return ids.find(([name, from]) => name === key && from === value)?.[2] ?? value;
  };
  return replaced(example, '');
}

/** The object with the values in which `after` differs from `before`. */
function changedAlike(object: Value, before: Value, after: Value): Value {
  const changed = Object.entries(after).flatMap(([name, value]): [string, unknown][] => {
    const [own, old] = [object[name], before[name]];
    if (name === 'id' || JSON.stringify(value) === JSON.stringify(old)) return [];
    return [
      [name, isObject(own) && isObject(old) && isObject(value) ? changedAlike(own, old, value) : value],
    ];
  });
  return { ...object, ...Object.fromEntries(changed) };
}
