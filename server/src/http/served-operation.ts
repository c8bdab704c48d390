import { operations as described } from '../../../generated/operations.ts';
import type { Contract, Operation, OperationId } from '../../contract/index.ts';
import { type Addressing, addressingOf } from './addressing.ts';
import type { HandlerResult } from './idempotency.ts';
import type { RateLimit } from './rate-limits.ts';

/** A handler of any operation. */
export type AnyHandler = (request: never) => HandlerResult | Promise<HandlerResult>;

/** What the dispatcher needs of an operation, computed at start. */
export interface ServedOperation {
  contract: Operation;
  handler: AnyHandler;
  /** Undefined for a public operation. */
  addressing: Addressing | undefined;
  /** Its handler runs in a transaction. */
  changes: boolean;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  takesForm: boolean;
  limits: readonly RateLimit[];
  /** The status if the store is unavailable. */
  storeFailure: 502 | 503;
}

export interface Budgets {
  /** Requests per minute and credential. */
  requests: number;
  /** Uploads per minute and credential. */
  uploads: number;
  /** Requests per minute and address for the token endpoints, and as many for webhook keys. */
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
      errors.push(`no handler for ${operation.id}`);
      continue;
    }
    const { caller, permission, resource } = described[operation.id];
    const addressing = caller
      ? addressingOf(operation.pathParameters, operation.bodyFields, permission, operation.method === 'get')
      : undefined;
    if (caller && !addressing) errors.push(`no addressable object for the permission of ${operation.id}`);
    const takesForm = operation.bodyTypes.includes('multipart/form-data');
    served.set(operation, {
      contract: operation,
      handler,
      addressing,
      changes: operation.method !== 'get',
      takesIdempotencyKey: operation.headerParameters.includes('idempotency-key'),
      takesIfMatch: operation.headerParameters.includes('if-match'),
      takesForm,
      limits: limitsOf({ caller, takesForm, resource }, budgets),
      storeFailure: operation.statuses.includes(502) ? 502 : 503,
    });
  }
  for (const id of Object.keys(handlers)) {
    if (!contract.operations.has(id as OperationId))
      errors.push(`a handler for ${id}, which is not an operation of the contract`);
  }
  if (errors.length > 0) throw new Error(`The server does not match its contract: ${errors.join('; ')}.`);
  return served;
}

function limitsOf(
  operation: { caller: boolean; takesForm: boolean; resource: string },
  budgets: Budgets,
): readonly RateLimit[] {
  const requests: RateLimit = { policy: 'requests', limit: budgets.requests };
  if (operation.resource === 'auth') return [{ policy: 'sign-ins', limit: budgets.signIns }];
  // A separate budget, so that verifying webhooks does not use up sign-ins.
  if (operation.resource === 'webhooks' && !operation.caller)
    return [{ policy: 'keys', limit: budgets.signIns }];
  if (!operation.caller) return [];
  return operation.takesForm ? [requests, { policy: 'uploads', limit: budgets.uploads }] : [requests];
}
