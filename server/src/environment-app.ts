import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { EnvironmentDependencies } from './dependencies.ts';
import { bearerTokens } from './domain/bearer-tokens.ts';
import { handlers, unserved } from './handlers/index.ts';
import type { Contract } from './http/contract/index.ts';
import { isLocalOrigin } from './http/cross-origin.ts';
import { requestLog } from './http/log.ts';
import { rateLimits } from './http/rate-limits.ts';
import { servedOperations } from './http/served-operation.ts';
import { signAttachmentLink, signedLinks } from './http/signed-links.ts';
import type { Metrics } from './metrics.ts';
import { deriveKey } from './server-key.ts';
import { decideAccess } from './store/access.ts';
import { findAttachmentFile } from './store/attachments.ts';
import { leaseRequests } from './store/rate-leases.ts';

/**
 * The application of one environment, out of its dependencies.
 *
 * @param pages what is served beside the contract's paths, such as documentation and health
 */
export function environmentApp({
  environment: { name, database, blobs, jobs },
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
  const linkTo = (attachmentId: string, at: Date) =>
    signAttachmentLink({
      baseUrl,
      attachmentId,
      expiresAt: new Date(at.getTime() + config.attachmentLinkMinutes * 60_000),
      key: linkKey,
    });
  const findFile = (attachmentId: string) => findAttachmentFile(database, attachmentId);
  return createApp({
    platform: {
      contract,
      served: servedOperations(contract, handlers({ tokens, jobs, linkTo, now }), unserved, config.budgets),
      database,
      transact: (change) => database.transaction().execute(change),
      access: decideAccess,
      tokens,
      limits: rateLimits(
        (lease) => leaseRequests(database, lease),
        () => now().getTime(),
      ),
      blobs,
      uploadLimit: config.uploadLimit,
      bodyIdleMs: config.bodyIdleSeconds * 1000,
      log: requestLog(logger.child({ environment: name }), (request) => metrics?.observe(name, request)),
      now,
    },
    allowsOrigin: (origin) =>
      config.corsOrigins.includes(origin) || (config.anyLocalOrigin && isLocalOrigin(origin)),
    beside: [signedLinks({ findFile, blobs, key: linkKey, now }), ...pages],
  });
}
