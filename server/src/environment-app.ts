import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Contract } from './contract/index.ts';
import type { EnvironmentDependencies } from './dependencies.ts';
import { bearerTokens } from './domain/bearer-tokens.ts';
import type { LinkedKind } from './domain/signed-links.ts';
import { handlers } from './handlers/index.ts';
import { keepingLinks } from './handlers/links.ts';
import { callbackEndpoint } from './http/callbacks.ts';
import { isLocalOrigin } from './http/cross-origin.ts';
import { requestLog } from './http/log.ts';
import { rateLimits } from './http/rate-limits.ts';
import { refusedAttempts } from './http/refused-attempts.ts';
import { securityHeaders } from './http/security-headers.ts';
import { servedOperations } from './http/served-operation.ts';
import { signedLinks, signLink } from './http/signed-links.ts';
import type { Metrics } from './metrics.ts';
import { linkPages } from './pages/links/index.ts';
import { deriveKey } from './server-key.ts';
import { decideAccess } from './store/access.ts';
import { findAttachmentFile } from './store/attachments.ts';
import { leaseRequests } from './store/rate-leases.ts';
import { findResultFile } from './store/results.ts';
import { storageLeft } from './store/storage.ts';
import { callbackTokens } from './workflows/callback-tokens.ts';
import { callbacks } from './workflows/callbacks.ts';
import { retentionMilliseconds } from './workflows/results.ts';
import { executionStarter } from './workflows/start.ts';

const minute = 60_000;
/** Decision 6. */
const resultLinkMinutes = 15;

/**
 * The application of one environment, out of its dependencies.
 *
 * @param pages what is served beside the contract's paths, such as documentation and health
 */
export function environmentApp({
  environment: { name, database, blobs, jobs, linkAddresses, schemas },
  contract,
  baseUrl,
  config,
  serverKey,
  logger,
  metrics,
  pages,
  now,
}: {
  environment: EnvironmentDependencies;
  contract: Contract;
  /** How callers reach the environment; links are made with it. */
  baseUrl: string;
  config: Config;
  serverKey: Buffer;
  logger: Logger;
  metrics: Metrics | undefined;
  pages: RequestHandler[];
  now(): Date;
}): Express {
  const tokens = bearerTokens(deriveKey(serverKey, name, 'bearer-tokens'));
  const linkKey = deriveKey(serverKey, name, 'signed-links');
  const bodyIdleMs = config.bodyIdleSeconds * 1000;
  const startExecution = executionStarter({ jobs, schemas, now });
  const linkUntil = (kind: LinkedKind, id: string, expiresAt: Date) =>
    signLink({ baseUrl, kind, id, expiresAt, key: linkKey });
  const linkTo = (attachmentId: string, at: Date) =>
    linkUntil('attachment', attachmentId, new Date(at.getTime() + config.attachmentLinkMinutes * minute));
  const linkToResult = (executionId: string, at: Date) => {
    // To the second, as the address itself has it.
    const expiresAt = new Date(Math.floor(at.getTime() / 1000) * 1000 + resultLinkMinutes * minute);
    return { redirectUrl: linkUntil('result', executionId, expiresAt), expiresAt };
  };
  const findFile = {
    attachment: (id: string) => findAttachmentFile(database, id),
    result: (id: string) => findResultFile(database, id, new Date(now().getTime() - retentionMilliseconds)),
  };
  const answers = callbacks({
    ...{ database, jobs, tokens: callbackTokens(deriveKey(serverKey, name, 'callbacks')), now },
  });
  const countRefused = refusedAttempts(config.refusedAttempts, () => now().getTime());
  const { storageQuota } = config;
  const served = handlers({
    ...{ tokens, jobs, linkAddresses, linkTo, linkToResult, startExecution, storageQuota, now },
  });
  const people = linkPages({
    ...{
      database,
      blobs,
      startExecution,
      schemas,
      baseUrl,
      logger: logger.child({ environment: name }),
      now,
    },
    key: deriveKey(serverKey, name, 'links'),
    linkBaseUrl: linkAddresses.baseUrl,
    sandbox: name === 'sandbox',
    bodyIdleMs,
    countRefused,
  });
  return createApp({
    platform: {
      contract,
      served: servedOperations(contract, served, config.budgets),
      database,
      transact: (change) => database.transaction().execute(change),
      access: decideAccess,
      tokens,
      keeping: { createLink: keepingLinks(linkAddresses), sendLink: keepingLinks(linkAddresses) },
      limits: rateLimits(
        (lease) => leaseRequests(database, lease),
        () => now().getTime(),
      ),
      countRefused,
      blobs,
      uploadLimit: config.uploadLimit,
      storageLeft:
        storageQuota === undefined
          ? undefined
          : (organizationId) => storageLeft(database, organizationId, storageQuota),
      bodyIdleMs,
      log: requestLog(logger.child({ environment: name }), (request) => metrics?.observe(name, request)),
      now,
    },
    allowsOrigin: (origin) =>
      config.corsOrigins.includes(origin) || (config.anyLocalOrigin && isLocalOrigin(origin)),
    headers: securityHeaders(baseUrl),
    trustedProxies: config.trustedProxies,
    beside: [
      signedLinks({ findFile, blobs, key: linkKey, now }),
      callbackEndpoint(answers, { bodyIdleMs, countRefused }),
      people,
      ...pages,
    ],
  });
}
