import { parameterNames, Refused, type Route, refuse } from '../../../server/contract/index.ts';
import { type AddressableObject, addressableObjects } from '../../../server/src/store/addressable-objects.ts';
import type { ExampleObjects } from './objects.ts';
import type { Selected } from './prefer.ts';

type Value = Record<string, unknown>;

/** The documented errors of requests that are valid by themselves, but not for what the examples say about objects. */
export interface ObjectRefusals {
  /** The 404 that precedes the checks of the request: that of the object that the permission is checked on. */
  beforeChecks(route: Route, path: Record<string, string>): Selected | undefined;
  /**
   * @throws {Refused} 400 `user_id_mismatch`
   */
  afterChecks(route: Route, path: Record<string, string>, body: unknown): Selected | undefined;
}

/** The error code that the state of the path's object leads to, by operation. */
const refusedStates: Record<string, (object: Value) => string | undefined> = {
  cancelWorkflow: ({ status }) =>
    status === 'RUNNING' || status === 'CANCELLED' ? undefined : 'execution_already_ended',
  getWorkflowResult: ({ status }) => (status === 'COMPLETED' ? undefined : 'result_not_available'),
};

const addressable: Record<string, AddressableObject> = addressableObjects;

export function objectRefusals(objects: ExampleObjects): ObjectRefusals {
  const notFound = (route: Route, names: string[], path: Record<string, string>): Selected | undefined => {
    const name = objects.unknownAmong(names, path);
    return name === undefined ? undefined : missing(route, name);
  };
  return {
    beforeChecks: (route, path) => notFound(route, permissionNames(route), path),
    afterChecks(route, path, body) {
      assertSameIds(path, body);
      const refusal = notFound(route, parameterNames(route.path), path);
      if (refusal) return refusal;
      const object = objects.at(route, path);
      const code = object && refusedStates[route.operation.operationId]?.(object);
      return code === undefined ? undefined : exampleOf(route, code);
    },
  };
}

/** The path parameters whose objects the platform looks up with the permission. */
function permissionNames({ path, operation }: Route): string[] {
  if (!operation.security?.length) return [];
  const names = parameterNames(path);
  const first = Object.keys(addressable).find((name) => addressable[name]?.select && names.includes(name));
  const part = addressable[first ?? '']?.part;
  return names.filter((name) => name === first || name === part);
}

/** Decision 10 of spec/guides/limits-and-decisions.md. */
function assertSameIds(path: Record<string, string>, body: unknown): void {
  const { userId } = (body ?? {}) as Value;
  if (typeof userId === 'string' && path['userId'] !== undefined && userId.toLowerCase() !== path['userId'])
    throw new Refused(refuse(400, 'user_id_mismatch', { pointer: '/userId' }));
}

/** The documented 404 for an object that no example has. */
function missing(route: Route, parameter: string): Selected {
  const { path, operation } = route;
  const known = addressable[parameter]?.missing;
  const named = known && exampleOf(route, known);
  if (named) return named;
  // In another version of the contract. The errors of an operation are in the order of its path.
  const examples = Object.keys(operation.responses['404']?.content?.['application/json']?.examples ?? {});
  const example = examples[Math.min(parameterNames(path).indexOf(parameter), examples.length - 1)];
  return example === undefined ? {} : { code: '404', example };
}

/** The example of an error code. */
function exampleOf({ operation }: Route, errorCode: string): Selected | undefined {
  for (const [code, { content = {} }] of Object.entries(operation.responses))
    for (const [example, { value }] of Object.entries(content['application/json']?.examples ?? {}))
      if (Number(code) >= 400 && JSON.stringify(value).includes(`"code":"${errorCode}"`))
        return { code, example };
  return undefined;
}
