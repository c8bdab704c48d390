import type { Server } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import { budgetAddress } from '../http/client-address.ts';
import { assertJson, readJsonBody } from '../http/json-body.ts';
import { refuse } from '../http/operation.ts';
import type { RateLimit, RateLimits } from '../http/rate-limits.ts';
import { Refused } from '../http/refused.ts';
import type { CallOperation } from './calls.ts';
import type { Documentation } from './documentation.ts';
import { type ToolContext, tools } from './tools.ts';

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
  allowsOrigin,
  limits,
  limit,
  bodyIdleMs,
}: McpShared & {
  documentation: Documentation;
  /** Undefined: agents may search and describe, but not call. */
  call: CallOperation | undefined;
}): RequestHandler {
  return async (request, response, next) => {
    if (request.path !== '/mcp') return next();
    const { origin } = request.headers;
    if (origin !== undefined && !allowsOrigin(origin)) {
      throw new Refused(refuse(403, 'permission_denied', { message: 'This origin may not call.' }));
    }
    if (request.method !== 'POST') throw new Refused(refuse(405, 'method_not_allowed'), { Allow: 'POST' });
    response.set(await limits.take(budgetAddress(request), [limit]));
    assertJson(request.headers);
    const body = await readJsonBody(request, bodyIdleMs);
    // Removed from the protocol in 2025-06-18. One request of a batch could stand for thousands.
    if (Array.isArray(body)) throw new Refused(refuse(400, 'body_invalid', { message: 'Send one message.' }));
    const context = { documentation, call: call?.bind(undefined, request, response) };
    const protocol = await mcpProtocol();
    const handler = protocol.createMcpHandler(() => toolServer(protocol, context), options);
    await respond(await handler.fetch(webRequest(request), { parsedBody: body }), response);
  };
}

/** The protocol library. Loading it takes a tenth of a second, so the platform does that when it is ready. */
export const mcpProtocol = () => import('@modelcontextprotocol/server');

function toolServer({ Server }: Awaited<ReturnType<typeof mcpProtocol>>, context: ToolContext): Server {
  const { definitions, run, instructions } = tools(context);
  const server = new Server(
    { name: 'workflow-and-records-platform', version: context.documentation.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: definitions }));
  server.setRequestHandler('tools/call', ({ params }) => run(params.name, params.arguments ?? {}));
  return server;
}

/** Headers that the protocol reads. */
const protocolHeaders = /^(?:accept|content-type|mcp-.*)$/;

function webRequest(request: Request): globalThis.Request {
  const headers = new Headers({ Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(request.headers))
    if (protocolHeaders.test(name) && typeof value === 'string') headers.set(name, value);
  return new globalThis.Request('http://platform.invalid/mcp', { method: 'POST', headers });
}

async function respond(from: globalThis.Response, response: Response): Promise<void> {
  const body = Buffer.from(await from.arrayBuffer());
  const type = from.headers.get('Content-Type');
  response.status(from.status).set('Cache-Control', 'no-store');
  if (type !== null) response.set('Content-Type', type);
  response.set('Content-Length', String(body.length)).end(body);
}
