import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { duplexPair } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import {
  bodyProblem,
  type ContractDocument,
  type OperationObject,
  type Problem,
  parameterProblem,
  problemLimit,
  type Route,
  routesOf,
} from '../../contract/index.ts';
import { ClientGone, respondToMalformedRequests } from '../../http-server/index.ts';
import { pointerTo, startOf } from '../../json/index.ts';
import { errorResult, failure, fits, largestResponse, refusal, text } from './results.ts';

/** Maximum length of a path with its query. With the headers it must fit into the 16 KiB that Node accepts. */
const longestTarget = 8_000;
/** Maximum length of a command. */
const longestCommand = 16_000;
/** Headers that a caller acts on. */
const shownHeaders = ['ETag', 'Location', 'Retry-After', 'Deprecation', 'Sunset'];
const textTypes = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|application\/x-pem-file\b)/;

export type Arguments = Record<string, unknown>;
/** A value of a parameter, or of a text field of a form. */
type Scalar = string | number | boolean;

/**
 * Performs an operation for an agent.
 *
 * @param from the request of the agent: its credentials and address are those of the call
 * @param response the agent's; if it closes early, so does the call
 * @param given arguments that match the schema of the tool
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
  return async (from, response, { operationId, parameters = {}, body }) => {
    const route = routes.get(operationId as string);
    if (!route) return failure(`There is no operation ${JSON.stringify(operationId)}. Use the tool search.`);
    const { target, headers, problems } = targetOf(route, parameters as Record<string, Scalar>);
    problems.push(...bodyProblems(route.operation, body as Arguments | undefined));
    if (problems.length > 0) return refusal(problems.slice(0, problemLimit));
    const url = `${baseUrl}${target}`;
    if (route.operation.form) {
      const command = curlOf(route, url, headers, formOf(route.operation.form, Object(body)));
      if (command.length > longestCommand)
        return refusal([bodyProblem('', 'is longer than the command that the result would be')]);
      return failure(`Not performed, because files are not transferred here. Run this command:\n${command}`);
    }
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const received = await send(from, response, { method: route.method, target, headers, body: sent });
    return resultOf(received, `${curlOf(route, url, headers, jsonOf(sent))} -o FILE`);
  };
}

interface Target {
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  problems: Problem[];
}

function targetOf({ path, operation }: Route, given: Record<string, Scalar>): Target {
  const problems: Problem[] = [];
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  const wrong = (name: string, message: string) => void problems.push(parameterProblem(name, message));
  const declared = new Map(operation.parameters.map(({ name, in: place }) => [name, place]));
  for (const [name, value] of Object.entries(given)) {
    const place = declared.get(name);
    if (place === undefined) wrong(name, 'is not a parameter of the operation');
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
  const target = query.size > 0 ? `${filled}?${query}` : filled;
  if (target.length > longestTarget)
    wrong('parameters', `make a URL of more than ${longestTarget} characters`);
  return { target, headers, problems };
}

/** What the operation itself does not check: whether it takes a body, and the fields of a form, which is not sent. */
function bodyProblems({ requestBody, form }: OperationObject, body: Arguments | undefined): Problem[] {
  if (body === undefined) return [];
  if (!requestBody) return [bodyProblem('', 'This operation takes no body.')];
  if (!form) return [];
  const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length <= largestList && value.every(isText);
  return Object.entries(body).flatMap(([name, value]) => {
    if (form.files.includes(name)) return [];
    if (!form.texts.includes(name))
      return [bodyProblem(pointerTo(name), 'must be left out: the form has no such field')];
    if (isText(value) || (form.lists.includes(name) && isList(value))) return [];
    const expected = form.lists.includes(name) ? `at most ${largestList} texts` : 'a text';
    return [bodyProblem(pointerTo(name), `must be ${expected}`)];
  });
}

/** Maximum number of values of one field in a command. */
const largestList = 100;

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
  const server = createServer(from.app);
  // A call whose headers are too large, for example.
  respondToMalformedRequests(server, {});
  server.emit('connection', far);
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
  } catch (error) {
    if (response.closed) throw new ClientGone();
    throw error;
  } finally {
    response.off('close', abort);
    near.destroy();
    far.destroy();
  }
}

/** An error object with long names in it can be larger than a response; its start still says what is wrong. */
const largestRead = 4 * largestResponse;

async function textOf(received: IncomingMessage): Promise<string | undefined> {
  const type = received.headers['content-type'];
  if (type !== undefined && !textTypes.test(type)) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received) {
    size += chunk.length;
    if (size > largestRead) return undefined;
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
  if (status >= 400) return errorOf(body, facts);
  const whole = body === undefined ? undefined : text(body, facts);
  if (whole && fits(whole)) return whole;
  const type = startOf(headers['content-type'] ?? 'unknown type', 200);
  return text(`The response (${type}) is a file or larger than 64 KiB. To read it, run:\n${download}`, facts);
}

function errorOf(body: string | undefined, facts: string): CallToolResult {
  const whole = failure(body ?? '', facts);
  return body === undefined || fits(whole) ? whole : errorResult(JSON.parse(body), facts);
}

/** The same request as a command, with placeholders for the token and for files. */
function curlOf(
  { method, operation }: Route,
  url: string,
  headers: Record<string, string>,
  body: readonly string[],
): string {
  const token = operation.security?.length === 0 ? [] : ['-H "Authorization: $TOKEN"'];
  const named = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X ${method.toUpperCase()} ${quoted(url)}`, ...token, ...named, ...body].join(' ');
}

function formOf({ files, texts }: NonNullable<OperationObject['form']>, given: Arguments): string[] {
  return [
    ...files.map((name) => `-F ${quoted(`${name}=@FILE`)}`),
    // Not -F, for which a value that starts with @ or < names a file.
    ...texts.flatMap((name) =>
      [given[name] ?? []].flat().map((value) => `--form-string ${quoted(`${name}=${value}`)}`),
    ),
  ];
}

function jsonOf(body: string | undefined): string[] {
  if (body === undefined) return [];
  const given = body.length <= longestCommand / 2 ? quoted(body) : '@BODY';
  return ["-H 'Content-Type: application/json'", `-d ${given}`];
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
