import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { errorCodesOf, type LoadedContract, routesOf } from '../../server/contract/index.ts';
import { atEnd } from './temporary.ts';

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

/** The code of malformed HTTP, which no operation declares: it is refused before an operation is found. */
export const malformedHttp = 'request_malformed';

/** What the contract declares of a response. */
interface Declaration {
  headers: ReadonlySet<string>;
  requiredHeaders: readonly string[];
  errorCodes: readonly string[];
}
interface Observed {
  contract: LoadedContract['contract'];
  /** By operation and status. */
  declarations: ReadonlyMap<string, Declaration>;
  violations: Set<string>;
}
interface Message {
  request: IncomingMessage;
  response: ServerResponse;
}

/** The platforms of this process, by port. */
const platforms = new Map<number, Observed>();
const platformOf = ({ socket }: IncomingMessage) => platforms.get(socket.localPort ?? -1);
/** The bodies of errors, which are sent in one piece. */
const errorTexts = new WeakMap<ServerResponse, unknown>();

// Node's own channels also see responses to raw sockets and to browsers.
subscribe('http.server.response.created', (message) => {
  const { request, response } = message as Message;
  if (!platformOf(request)) return;
  const { end } = response;
  response.end = (...args: unknown[]) => {
    if (response.statusCode >= 400) errorTexts.set(response, args[0]);
    return Reflect.apply(end, response, args);
  };
});
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as Message;
  const platform = platformOf(request);
  if (platform) observe(platform, request, response);
});

/**
 * Compares every response of an operation with the contract. At the end of the test or its file, these fail it: an
 * undeclared status or header, a missing header that is required, and an error whose code has no example.
 *
 * @param ports those of the platform that the test has opened
 */
export function observeResponses(ports: readonly number[], { document, contract }: LoadedContract): void {
  const declarations = new Map<string, Declaration>();
  for (const { operation } of routesOf(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const { headers = {} } = response;
      const names = Object.keys(headers);
      declarations.set(`${operation.operationId} ${status}`, {
        headers: new Set(names.map((name) => name.toLowerCase())),
        requiredHeaders: names.filter((name) => headers[name]?.required).map((name) => name.toLowerCase()),
        errorCodes: errorCodesOf(response),
      });
    }
  const violations = new Set<string>();
  for (const port of ports) platforms.set(port, { contract, declarations, violations });
  atEnd(() => {
    const how =
      'declare the status, the header, or the example of the code in spec/, or change what the server sends';
    expect([...violations].sort(), how).toEqual([]);
  });
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
    if (!declared.headers.has(name) && !Object.hasOwn(exempt, name))
      violations.add(`${place}: ${name} is sent, but not declared`);
  for (const name of declared.requiredHeaders)
    if (!sent.has(name)) violations.add(`${place}: ${name} is declared as required, but not sent`);
  if (response.statusCode < 400) return;
  const codes = errorCodesSent(response);
  if (!codes) violations.add(`${place}: the body is not an error object`);
  for (const code of codes ?? [])
    if (!declared.errorCodes.includes(code) && code !== malformedHttp)
      violations.add(`${place}: no example has the code ${code}`);
}

/** `getHeaders` does not know those that were given to `writeHead`. */
function headersSent(response: ServerResponse): Set<string> {
  const { _header: head } = response as unknown as { _header: string };
  const lines = head.split('\r\n').slice(1).filter(Boolean);
  return new Set(lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()));
}

/** Undefined if the body is not an error object. */
function errorCodesSent(response: ServerResponse): string[] | undefined {
  try {
    const { errors } = JSON.parse(String(errorTexts.get(response))) as { errors: { code: string }[] };
    return errors.map(({ code }) => code);
  } catch {
    return undefined;
  }
}
