import type { RequestListener } from 'node:http';
import { failure, handlers, isKnown, routes } from '../memory.ts';

/** Bare node:http: one regular expression for each route, no validation. */
export function start(): RequestListener {
  const table = routes.map(({ id, method, template }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    handler: handlers[id],
  }));
  return (request, response) => {
    const send = (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      response.writeHead(status, headers).end(text);
    };
    const path = request.url?.split('?', 1)[0] ?? '';
    const route = table.find(({ method, pattern }) => method === request.method && pattern.test(path));
    if (!route?.handler) return send(404, failure('path_not_found', 'There is no such path.'));
    const { handler } = route;
    if (!isKnown(request.headers.authorization))
      return send(401, failure('credentials_invalid', 'The credentials are unknown.'));
    const respond = (requestBody?: object) => {
      const { status, body } = handler(requestBody);
      send(status, body);
    };
    if (request.method === 'GET') return respond();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => respond(JSON.parse(Buffer.concat(chunks).toString())));
  };
}
