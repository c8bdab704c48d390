import type { RequestListener } from 'node:http';
import { failure, handlers, isKnown, routes } from '../memory.ts';

/** The least that could answer: node:http, one regular expression a route, nothing validated. */
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
    const answer = (given?: object) => {
      const { status, body } = handler(given);
      send(status, body);
    };
    if (request.method === 'GET') return answer();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString())));
  };
}
