import {
  parameterNames,
  type Route,
  resolve,
  routesOf,
  type Schema,
} from '../../../server/contract/index.ts';
import { isObject, timestampOf } from '../../../server/json/index.ts';
import { canonicalIdentifiers } from '../../../server/src/domain/identifiers.ts';
import type { Contract } from '../../contract/source.ts';
import { filterNamed } from './filters.ts';
import { belongingTo, defaultTotal, keptIds, type Page, pageOf, timeOf, withMore } from './pages.ts';

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
   * @param path of the request
   */
  page(
    query: Value,
    response: { schema: Schema | undefined; route: Route; path: Record<string, string> },
  ): Page | undefined;
  /**
   * Makes an example the response for the objects of the path. A new object has the values of the request.
   *
   * @param schema of the response
   * @param path of the request
   * @param body of the request, if it is JSON
   */
  fit(
    example: unknown,
    request: { schema: Schema | undefined; route: Route; path: Record<string, string>; body?: unknown },
  ): unknown;
}

export function exampleObjects(contract: Contract): ExampleObjects {
  const routes = routesOf(contract);
  const bySchema = objectsOf(contract, routes);
  completePages(contract, { routes, bySchema });
  completeObjects(contract, { routes, bySchema });
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
    page(query, { schema, route, path }) {
      const { properties } = resolve(contract, schema) ?? {};
      const items = itemsOfPage(contract, schema);
      const all = [...objectsBehind(items).values()];
      const objects = listedFor(path[ownerOf(route)?.name ?? ''], all, { route, bySchema });
      const list = `${route.path} ${JSON.stringify(path)}`;
      const fields = Object.keys(properties ?? {});
      const filterOf = (name: string) => filterNamed(contract, items, name);
      return items && pageOf(objects, { query, list, fields, filterOf });
    },
    fit(example, { schema, route, path, body }) {
      const renamed = withIdsOf(path, route, example);
      if (route.method === 'post' && isObject(renamed) && isObject(body) && isNew(renamed, path))
        return created(contract, renamed, { schema, route, body: canonicalIdentifiers(body), bySchema });
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
  const all = [...bySchema.values()].flatMap((objects) => [...objects.values()]);
  const pages = routes.flatMap(successesOf).flatMap(({ schema, value }) => {
    const objects = bySchema.get(itemsOfPage(contract, schema)?.$ref ?? '');
    return objects && isObject(value) ? [{ value, objects }] : [];
  });
  const references = {
    kept: keptIds(all),
    nameOf: (id: string) => objectWith(bySchema, id)?.['name'],
    now: Math.max(...pages.flatMap(({ objects }) => [...objects.values()].map(timeOf))),
  };
  for (const { value, objects } of pages) {
    const total = Number(value['totalElements'] ?? (value['nextCursor'] ? defaultTotal : 0));
    for (const object of withMore([...objects.values()], total, references))
      objects.set(object['id'], object);
  }
}

/** Adds what reading an entry of a list returns: the fields of the entry, and others of the first object that is read. */
function completeObjects(contract: Contract, { routes, bySchema }: Objects): void {
  const read = (path: string) =>
    routes
      .filter((route) => route.method === 'get' && route.path === path)
      .flatMap(successesOf)
      .at(0)?.schema;
  for (const { path } of routes) {
    const schema = read(path);
    const objects = bySchema.get(schema?.$ref ?? '');
    const items = itemsOfPage(contract, read(path.replace(/\/\{[^/]+\}$/, '')));
    const [model] = objects?.values() ?? [];
    if (!objects || !model || !items || items.$ref === schema?.$ref) continue;
    const [whole, part] = [schema, items].map((one) => resolve(contract, one)?.properties ?? {});
    const others = Object.entries(model).filter(([name]) => !Object.hasOwn(part ?? {}, name));
    for (const [id, entry] of bySchema.get(items.$ref ?? '') ?? []) {
      if (objects.has(id)) continue;
      const own = Object.entries(entry).filter(([name]) => Object.hasOwn(whole ?? {}, name));
      objects.set(id, Object.fromEntries([...own, ...others]));
    }
  }
}

function objectWith(bySchema: Objects['bySchema'], id: unknown): Value | undefined {
  return [...bySchema.values()].find((objects) => objects.has(id))?.get(id);
}

/** The parameter of the object that a list belongs to, such as the table of its records. */
function ownerOf({ path, operation }: Route) {
  const last = parameterNames(path).at(-1);
  return operation.parameters.find(({ name, in: place }) => place === 'path' && name === last);
}

/**
 * The entries of a list within an object. The examples have those of one such object: an execution of another definition
 * has none, because its states are others.
 */
function listedFor(
  owner: string | undefined,
  objects: Value[],
  { route, bySchema }: { route: Route; bySchema: Objects['bySchema'] },
): Value[] {
  const shown = ownerOf(route)?.example;
  if (owner === undefined || owner === shown) return objects;
  const [own, other] = [objectWith(bySchema, shown), objectWith(bySchema, owner)];
  if (own?.['workflowDefinitionId'] !== other?.['workflowDefinitionId']) return [];
  return belongingTo(objects, owner, String(other?.['name'] ?? owner.slice(-4)));
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
        const items = bySchema.get(itemsOfPage(contract, schema)?.$ref ?? '');
        const owners = items ? [undefined, ...(known.get(ownerOf(route)?.name ?? '') ?? [])] : [];
        for (const owner of owners)
          for (const { id } of listedFor(owner as string, [...(items?.values() ?? [])], { route, bySchema }))
            add(name, id);
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

const isNew = ({ id }: Value, path: Record<string, string>) =>
  id !== undefined && !Object.values(path).includes(String(id));

/**
 * A new object with the fields of its request, and with those that it has from the objects that the request refers to. A
 * field that the request lacks is that of the example of a request that lacks it, too.
 */
function created(
  contract: Contract,
  example: Value,
  {
    schema,
    route,
    body,
    bySchema,
  }: { schema: Schema | undefined; route: Route; body: Value; bySchema: Objects['bySchema'] },
): Value {
  const made = { ...example };
  const { examples: requests = {}, schema: request } =
    route.operation.requestBody?.content?.['application/json'] ?? {};
  const shared = Object.keys(resolve(contract, request)?.properties ?? {}).filter((name) =>
    Object.hasOwn(resolve(contract, schema)?.properties ?? {}, name),
  );
  const responses = Object.values(route.operation.responses).flatMap(({ content }) =>
    Object.entries(content?.['application/json']?.examples ?? {}),
  );
  for (const name of shared.filter((one) => !Object.hasOwn(body, one))) {
    const alike = responses.find(
      ([key]) => isObject(requests[key]?.value) && !Object.hasOwn(requests[key].value, name),
    );
    if (!alike || !isObject(alike[1].value)) continue;
    if (Object.hasOwn(alike[1].value, name)) made[name] = alike[1].value[name];
    else delete made[name];
  }
  for (const name of shared) {
    const [shown, given] = [objectWith(bySchema, example[name]), objectWith(bySchema, body[name])];
    if (!shown || !given) continue;
    for (const [key, value] of Object.entries(shown))
      if (key !== 'id' && key in given && JSON.stringify(example[key]) === JSON.stringify(value))
        made[key] = given[key];
  }
  for (const name of shared.filter((one) => Object.hasOwn(body, one)))
    made[name] = canonical(body[name], example[name]);
  return made;
}

/** As the platform returns times. */
function canonical(given: unknown, shown: unknown): unknown {
  if (typeof given !== 'string' || typeof shown !== 'string' || !timestampOf(shown)) return given;
  return timestampOf(given)?.toISOString() ?? given;
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
