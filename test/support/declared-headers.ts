import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadedContract } from '../../server/src/contract/index.ts';
import { routesOf } from '../../server/src/contract/routes.ts';

/** Headers that no operation declares, with the reason. */
const exempt: Record<string, string> = {
  connection: 'of the connection, not of the response (RFC 9110, 7.6.1)',
  'keep-alive': 'of the connection',
  'transfer-encoding': 'of the connection',
  date: 'from Node, for every response of any server',
  'content-type': 'OpenAPI declares it by the media type of the body',
  'content-length': 'framing: it follows from the body',
  'access-control-allow-origin': 'for browsers, which hide it from scripts; gateways add their own',
  'access-control-expose-headers': 'for browsers',
};

interface Declaration {
  all: ReadonlySet<string>;
  required: readonly string[];
}
interface Observed {
  contract: LoadedContract['contract'];
  declarations: ReadonlyMap<string, Declaration>;
  violations: Set<string>;
}

/** The platforms of this process, by port. */
const platforms = new Map<number, Observed>();

// By Node's own channel, so that responses to raw sockets and to browsers are seen too.
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const platform = platforms.get(request.socket.localPort ?? -1);
  if (platform) observe(platform, request, response);
});

/**
 * Compares the headers of every response of an operation with the contract: an undeclared header and a missing
 * required one are violations.
 *
 * @returns the violations seen since, one line each
 */
export function observeHeaders(
  ports: readonly number[],
  { document, contract }: LoadedContract,
): Set<string> {
  const declarations = new Map<string, Declaration>();
  for (const { operation } of routesOf(document))
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const names = Object.keys(headers);
      declarations.set(`${operation.operationId} ${status}`, {
        all: new Set(names.map((name) => name.toLowerCase())),
        required: names.filter((name) => headers[name]?.required).map((name) => name.toLowerCase()),
      });
    }
  const violations = new Set<string>();
  for (const port of ports) platforms.set(port, { contract, declarations, violations });
  return violations;
}

function observe(
  { contract, declarations, violations }: Observed,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const [path = ''] = (request.url ?? '').split('?');
  const operation = contract.match(request.method ?? '', path)?.operation;
  if (!operation) return;
  const place = `${operation.id} ${response.statusCode}`;
  const declared = declarations.get(place);
  if (!declared) {
    violations.add(`${place}: the status is not declared`);
    return;
  }
  const sent = headersSent(response);
  for (const name of sent)
    if (!declared.all.has(name) && !Object.hasOwn(exempt, name))
      violations.add(`${place}: ${name} is sent, but not declared`);
  for (const name of declared.required)
    if (!sent.has(name)) violations.add(`${place}: ${name} is declared as required, but not sent`);
}

/** `getHeaders` does not know those that were given to `writeHead`. */
function headersSent(response: ServerResponse): Set<string> {
  const { _header: head } = response as unknown as { _header: string };
  const lines = head.split('\r\n').slice(1).filter(Boolean);
  return new Set(lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()));
}
