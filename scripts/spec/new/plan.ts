import { CommandError } from '../../command-line/run-command.ts';
import type { Contract } from '../../contract/source.ts';
import { addressables } from './addressables.ts';
import { type Method, methods } from './methods.ts';
import { type Shape, shapeOf } from './shapes.ts';
import { camelOfKebab, singular } from './words.ts';

/** What is asked for, as it stands on the command line. */
export type Asked = {
  /** `<resource>/<operationId>` */
  name: string;
  method?: string | undefined;
  path?: string | undefined;
  permission: string;
};

/** An operation that can be added: every name is formed as it must be, and none is taken. */
export type Plan = {
  /** The word of the resource: tag and file name. */
  resource: string;
  isNewResource: boolean;
  operationId: string;
  /** The first word of the operationId. */
  verb: string;
  method: Method;
  path: string;
  /** Names of the parameters between braces. */
  parameters: string[];
  permission: string;
  /** What the operation is about, as the name of a schema: `Invoice`. */
  thing: string;
  /** Whether it answers with a list of things. */
  isList: boolean;
  /** Whether it is a POST that does something to a thing that is there, as `terminateUser` is. */
  isAction: boolean;
  /** What it answers with; nothing where it answers without a body. */
  answer?: Shape;
  /** What it is sent. */
  body?: Shape;
};

const verbs: Record<string, Method> = {
  ...{ list: 'get', get: 'get', find: 'get', search: 'get', download: 'get' },
  ...{ create: 'post', add: 'post', start: 'post', send: 'post', upload: 'post', cancel: 'post' },
  ...{ update: 'put', replace: 'put', set: 'put', change: 'put', delete: 'delete', remove: 'delete' },
};

/** What a POST brings into being; with every other verb it does something to what is there. */
const creating = ['create', 'add', 'start', 'upload'];

/**
 * Checks the names against the rules of the house and against what there is.
 * @param permissions that the contract knows
 * @throws {CommandError} naming the first thing that does not fit
 */
export function planOf(root: URL, asked: Asked, contract: Contract, permissions: readonly string[]): Plan {
  const [resource = '', operationId = '', ...rest] = asked.name.split('/');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(resource) || rest.length > 0 || operationId === '') {
    throw new CommandError(`"${asked.name}" is not <resource>/<operationId>, such as invoices/listInvoices.`);
  }
  const [, verb = '', noun = ''] = /^([a-z]+)([A-Z][A-Za-z0-9]*)$/.exec(operationId) ?? [];
  if (!noun) throw new CommandError(`"${operationId}" is not a verb and a noun, such as listInvoices.`);
  const method = methodOf(asked.method, verb, operationId);
  const path = asked.path ?? `/${resource}`;
  const parameters = parametersOf(path);
  const taken = operationsOf(contract);
  const same = taken.find((one) => one.operationId === operationId);
  if (same)
    throw new CommandError(`${operationId} is there already: ${same.method.toUpperCase()} ${same.path}.`);
  const there = taken.find((one) => one.method === method && patternOf(one.path) === patternOf(path));
  if (there) {
    throw new CommandError(`${method.toUpperCase()} ${there.path} is there already: ${there.operationId}.`);
  }
  const [neighbour] = taken.filter((one) => one.path === path);
  if (neighbour && neighbour.tag !== resource) {
    throw new CommandError(`${path} belongs to ${neighbour.tag}; call it ${neighbour.tag}/${operationId}.`);
  }
  if (!permissions.includes(asked.permission)) {
    throw new CommandError(`"${asked.permission}" is no permission; there are ${permissions.join(', ')}.`);
  }
  const isList = method === 'get' && (verb === 'list' || verb === 'search');
  const tags = (contract['tags'] ?? []) as { name: string }[];
  const isGuide = tags.some(({ name }) => name === resource) && !taken.some(({ tag }) => tag === resource);
  if (isGuide) throw new CommandError(`"${resource}" is the name of a guide; choose another resource.`);
  const thing = isList ? singular(noun) : noun;
  const isAction = method === 'post' && !creating.includes(verb);
  if (!isList && method !== 'post') refuseCollection(method, path, resource, thing);
  const body = isAction ? undefined : bodies[method]?.(thing);
  return {
    ...{ resource, operationId, verb, method, path, parameters, isList, isAction },
    isNewResource: !taken.some(({ tag }) => tag === resource),
    permission: asked.permission,
    thing,
    ...(method !== 'delete' && { answer: shapeOf(root, contract, resource, thing, isList) }),
    ...(body && { body: shapeOf(root, contract, resource, body, false) }),
  };
}

const bodies: Partial<Record<Method, (thing: string) => string>> = {
  post: (thing) => `New${thing}`,
  put: (thing) => `${thing}Update`,
  patch: (thing) => `${thing}Update`,
};

/** One of many is named by a parameter; the path of all of them would read, change or delete them all. */
function refuseCollection(method: Method, path: string, resource: string, thing: string): void {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const one = singular(camelOfKebab(last));
  const isPlural = one !== camelOfKebab(last);
  // Settings, say, are one thing.
  if (
    !isPlural ||
    singular(thing) !== thing ||
    (last !== resource && one.toLowerCase() !== thing.toLowerCase())
  )
    return;
  throw new CommandError(
    `${method.toUpperCase()} ${path} does not say which one; say a path with a parameter, such as ${path}/{${one}Id}.`,
  );
}

function methodOf(asked: string | undefined, verb: string, operationId: string): Method {
  const method = asked?.toLowerCase() ?? verbs[verb];
  const known = methods.find((one) => one === method);
  if (known) return known;
  if (asked) throw new CommandError(`"${asked}" is no method; there are ${methods.join(', ')}.`);
  throw new CommandError(`Which method has ${operationId}? Say --method ${methods.join('|')}.`);
}

function parametersOf(path: string): string[] {
  if (!/^(\/([a-z0-9]+(-[a-z0-9]+)*|\{[a-z][A-Za-z0-9]*\}))+$/.test(path)) {
    throw new CommandError(`"${path}" is no path in lower case with dashes, such as /invoices/{invoiceId}.`);
  }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unknown = names.find((name) => !(name in addressables));
  if (unknown) {
    throw new CommandError(
      `{${unknown}} is no object that spec:new can address (${Object.keys(addressables).join(', ')}): ` +
        'on what a permission is asked is decided in server/src/http/addressing.ts, by hand.',
    );
  }
  const lonely = names.find(
    (name) => addressables[name]?.within && !names.includes(addressables[name].within),
  );
  if (lonely) throw new CommandError(`{${lonely}} needs {${addressables[lonely]?.within}} before it.`);
  return names;
}

type Existing = { operationId: string; method: string; path: string; tag: string };

function operationsOf({ paths }: Contract): Existing[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const { operationId, tags } = item[method] as { operationId: string; tags: [string] };
        return { operationId, method, path, tag: tags[0] };
      }),
  );
}

/** Two paths that differ in the names of their parameters alone are the same to a router. */
function patternOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
