import express, { type Express, type RequestHandler } from 'express';
import { completeHeads } from './http/answer-heads.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { dispatch } from './http/dispatch.ts';
import type { Platform } from './http/exchange.ts';
import { anyFailure, unknownPath } from './http/last-resort.ts';
import { leaveBodyUnread } from './http/request-body.ts';
import type { SecurityHeaders } from './http/security-headers.ts';

export interface AppOptions {
  platform: Platform;
  /** Which browser origins may call. */
  allowsOrigin(origin: string): boolean;
  /** On every response. */
  headers: SecurityHeaders;
  /** Whose X-Forwarded-For is believed: addresses, CIDR ranges or Express's names for ranges; nobody's unless told. */
  trustedProxies?: string[];
  /** Served beside the contract's paths: documentation, health, signed links. */
  beside: RequestHandler[];
}

/** One environment of the platform as an Express application; without side effects. */
export function createApp({
  platform,
  allowsOrigin,
  headers,
  trustedProxies = [],
  beside,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies);
  completeHeads(app, headers);
  app.use(crossOrigin(allowsOrigin, platform.contract.answerHeaders));
  app.use(dispatch(platform));
  app.use(leaveBodyUnread);
  for (const handler of beside) app.use(handler);
  app.use(unknownPath);
  app.use(anyFailure(platform.log));
  return app;
}
