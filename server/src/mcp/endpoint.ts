import type { CallToolResult, Server } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import { Refused, refuse } from '../../contract/index.ts';
import { assertJson, readJson } from '../../http-bodies/index.ts';
import { entrances } from '../http/entrances.ts';
import { budgetAddress, type RateLimit, type RateLimits } from '../http/rate-limits.ts';
import type { CallOperation } from './calls.ts';
import type { Documentation } from './documentation.ts';
import { type MessageError, messageCheck, messageError } from './messages.ts';
import { tools } from './tools.ts';

/** What it shares with the other handlers of an environment. */
export interface McpShared {
  /** Whether scripts of a browser may call from an origin. */
  allowsOrigin(origin: string): boolean;
  limits: RateLimits;
  /** The budget of an address. */
  limit: RateLimit;
  bodyIdleMs: number;
}

/** No message is sent before a result, so nothing is ever streamed, and there are no subscriptions. */
const options = { maxSubscriptions: 0, keepAliveMs: 0 };

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions. Each request is independent, so any
 * process can serve it, and nothing remains after it.
 *
 * - A page of another origin is refused: DNS rebinding lets it reach a server on a private address.
 * - Every request counts against the budget of its address; a call counts against the caller's as well.
 * - The protocol library never sees the Authorization header.
 */
export function mcpEndpoint({
  documentation,
  call,
  callsAt,
  allowsOrigin,
  limits,
  limit,
  bodyIdleMs,
}: McpShared & {
  documentation: Documentation;
  /** Undefined: agents may search and describe, but not call. */
  call: CallOperation | undefined;
  /** Where agents may call instead: the URL of an endpoint. */
  callsAt?: string | undefined;
}): RequestHandler {
  const performed = tools({ documentation, call, callsAt });
  const check = messageCheck();
  return async (request, response) => {
    const { origin } = request.headers;
    if (origin !== undefined && !allowsOrigin(origin)) {
      throw new Refused(refuse(403, 'permission_denied', { message: 'This origin may not call.' }));
    }
    response.set(await limits.take(budgetAddress(request), [limit], costOf(request)));
    assertJson(request.headers);
    const read = await readMessage(request, bodyIdleMs);
    if ('error' in read) return send(response, 400, JSON.stringify(read));
    const invalid = check(read.message, request.headers);
    if (invalid) return send(response, 400, JSON.stringify(invalid));
    const protocol = await mcpProtocol();
    const failures: unknown[] = [];
    const run: Run = (name, given) =>
      performed.run(name, given, request, response).catch((error) => {
        failures.push(error);
        throw error;
      });
    const create = () => toolServer(protocol, documentation.version, performed, run);
    const handler = protocol.createMcpHandler(create, options);
    const received = await handler.fetch(webRequest(request), { parsedBody: read.message });
    const text = await received.text();
    // The library would respond with the message of the error.
    if (failures.length > 0) throw failures[0];
    send(response, received.status, text, received.headers.get('Content-Type') ?? undefined);
  };
}

const { bytesIn: messageLimit } = entrances.agents;
/** What a message may hold for one unit of the budget, in bytes. */
const costUnit = 16 * 1024;

/** A message of unknown length costs as much as the largest. */
function costOf({ headers }: Request): number {
  const size = Math.min(Number(headers['content-length'] ?? messageLimit), messageLimit);
  return Math.max(1, Math.ceil(size / costUnit));
}

/** @throws Refused if the body does not arrive whole */
async function readMessage(request: Request, idleMs: number): Promise<{ message: unknown } | MessageError> {
  try {
    const { value, problems } = await readJson(request, idleMs, messageLimit);
    return problems.length > 0 ? messageError({ status: 400, errors: problems }) : { message: value };
  } catch (error) {
    if (error instanceof Refused && request.complete && error.refusal.status === 400)
      return messageError(error.refusal);
    throw error;
  }
}

/** The protocol library. Loading it takes a tenth of a second, so the platform does that when it is ready. */
export const mcpProtocol = () => import('@modelcontextprotocol/server');

type Run = (name: string, given: Record<string, unknown>) => Promise<CallToolResult>;

function toolServer(
  { Server }: Awaited<ReturnType<typeof mcpProtocol>>,
  version: string,
  { definitions, instructions }: ReturnType<typeof tools>,
  run: Run,
): Server {
  const server = new Server(
    { name: 'workflow-and-records-platform', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: definitions }));
  server.setRequestHandler('tools/call', ({ params }) => run(params.name, params.arguments ?? {}));
  return server;
}

/** Headers that the protocol reads, except `Accept`, which is checked before. */
const protocolHeaders = /^(?:content-type|mcp-.*)$/;

function webRequest(request: Request): globalThis.Request {
  const headers = new Headers({ Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(request.headers))
    if (protocolHeaders.test(name) && typeof value === 'string') headers.set(name, value);
  return new globalThis.Request('http://platform.invalid/mcp', { method: 'POST', headers });
}

function send(response: Response, status: number, text: string, type = 'application/json'): void {
  response.status(status).set('Cache-Control', 'no-store');
  if (text !== '') response.set('Content-Type', type);
  response.set('Content-Length', String(Buffer.byteLength(text))).end(text);
}
