import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { failure, handlers, isKnown, routes } from '../memory.ts';

/** Unmodified Express 5, no validation. */
export function start(): RequestListener {
  return expressApp([express.json(), checkToken]);
}

/** An application with every route of the contract after these handlers. */
export function expressApp(before: RequestHandler[]) {
  const app = express();
  for (const { id, method, template } of routes) {
    const handler = handlers[id] ?? (() => ({ status: 501, body: {} }));
    app[method](template.replace(/\{([^}]+)\}/g, ':$1'), ...before, (request, response) => {
      const { status, body } = handler(request.body);
      response.status(status).json(body);
    });
  }
  return app.use((_request, response) => {
    response.status(404).json(failure('path_not_found', 'There is no such path.'));
  });
}

const checkToken: RequestHandler = (request, response, next) => {
  if (isKnown(request.headers.authorization)) return next();
  response.status(401).json(failure('credentials_invalid', 'The credentials are unknown.'));
};
