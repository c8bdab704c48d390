import type { RequestListener } from 'node:http';
import { openContract } from '../../../../../server/contract/index.ts';
import { securityHeaders } from '../../../../../server/http-server/index.ts';
import { createApp } from '../../../../../server/src/app.ts';
import { bearerTokens } from '../../../../../server/src/domain/bearer-tokens.ts';
import type { Caller } from '../../../../../server/src/domain/caller.ts';
import { rateLimits } from '../../../../../server/src/http/rate-limits.ts';
import { type AnyHandler, servedOperations } from '../../../../../server/src/http/served-operation.ts';
import { deriveKey, serverKeyOf } from '../../../../../server/src/security/server-key.ts';
import type { Access, Credential } from '../../../../../server/src/store/access.ts';
import { callerBySecret, contract as document, handlers } from '../memory.ts';

/** The platform's request handling without the store: access, rate limits and handlers work in memory, without a log. */
export async function start(): Promise<RequestListener> {
  const contract = await openContract(document);
  const measured = Object.entries(handlers).map(
    ([id, handler]) => [id, ({ body }: { body: object }) => handler(body)] as const,
  );
  const others = [...contract.operations.keys()].map((id) => [id, noWorkload] as const);
  const served = Object.fromEntries([...others, ...measured]) as unknown as Record<string, AnyHandler>;
  const unlimited = 1_000_000_000;
  const budgets = { requests: unlimited, uploads: unlimited, signIns: unlimited };
  const caller: Caller = {
    userId: 'bench',
    organizationId: 'bench',
    homeWorkspaceId: 'bench',
    organizationRole: 'owner',
    credentialId: 'bench',
    scheme: 'organizationToken',
  };
  const access = async (_database: unknown, credential: Credential): Promise<Access> => {
    const sha256 = credential.scheme === 'organizationToken' ? credential.sha256.toString('hex') : '';
    return callerBySecret.has(sha256) ? { kind: 'granted', caller } : { kind: 'unknown_caller' };
  };
  return createApp({
    platform: {
      contract,
      served: servedOperations(contract, served, budgets),
      database: {} as never,
      transact: (change) => change({} as never),
      access,
      tokens: bearerTokens(deriveKey(serverKeyOf(Buffer.alloc(32)), 'production', 'bearer-tokens')),
      limits: rateLimits(async ({ wanted }) => wanted, Date.now),
      countRefused: () => undefined,
      responseStorage: {},
      blobs: {} as never,
      uploadLimit: 0,
      storageLeft: undefined,
      bodyIdleMs: 30_000,
      log: { completed: () => undefined, internalError: (_request, error) => console.error(error) },
      now: () => new Date(),
    },
    environment: 'production',
    allowsOrigin: () => false,
    headers: securityHeaders(),
    entrances: {} as never,
    otherPath: () => undefined,
    countRequest: () => undefined,
  });
}

/** The handler of every operation that no workload calls. */
function noWorkload(): never {
  throw new Error('No workload of the benchmark calls this operation.');
}
