import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { failure, handlers, isKnown, routes } from '../memory.ts';

/** Unmodified Express 5, no validation, with every route of the contract. */
export function start(): RequestListener {
  const app = express();
  for (const { id, method, template } of routes) {
    const handler = handlers[id] ?? (() => ({ status: 501, body: {} }));
    const path = template.replace(/\{([^}]+)\}/g, ':$1');
    app[method](path, express.json(), checkToken, (request, response) => {
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
