import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/index.ts';
import { type Contract, splitTarget } from '../contract/index.ts';
import {
  crossOrigin,
  isLocalOrigin,
  type SecurityHeaders,
  securityHeaders,
  sendRefusal,
  setDefaultHeaders,
} from '../http-server/index.ts';
import type { InputSchemas } from '../json-schema/index.ts';
import { transact } from '../postgres-client/index.ts';
import type { Config, EnvironmentName } from './config.ts';
import { bearerTokens } from './domain/bearer-tokens.ts';
import { callbackTokens } from './domain/callback-tokens.ts';
import { languageOf } from './domain/languages.ts';
import type { LinkAddresses } from './domain/link-tokens.ts';
import { handlers } from './handlers/index.ts';
import { linkResponseStorage } from './handlers/links.ts';
import { dispatch } from './http/dispatch.ts';
import { type EntranceHandlers, type EntranceName, serveEntrances } from './http/entrances.ts';
import { respondToFailures } from './http/failure.ts';
import { requestFollower, requestIdOf } from './http/followed-request.ts';
import { requestLog } from './http/log.ts';
import { otherEnvironment } from './http/other-environment.ts';
import { addressBudget, type CountRequest, rateLimits, refusedAttempts } from './http/rate-limits.ts';
import type { Platform } from './http/request-context.ts';
import { servedOperations } from './http/served-operation.ts';
import { signedUrls, urlSigner } from './http/signed-urls.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { McpShared } from './mcp/endpoint.ts';
import type { Metrics } from './observability/metrics.ts';
import { callbackEndpoint } from './pages/callbacks.ts';
import { creationProblems } from './pages/links/form/prefill.ts';
import { linkPages } from './pages/links/index.ts';
import { deriveKey, type ServerKey } from './security/server-key.ts';
import { decideAccess } from './store/access.ts';
import { findAttachmentFile } from './store/attachments.ts';
import type { Database } from './store/database.ts';
import { hasResponse } from './store/idempotency-keys.ts';
import { leaseRequests } from './store/rate-leases.ts';
import { findResultFile } from './store/results.ts';
import { storageLeft } from './store/storage.ts';
import type { StartSpan } from './tracing/trace.ts';
import type { EventPolling } from './webhooks/event-polling.ts';
import { callbacks } from './workflows/callbacks.ts';
import { retentionMilliseconds } from './workflows/ending.ts';
import { checksWithin, executionStarter } from './workflows/start.ts';

/** A page of the portal is several requests. */
const addressBudgetFactor = 10;

/** What the application needs of an environment that is open. */
interface Environment {
  name: EnvironmentName;
  /** Its tables, for requests, which are refused rather than kept waiting for a connection. */
  requestDatabase: Database;
  blobs: BlobStore;
  jobs: Jobs;
  linkAddresses: LinkAddresses;
  schemas: InputSchemas;
  eventPolling: EventPolling | undefined;
}

/**
 * Creates the application of one environment.
 *
 * @param pages what is read without credentials
 */
export function environmentApp({
  environment: { name, requestDatabase: database, blobs, jobs, linkAddresses, schemas, eventPolling },
  other,
  contract,
  baseUrl,
  config,
  serverKey,
  logger,
  metrics,
  startSpan,
  pages,
  agents,
  now,
}: {
  environment: Environment;
  /** The other environment of this process. */
  other?: Pick<Environment, 'name' | 'requestDatabase'> | undefined;
  contract: Contract;
  /** The public URL of the environment, used in links. */
  baseUrl: string;
  config: Config;
  serverKey: ServerKey;
  logger: Logger;
  metrics: Metrics | undefined;
  startSpan?: StartSpan | undefined;
  pages: Pick<EntranceHandlers, 'documents' | 'health' | 'portal'>;
  /** Creates the handler of `/mcp`. */
  agents(shared: McpShared): RequestHandler;
  now(): Date;
}): Express {
  const tokensOf = (environment: EnvironmentName) =>
    bearerTokens(deriveKey(serverKey, environment, 'bearer-tokens'));
  const tokens = tokensOf(name);
  const elsewhere = other && otherEnvironment(name, { ...other, tokens: tokensOf(other.name) }, now);
  const signingKeys = deriveKey(serverKey, name, 'signed-links');
  const bodyIdleMs = config.bodyIdleSeconds * 1000;
  const startExecution = executionStarter({ jobs, schemas, now });
  const findFile = {
    attachment: (id: string) => findAttachmentFile(database, id),
    result: (id: string) => findResultFile(database, id, new Date(now().getTime() - retentionMilliseconds)),
  };
  const callbackService = callbacks({
    database,
    jobs,
    tokens: callbackTokens(deriveKey(serverKey, name, 'callbacks')),
    now,
  });
  const countRefused = refusedAttempts(config.refusedAttempts, () => now().getTime());
  const addressLimit = config.budgets.requests * addressBudgetFactor;
  const countRequest = addressBudget(
    {
      policy: 'address',
      limit: addressLimit,
      message: `The budget of ${addressLimit} requests a minute is used up.`,
    },
    () => now().getTime(),
  );
  const { storageQuota } = config;
  const served = handlers({
    tokens,
    otherEnvironment: elsewhere,
    jobs,
    linkAddresses,
    linkProblems: (transaction, { definition, parameters }) =>
      creationProblems(
        checksWithin(schemas, transaction),
        { definition, parameters },
        languageOf(definition.defaultLocale) ?? 'en',
      ),
    signer: urlSigner({ baseUrl, keys: signingKeys, attachmentMinutes: config.attachmentLinkMinutes }),
    startExecution,
    storageQuota,
    eventPolling,
    now,
  });
  const pagesOfLinks = linkPages({
    database,
    blobs,
    startExecution,
    schemas,
    baseUrl,
    logger: logger.child({ environment: name }),
    now,
    keys: deriveKey(serverKey, name, 'links'),
    linkBaseUrl: linkAddresses.baseUrl,
    sandbox: name === 'sandbox',
    bodyIdleMs,
    countRequest,
    countRefused,
  });
  const limit = { policy: 'requests', limit: config.budgets.requests } as const;
  const limits = rateLimits(
    (lease) => leaseRequests(database, lease),
    () => now().getTime(),
  );
  const allowsOrigin = (origin: string) =>
    config.corsOrigins.includes(origin) || (config.anyLocalOrigin && isLocalOrigin(origin));
  const { origin: ownOrigin } = new URL(baseUrl);
  return createApp({
    platform: {
      contract,
      served: servedOperations(contract, served, config.budgets),
      database,
      transact: (change, signal) => transact(database, change, signal),
      access: decideAccess,
      tokens,
      otherEnvironment: elsewhere,
      responseStorage: {
        createLink: linkResponseStorage(linkAddresses),
        sendLink: linkResponseStorage(linkAddresses),
      },
      limits,
      countRefused,
      blobs,
      uploadLimit: config.uploadLimit,
      storageLeft:
        storageQuota === undefined
          ? undefined
          : async ({ organizationId, userId }, key) =>
              // The file of a repeated request is stored already.
              key !== undefined && (await hasResponse(database, { userId, key }))
                ? Number.POSITIVE_INFINITY
                : storageLeft(database, organizationId, storageQuota),
      bodyIdleMs,
      log: requestLog(logger.child({ environment: name }), (request) => metrics?.observe(name, request)),
      now,
    },
    allowsOrigin,
    headers: securityHeaders(baseUrl),
    trustedProxies: config.trustedProxies,
    environment: name,
    startSpan,
    entrances: {
      ...pages,
      files: signedUrls({ findFile, blobs, keys: signingKeys, now }),
      callbacks: callbackEndpoint(callbackService, { bodyIdleMs, countRefused, limits, limit }),
      links: pagesOfLinks.links,
      progress: pagesOfLinks.progress,
      agents: agents({
        allowsOrigin: (origin) => origin === ownOrigin || allowsOrigin(origin),
        limits,
        limit,
        bodyIdleMs,
      }),
    },
    otherPath: pagesOfLinks.atPublicPath,
    countRequest,
  });
}

interface AppOptions {
  platform: Platform;
  /** Whether browsers may call from an origin. */
  allowsOrigin(origin: string): boolean;
  /** Headers of every response. */
  headers: SecurityHeaders;
  /** Proxies whose X-Forwarded-For is trusted: addresses, CIDR ranges or Express's range names. Default: none. */
  trustedProxies?: string[];
  environment: EnvironmentName;
  startSpan?: StartSpan | undefined;
  /** What is served beside the operations. */
  entrances: EntranceHandlers;
  /** The entrance of a path outside of the table: that of a link at `LINK_BASE_URL`. */
  otherPath(path: string): EntranceName | undefined;
  /** Counts a request for what is read without credentials. */
  countRequest: CountRequest;
}

/** Creates the Express application from its parts, without side effects. */
export function createApp({
  platform,
  allowsOrigin,
  headers,
  trustedProxies = [],
  environment,
  startSpan,
  entrances: handlers,
  otherPath,
  countRequest,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies);
  setDefaultHeaders(app, headers);
  const crossing = crossOrigin(allowsOrigin, platform.contract.responseHeaders);
  const { log } = platform;
  const fail = respondToFailures(log);
  const unknown: RequestHandler = (request, response) => {
    const requestId = requestIdOf(request);
    const [path] = splitTarget(request.url);
    sendRefusal(request, response, platform.contract.refuseUnknown(path), {}, requestId);
    const refused = { requestId, status: 404, code: 'path_not_found', milliseconds: 0 };
    log.completed({ ...refused, logLevel: 'debug' });
  };
  const { refuseUnknown } = platform.contract;
  const entrances = serveEntrances({
    handlers,
    otherPath,
    countRequest,
    log,
    fail,
    unknown,
    refuseUnknown,
  });
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const isTrusted = (address: string) => trusts(address, 0);
  const follow = requestFollower({ environment, startSpan, isTrusted });
  handleInTurn(app, follow, [crossing, dispatch(platform), entrances], (request, response, error) => {
    const requestId = requestIdOf(request);
    const code = fail(request, response, error);
    const refused = { requestId, status: response.statusCode, milliseconds: 0 };
    log.completed({ ...refused, ...(code !== undefined && { code }), logLevel: 'debug' });
  });
  return app;
}

/** Calls handlers in turn, without Express's router, whose layers take as long as the checks of a small request. */
function handleInTurn(
  app: Express,
  follow: (request: Request, serve: () => void) => void,
  handlers: readonly RequestHandler[],
  fail: (request: Request, response: Response, error: unknown) => void,
): void {
  const handle: RequestHandler = (request, response) => {
    // As Express does; without effect if they were created with these prototypes.
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    request.res = response;
    const failed = (error: unknown) => fail(request, response, error);
    let turn = 0;
    const next = (error?: unknown) => {
      try {
        if (error !== undefined) throw error;
        const handled = handlers[turn++]?.(request, response, next);
        if (handled instanceof Promise) handled.catch(failed);
      } catch (thrown) {
        failed(thrown);
      }
    };
    follow(request, next);
  };
  Object.assign(app, { handle });
}
