import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { contract, failure, isKnown } from '../memory.ts';
import { expressApp } from './express.ts';

/** Express 5 with an unmodified express-openapi-validator: security, requests, responses. */
export function start(): RequestListener {
  const accept = (request: { headers: { authorization?: string } }) => isKnown(request.headers.authorization);
  const validator = middleware({
    apiSpec: { ...structuredClone(contract), servers: [{ url: '/' }] } as never,
    validateResponses: true,
    validateSecurity: { handlers: { organizationToken: accept as never, accessToken: () => false } },
    ajvFormats: { mode: 'full' },
  });
  const app = express();
  app.set('query parser', 'simple');
  const report: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json(failure('body_invalid', error.message));
  };
  return app.use(express.json(), validator as never, expressApp([]), report);
}
