import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { duplexPair } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import type { ContractDocument } from '../contract/document.ts';
import { type OperationObject, type Route, routesOf } from '../contract/routes.ts';
import { errorBody } from '../http/failure.ts';
import type { Problem } from '../http/operation.ts';

/** Maximum size of a response that an agent receives, in bytes. */
const largestResponse = 64 * 1024;
/** Headers that a caller acts on. */
const shownHeaders = ['ETag', 'Location', 'Retry-After', 'Deprecation', 'Sunset'];
const textTypes = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|application\/x-pem-file\b)/;

export type Arguments = Record<string, unknown>;

/**
 * Performs an operation for an agent.
 *
 * @param from the request of the agent: its credentials and address are those of the call
 * @param response the agent's; if it closes early, so does the call
 */
export type CallOperation = (from: Request, response: Response, given: Arguments) => Promise<CallToolResult>;

/**
 * Sends each call as an HTTP request over a connection within the process, so that everything applies to it that applies
 * to any request: identity, permission, rate limits, validation, idempotency, log.
 *
 * @param baseUrl of the environment, for commands that the agent runs itself
 */
export function operationCalls(contract: ContractDocument, baseUrl: string): CallOperation {
  const routes = new Map(routesOf(contract).map((route) => [route.operation.operationId, route]));
  return async (from, response, { operationId, parameters = {}, body, ...others }) => {
    if (operationId === undefined) return failure('The argument operationId is missing.');
    const route = routes.get(String(operationId));
    if (!route) return failure(`There is no operation ${JSON.stringify(operationId)}. Use the tool search.`);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined)
      return failure(`${JSON.stringify(unknown)} is no argument: use parameters or body.`);
    const { target, headers, problems } = targetOf(route, Object(parameters));
    if (body !== undefined && !route.operation.requestBody) {
      problems.push({ code: 'body_invalid', message: 'This operation takes no body.' });
    }
    const [first] = problems;
    if (first) return failure(JSON.stringify(errorBody({ status: 400, errors: problems }, randomUUID())));
    const command = (end = '') => curlOf(route, `${baseUrl}${target}`, { headers, body }) + end;
    if (route.operation.form) {
      return failure(
        `Not performed, because files are not transferred here. Run this command:\n${command()}`,
      );
    }
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const received = await send(from, response, { method: route.method, target, headers, body: sent });
    return resultOf(received, command(' -o FILE'));
  };
}

export function text(...texts: string[]): CallToolResult {
  return { content: texts.filter(Boolean).map((each) => ({ type: 'text', text: each })) };
}

/** What the agent can correct. */
export function failure(...texts: string[]): CallToolResult {
  return { ...text(...texts), isError: true };
}

interface Target {
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  problems: Problem[];
}

function targetOf({ path, operation }: Route, given: Arguments): Target {
  const problems: Problem[] = [];
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  const wrong = (parameter: string, message: string) =>
    problems.push({ code: 'parameter_invalid', parameter, message });
  const declared = new Map(operation.parameters.map(({ name, in: place }) => [name, place]));
  for (const [name, value] of Object.entries(given)) {
    const place = declared.get(name);
    if (place === undefined) wrong(name, 'The operation has no such parameter.');
    else if (!['string', 'number', 'boolean'].includes(typeof value))
      wrong(name, 'must be a text, a number or a boolean');
    else if (place === 'query') query.append(name, String(value));
    // RFC 9110, section 5.5: no control characters.
    else if (place === 'header' && !/^[\x20-\x7e]*$/.test(String(value)))
      wrong(name, 'must be printable ASCII');
    else if (place === 'header') headers[name] = String(value);
  }
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = given[name];
    if (value === undefined || value === '') wrong(name, 'is required');
    return encodeURIComponent(String(value));
  });
  return { target: query.size > 0 ? `${filled}?${query}` : filled, headers, problems };
}

interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Received {
  status: number;
  headers: IncomingMessage['headers'];
  /** Undefined: a file, or too large. */
  body: string | undefined;
}

/** Passed on, so that the call has the caller, address and trace of the agent's request. */
const passedOn = ['authorization', 'host', 'x-forwarded-for', 'traceparent', 'tracestate'] as const;

async function send(
  from: Request,
  response: Response,
  { method, target, headers, body }: Sent,
): Promise<Received> {
  const [near, far] = duplexPair();
  Object.defineProperty(far, 'remoteAddress', { value: from.socket.remoteAddress });
  createServer(from.app).emit('connection', far);
  const abort = () => near.destroy();
  response.once('close', abort);
  try {
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = openRequest({
        createConnection: () => near,
        method: method.toUpperCase(),
        path: target,
        headers: {
          ...headers,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...Object.fromEntries(
            passedOn.flatMap((name) => (from.headers[name] ? [[name, from.headers[name]]] : [])),
          ),
        },
      });
      request.once('response', resolve).once('error', reject).end(body);
    });
    return { status: received.statusCode ?? 0, headers: received.headers, body: await textOf(received) };
  } finally {
    response.off('close', abort);
    near.destroy();
    far.destroy();
  }
}

async function textOf(received: IncomingMessage): Promise<string | undefined> {
  const type = received.headers['content-type'];
  if (type !== undefined && !textTypes.test(type)) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received) {
    size += chunk.length;
    if (size > largestResponse) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function resultOf({ status, headers, body }: Received, download: string): CallToolResult {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const facts = [`HTTP ${status}`, ...shown].join('\n');
  if (status >= 400) return failure(body ?? '', facts);
  if (body !== undefined) return text(body, facts);
  return text(
    `The response (${headers['content-type']}) is a file or larger than 64 KiB. To read it, run:\n${download}`,
    facts,
  );
}

/** The same request as a command, with placeholders for the token and for files. */
function curlOf(
  { method, operation }: Route,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
): string {
  const token = operation.security?.length === 0 ? [] : ['-H "Authorization: $TOKEN"'];
  const named = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const sent = operation.form ? formOf(operation.form, Object(body)) : jsonOf(body);
  return [`curl -X ${method.toUpperCase()} ${quoted(url)}`, ...token, ...named, ...sent].join(' ');
}

function formOf({ files, texts }: NonNullable<OperationObject['form']>, given: Arguments): string[] {
  return [
    ...files.map((name) => `-F ${quoted(`${name}=@FILE`)}`),
    ...texts.flatMap((name) => [given[name] ?? []].flat().map((value) => `-F ${quoted(`${name}=${value}`)}`)),
  ];
}

function jsonOf(body: unknown): string[] {
  return body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`];
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
