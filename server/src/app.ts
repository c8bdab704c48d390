import express, { type Express, type RequestHandler } from 'express';
import { crossOrigin } from './http/cross-origin.ts';
import { dispatch, type Platform } from './http/dispatch.ts';
import { anyFailure, unknownPath } from './http/last-resort.ts';
import { leaveBodyUnread } from './http/request-body.ts';

export interface AppOptions {
  platform: Platform;
  /** Which browser origins may call. */
  allowsOrigin(origin: string): boolean;
  /** Served beside the contract's paths: documentation, health, signed links. */
  beside: RequestHandler[];
}

/** One environment of the platform as an Express application; without side effects. */
export function createApp({ platform, allowsOrigin, beside }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(crossOrigin(allowsOrigin));
  app.use(dispatch(platform));
  app.use(leaveBodyUnread);
  for (const handler of beside) app.use(handler);
  app.use(unknownPath);
  app.use(anyFailure(platform.log));
  return app;
}
