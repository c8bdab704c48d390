import { parameterNames, permissionOf, type Route, routesOf } from '../../../../server/contract/index.ts';
import { CommandError } from '../../../command-line/command.ts';
import type { Contract } from '../../../contract/source.ts';
import { draftOf } from '../draft.ts';
import { camelOfKebab, singular } from '../words.ts';
import { type Addressable, addressableNames, addressableOf, containerOf } from './addressables.ts';
import { type Shape, shapeOf } from './shapes.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/** An operation as it is asked for on the command line. */
export type Asked = {
  /** `<resource>/<operationId>` */
  name: string;
  method?: string | undefined;
  path?: string | undefined;
  /** Default: that of the other reads, or changes, of the resource. */
  permission?: string | undefined;
};

/** An operation that can be added: every name is valid, and none is taken. */
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
  /** How each parameter is declared and tested. */
  addressables: Record<string, Addressable>;
  permission: string;
  /** The schema of its object: `Invoice`. */
  thing: string;
  /** Whether it returns a list. */
  isList: boolean;
  /** Whether it is a POST that acts on an existing object, as `terminateUser` does. */
  isAction: boolean;
  /** The body of its response, if it has one. */
  result?: Shape;
  /** The body of its request, if it has one. */
  body?: Shape;
};

const verbs: Partial<Record<Method, string[]>> = {
  get: ['list', 'get', 'find', 'search', 'download'],
  post: ['create', 'add', 'start', 'send', 'upload', 'cancel'],
  put: ['update', 'replace', 'set', 'change'],
  delete: ['delete', 'remove'],
};

/** A POST with one of these verbs creates an object; with another verb it acts on an existing one. */
const creating = ['create', 'add', 'start', 'upload'];

/**
 * Checks the names against the naming rules and the contract.
 * @param permissions of the contract
 * @throws {CommandError} naming the first problem
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
  const parameters = parametersOf(path, contract);
  const taken = routesOf(contract);
  const hasOperations = taken.some(({ operation }) => operation.tags?.[0] === resource);
  const same = taken.find(({ operation }) => operation.operationId === operationId);
  if (same)
    throw new CommandError(`${operationId} exists already: ${same.method.toUpperCase()} ${same.path}.`);
  const there = taken.find((one) => one.method === method && patternOf(one.path) === patternOf(path));
  if (there) {
    const route = `${method.toUpperCase()} ${there.path}`;
    throw new CommandError(`${route} exists already: ${there.operation.operationId}.`);
  }
  const [owner = resource] = taken.find((one) => one.path === path)?.operation.tags ?? [];
  if (owner !== resource) {
    throw new CommandError(`${path} belongs to ${owner}; call it ${owner}/${operationId}.`);
  }
  const permission = asked.permission ?? usualPermission(taken, resource, method);
  if (!permissions.includes(permission)) {
    throw new CommandError(
      `"${permission}" is not a permission; the permissions are ${permissions.join(', ')}.`,
    );
  }
  const isList = method === 'get' && (verb === 'list' || verb === 'search');
  const tags = (contract['tags'] ?? []) as { name: string }[];
  const isGuide = tags.some(({ name }) => name === resource) && !hasOperations;
  if (isGuide) throw new CommandError(`"${resource}" is the name of a guide; choose another resource.`);
  const thing = isList ? singular(noun) : noun;
  const isAction = method === 'post' && !creating.includes(verb);
  if (!isList && method !== 'post') refuseCollection(method, path, resource, thing);
  const body = isAction ? undefined : bodies[method]?.(thing);
  return {
    resource,
    operationId,
    verb,
    method,
    path,
    parameters,
    isList,
    isAction,
    addressables: addressablesOf(root, contract, resource, parameters),
    isNewResource: !hasOperations,
    permission,
    thing,
    ...(method !== 'delete' && { result: shapeOf(root, contract, resource, thing, isList) }),
    ...(body && { body: shapeOf(root, contract, resource, body, false) }),
  };
}

/** That of the last operation of the resource that reads, or changes, as the new one does. */
function usualPermission(routes: readonly Route[], resource: string, method: Method): string {
  const alike = routes.findLast(
    (one) => one.operation.tags?.[0] === resource && (one.method === 'get') === (method === 'get'),
  );
  return (alike && permissionOf(alike.operation)) || 'can_view_workspace';
}

const bodies: Partial<Record<Method, (thing: string) => string>> = {
  post: (thing) => `${thing}Request`,
  put: (thing) => `${thing}Update`,
  patch: (thing) => `${thing}Update`,
};

/** One object of many is named by a parameter: the path of the list would read, change or delete all of them. */
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
    `${method.toUpperCase()} ${path} does not name one object; use a path with a parameter, such as ${path}/{${one}Id}.`,
  );
}

function methodOf(asked: string | undefined, verb: string, operationId: string): Method {
  const method = asked?.toLowerCase() ?? methods.find((one) => verbs[one]?.includes(verb));
  const known = methods.find((one) => one === method);
  if (known) return known;
  if (asked) throw new CommandError(`"${asked}" is not a method; the methods are ${methods.join(', ')}.`);
  throw new CommandError(`the method of ${operationId} is unclear; add --method ${methods.join('|')}.`);
}

function parametersOf(path: string, contract: Contract): string[] {
  if (!/^(\/([a-z0-9]+(-[a-z0-9]+)*|\{[a-z][A-Za-z0-9]*\}))+$/.test(path)) {
    throw new CommandError(
      `"${path}" is not a path in lower case with dashes, such as /invoices/{invoiceId}.`,
    );
  }
  const names = parameterNames(path);
  const unknown = names.find((name) => !addressableNames.includes(name));
  if (unknown) {
    throw new CommandError(
      `{${unknown}} is no addressable object (${addressableNames.join(', ')}); add it to server/src/store/addressable-objects.ts.`,
    );
  }
  for (const [index, name] of names.entries()) {
    const container = containerOf(contract, name);
    if (container && names[index - 1] !== container) {
      throw new CommandError(`{${name}} needs {${container}} before it.`);
    }
  }
  return names;
}

function addressablesOf(
  root: URL,
  contract: Contract,
  resource: string,
  names: string[],
): Record<string, Addressable> {
  const draft = draftOf(root);
  const found = names.map((name) => {
    const addressable = addressableOf(draft, contract, resource, name);
    if (addressable) return [name, addressable] as const;
    throw new CommandError(
      `{${name}} has no parameter, 404 or test object that an operation of ${resource} could use; add it by hand.`,
    );
  });
  return Object.fromEntries(found);
}

/** Two paths that differ in the names of their parameters alone are the same to a router. */
function patternOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
