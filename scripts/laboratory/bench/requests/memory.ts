import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ContractDocument } from '../../../../server/contract/index.ts';
import {
  isOrganizationToken,
  newOrganizationToken,
  secretDigest,
} from '../../../../server/src/domain/organization-token.ts';

/** The data of every baseline: the contract's examples, in memory, and one token. */

export const contract = JSON.parse(
  readFileSync(new URL('../../../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument & {
  paths: Record<string, Record<string, OperationObject>>;
  components: { examples: Record<string, { value: unknown }> };
};

export interface OperationObject {
  operationId: string;
  parameters?: object[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, object>;
}

export interface Route {
  id: string;
  method: 'get' | 'put' | 'post' | 'delete';
  template: string;
  operation: OperationObject;
}

/** In the order of the contract. */
export const routes: Route[] = Object.entries(contract.paths).flatMap(([template, item]) =>
  (['get', 'put', 'post', 'delete'] as const).flatMap((method) => {
    const operation = item[method];
    return operation ? [{ id: operation.operationId, method, template, operation }] : [];
  }),
);

interface User {
  id: string;
  profile: { id: string };
}
const user = example<User>('claimsAdjuster');
const parameterSet = example('claimDefaultsParameterSet');
const page = {
  content: Array.from({ length: 20 }, () => ({
    ...user,
    id: randomUUID(),
    profile: { ...user.profile, id: randomUUID() },
  })),
  totalElements: 500,
  totalPages: 25,
  size: 20,
  number: 0,
};

/** The responses of the operations that workloads call. The other routes exist, but are not called. */
export const handlers: Record<string, (body: object | undefined) => { status: number; body: unknown }> = {
  getUser: () => ({ status: 200, body: user }),
  listUsers: () => ({ status: 200, body: page }),
  updateUserProfile: (body) => ({ status: 200, body: { ...user, profile: { ...user.profile, ...body } } }),
  getParameterSet: () => ({ status: 201, body: parameterSet }),
};

/** The token of every request, which the parent process creates. */
export const token = process.env['BENCH_TOKEN'] ?? newOrganizationToken();
export const callerBySecret = new Map([[secretDigest(token).toString('hex'), { userId: 'bench' }]]);

/** The same check for every baseline: format and checksum of the token, its SHA-256, a lookup. */
export function isKnown(authorization: string | undefined): boolean {
  if (authorization === undefined || !isOrganizationToken(authorization)) return false;
  return callerBySecret.has(secretDigest(authorization).toString('hex'));
}

/** The shared error object. */
export function failure(code: string, message: string) {
  return { fingerprint: '0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11', errors: [{ code, message }] };
}

function example<Value>(name: string): Value {
  return contract.components.examples[name]?.value as Value;
}
