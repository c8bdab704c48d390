import express, { type Express, type RequestHandler } from 'express';
import { completeHeads } from './http/answer-heads.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { dispatch } from './http/dispatch.ts';
import type { Platform } from './http/exchange.ts';
import { anyFailure, unknownPath } from './http/last-resort.ts';
import { leaveBodyUnread } from './http/request-body.ts';

export interface AppOptions {
  platform: Platform;
  /** Which browser origins may call. */
  allowsOrigin(origin: string): boolean;
  /** Whose X-Forwarded-For is believed: addresses, CIDR ranges or Express's names for ranges; nobody's unless told. */
  trustedProxies?: string[];
  /** Served beside the contract's paths: documentation, health, signed links. */
  beside: RequestHandler[];
}

/** One environment of the platform as an Express application; without side effects. */
export function createApp({ platform, allowsOrigin, trustedProxies = [], beside }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies);
  completeHeads(app);
  app.use(crossOrigin(allowsOrigin, platform.contract.answerHeaders));
  app.use(dispatch(platform));
  app.use(leaveBodyUnread);
  for (const handler of beside) app.use(handler);
  app.use(unknownPath);
  app.use(anyFailure(platform.log));
  return app;
}
