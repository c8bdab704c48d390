import { operations as described } from '../../../generated/operations.ts';
import type { Contract, ErrorCode, Operation, OperationId, Permission } from '../../contract/index.ts';
import { scopeOf } from '../domain/grants.ts';
import type { TargetObject } from '../store/access.ts';
import { type AddressableObject, addressableObjects, type ObjectName } from '../store/addressable-objects.ts';
import type { HandlerResult } from './operation.ts';
import type { RateLimit } from './rate-limits.ts';

/** A handler of any operation. */
export type AnyHandler = (request: never) => HandlerResult | Promise<HandlerResult>;

/** What the dispatcher needs of an operation, computed at start. */
export interface ServedOperation {
  contract: Operation;
  handler: AnyHandler;
  /** Undefined for a public operation. */
  lookup: ResourceLookup | undefined;
  /** Its handler runs in a transaction. */
  changes: boolean;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  takesForm: boolean;
  limits: readonly RateLimit[];
  /**
   * The budgets of a refused request, if they are separate: then a request counts once its result is known. Whoever makes
   * a webhook receiver ask for unknown keys cannot use up its budget for those that exist.
   */
  limitsIfRefused: readonly RateLimit[] | undefined;
  /** The status if the store is unavailable. */
  storeFailure: 502 | 503;
}

/** Where an operation names the object that its permission is checked on. */
export interface ResourceLookup {
  /** `body`: the object is named in the body, so permission is checked after validation. */
  where: 'path' | 'body';
  object(values: Record<string, unknown>): TargetObject;
  /** The 404 if the caller's organization has no such object. */
  missing: ErrorCode;
  /** The 404 if the object exists and the part of it that the request names does not. */
  partMissing: ErrorCode;
  /** Where the body names the object. */
  pointer?: { pointer: string };
}

export interface Budgets {
  /** Requests per minute and credential. */
  requests: number;
  /** Uploads per minute and credential. */
  uploads: number;
  /** Requests per minute and address for the token endpoints, and as many for webhook keys and for unknown ones. */
  signIns: number;
}

/**
 * Combines the operations of the contract with their handlers.
 *
 * @throws an error that names every operation without a handler and every permission without an object
 */
export function servedOperations(
  contract: Contract,
  handlers: Partial<Record<OperationId, AnyHandler>>,
  budgets: Budgets,
): ReadonlyMap<Operation, ServedOperation> {
  const served = new Map<Operation, ServedOperation>();
  const errors: string[] = [];
  for (const operation of contract.operations.values()) {
    const handler = handlers[operation.id];
    if (!handler) {
      errors.push(`no handler for ${operation.id}: write it in server/src/handlers/`);
      continue;
    }
    const { caller, permission, resource } = described[operation.id];
    const lookup = caller ? resourceLookupOf(operation, permission) : undefined;
    if (caller && !lookup) errors.push(`no addressable object for the permission of ${operation.id}`);
    const takesForm = operation.bodyTypes.includes('multipart/form-data');
    served.set(operation, {
      contract: operation,
      handler,
      lookup,
      changes: operation.method !== 'get',
      takesIdempotencyKey: operation.headerParameters.includes('idempotency-key'),
      takesIfMatch: operation.headerParameters.includes('if-match'),
      takesForm,
      ...limitsOf({ caller, takesForm, resource }, budgets),
      storeFailure: operation.statuses.includes(502) ? 502 : 503,
    });
  }
  for (const id of Object.keys(handlers)) {
    if (!contract.operations.has(id as OperationId))
      errors.push(`a handler for ${id}, which is not an operation of generated/: run npm run generate`);
  }
  if (errors.length > 0) throw new Error(`The server does not match its contract: ${errors.join('; ')}.`);
  return served;
}

function limitsOf(
  operation: { caller: boolean; takesForm: boolean; resource: string },
  budgets: Budgets,
): Pick<ServedOperation, 'limits' | 'limitsIfRefused'> {
  const requests: RateLimit = { policy: 'requests', limit: budgets.requests };
  const only = (...limits: RateLimit[]) => ({ limits, limitsIfRefused: undefined });
  const limit = budgets.signIns;
  if (operation.resource === 'auth') return only({ policy: 'sign-ins', limit });
  // A separate budget, so that verifying webhooks does not use up sign-ins.
  if (operation.resource === 'webhooks' && !operation.caller)
    return { limits: [{ policy: 'keys', limit }], limitsIfRefused: [{ policy: 'unknown-keys', limit }] };
  if (!operation.caller) return only();
  return operation.takesForm ? only(requests, { policy: 'uploads', limit: budgets.uploads }) : only(requests);
}

/** @returns undefined if the operation targets no known object */
function resourceLookupOf(
  { pathParameters, bodyFields, method }: Operation,
  permission: Permission | null,
): ResourceLookup | undefined {
  const inPath = firstOf(pathParameters);
  if (inPath) return { where: 'path', ...named(inPath, method === 'get') };
  if (pathParameters.length > 0) return undefined;
  const inBody = permission && scopeOf(permission) !== 'organization' && firstOf(bodyFields);
  if (inBody) return { where: 'body', pointer: { pointer: `/${inBody}` }, ...named(inBody, false) };
  const name = unnamed(permission);
  return {
    where: 'path',
    object: () => ({ name }),
    missing: 'path_not_found',
    partMissing: 'path_not_found',
  };
}

const objects: Record<string, AddressableObject> = addressableObjects;

function firstOf(names: readonly string[]): ObjectName | undefined {
  const all = Object.keys(objects) as ObjectName[];
  return all.find((name) => objects[name]?.select && names.includes(name));
}

function named(name: ObjectName, reads: boolean): Omit<ResourceLookup, 'where'> {
  const { missing, part, row }: AddressableObject = addressableObjects[name];
  const withRow = reads && row !== undefined;
  const partOf = (values: Record<string, unknown>) => (part ? ((values[part] as string) ?? null) : undefined);
  return {
    object: (values) => ({ name, id: String(values[name]), part: partOf(values), withRow }),
    missing,
    partMissing: objects[part ?? name]?.missing ?? missing,
  };
}

/** If the request names no object, permission is checked on what every caller has. */
function unnamed(permission: Permission | null): 'none' | 'organization' | 'home_workspace' {
  if (permission === null) return 'none';
  return scopeOf(permission) === 'organization' ? 'organization' : 'home_workspace';
}
