import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import { duplexPair } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Response as AgentResponse, Request } from 'express';
import {
  bodyProblem,
  type ContractDocument,
  type OperationObject,
  type Problem,
  parameterProblem,
  problemLimit,
  type Route,
  resolve,
  routesOf,
  type Schema,
} from '../../contract/index.ts';
import { ClientGone, respondToMalformedRequests } from '../../http-server/index.ts';
import { alternatives, nameOf, pointerTo, startOf } from '../../json/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import { similarName } from './documentation.ts';
import { fieldProblems, select } from './fields.ts';
import { FileNotFetchedError, fileForm, fileOpener, type GivenFile, isGivenFile } from './files.ts';
import { cutList, exceedsList } from './lists.ts';
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
export type CallOperation = (
  from: Request,
  response: AgentResponse,
  given: Arguments,
) => Promise<CallToolResult>;

/**
 * Sends each call as an HTTP request over a connection within the process, so that everything applies to it that applies
 * to any request: identity, permission, rate limits, validation, idempotency, log.
 *
 * @param baseUrl of the environment, for commands that the agent runs itself
 * @param outbound fetches files that an agent names by their URLs
 */
export function operationCalls(
  contract: ContractDocument,
  baseUrl: string,
  outbound: Pick<Outbound, 'request'>,
): CallOperation {
  const openFile = fileOpener(outbound);
  const routes = new Map(routesOf(contract).map((route) => [route.operation.operationId, route]));
  return async (from, response, { operationId, parameters = {}, body, fields, skip }) => {
    const route = routes.get(operationId as string);
    if (!route) return refusal([unknownOperation(operationId as string, [...routes.keys()])]);
    const { target, headers, problems } = targetOf(route, parameters as Record<string, Scalar>);
    problems.push(...bodyProblems(contract, route.operation, body as Arguments | undefined));
    problems.push(...fieldProblems(contract, route.operation, fields as string[] | undefined));
    if (problems.length > 0) return refusal(problems.slice(0, problemLimit));
    const url = `${baseUrl}${target}`;
    const { form } = route.operation;
    const request = { method: route.method, target, headers };
    const shown = { isRead: route.method === 'get', fields, skip } as Shown;
    if (form) {
      const values = Object(body) as Arguments;
      const files = form.files.filter((name) => values[name] !== undefined);
      if (files.length === 0) {
        const command = curlOf(route, url, headers, formOf(form, values));
        if (command.length > longestCommand)
          return refusal([bodyProblem('', 'is longer than the command that the result would be')]);
        const missing = form.files.map((name) => `body.${name}`).join(' and ');
        return failure(`Not performed: ${missing} is required, as ${fileForm}. Or run:\n${command}`);
      }
      const isRemote = (name: string) => 'url' in (values[name] as GivenFile);
      // Nothing is fetched for a caller who may not upload, or whose other values are wrong.
      if (files.some(isRemote)) {
        const refused = await send(from, response, {
          ...request,
          headers: withoutKey(headers),
          ...(await encoded(form, values)),
        });
        if (!isAboutFiles(refused, form.files)) return resultOf(refused, shown, '');
      }
      const leaving = new AbortController();
      const leave = () => leaving.abort(new ClientGone());
      response.once('close', leave);
      try {
        const opened = files.map(async (name) => {
          const file = await openFile(values[name] as GivenFile, leaving.signal);
          return [name, file] as const;
        });
        const sent = await encoded(form, values, await Promise.all(opened));
        return resultOf(await send(from, response, { ...request, ...sent }), shown, '');
      } catch (error) {
        if (!(error instanceof FileNotFetchedError)) throw error;
        return refusal([bodyProblem(pointerTo(files.find(isRemote) ?? ''), error.message)]);
      } finally {
        response.off('close', leave);
      }
    }
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const type = 'application/json';
    const received = await send(from, response, {
      ...request,
      ...(sent !== undefined && { body: sent, type }),
    });
    return resultOf(received, shown, `${curlOf(route, url, headers, jsonOf(sent))} -o FILE`);
  };
}

function unknownOperation(given: string, operationIds: string[]): Problem {
  const similar = similarName(given, operationIds);
  const hint = similar ? `did you mean ${similar}?` : 'use the tool search';
  return parameterProblem('operationId', `is not an operation: ${hint}`);
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
  const missing = (name: string) =>
    void problems.push({ ...parameterProblem(name, ''), message: `parameters.${name} is required` });
  const declared = new Map(operation.parameters.map(({ name, in: place }) => [name, place]));
  for (const [name, value] of Object.entries(given)) {
    const place = declared.get(name);
    if (place === undefined) wrong(name, unknownParameter(name, [...declared.keys()]));
    else if (place === 'query') query.append(name, String(value));
    // RFC 9110, section 5.5: no control characters.
    else if (place === 'header' && !/^[\x20-\x7e]*$/.test(String(value)))
      wrong(name, 'must be printable ASCII');
    else if (place === 'header') headers[name] = String(value);
  }
  for (const { name, in: place, required } of operation.parameters)
    if (required && place !== 'path' && given[name] === undefined) missing(name);
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = given[name];
    if (value === undefined || value === '') missing(name);
    return encodeURIComponent(String(value));
  });
  const target = query.size > 0 ? `${filled}?${query}` : filled;
  if (target.length > longestTarget)
    wrong('parameters', `make a URL of more than ${longestTarget} characters`);
  return { target, headers, problems };
}

const unknownParameter = (name: string, known: string[]) =>
  `is not a parameter of this operation${alternatives(name, known) || ', which has none'}`;

/**
 * What the operation itself does not check, or would report without the name of the argument: missing fields, whether it
 * takes a body, and the fields of a form.
 */
function bodyProblems(
  contract: ContractDocument,
  { requestBody, form }: OperationObject,
  body: Arguments | undefined,
): Problem[] {
  const schemas = Object.values(requestBody?.content ?? {}).map(
    ({ schema }) => resolve(contract, schema) ?? {},
  );
  const required = schemas.flatMap((schema) => schema.required ?? []);
  const missing = required.filter((name) => body?.[name] === undefined && !form?.files.includes(name));
  if (missing.length > 0 && requestBody?.required !== false)
    return [
      ...missing.map((name) => ({
        ...bodyProblem(pointerTo(name), ''),
        message: `body.${name} is required`,
      })),
      // A misspelt field is missing under its right name.
      ...unknownFields(schemas, body),
    ];
  if (body === undefined) return [];
  if (!requestBody) return [bodyProblem('', 'must be left out: this operation takes none')];
  if (!form) return [];
  const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length <= largestList && value.every(isText);
  // Further ones are never shown.
  return Object.entries(body)
    .slice(0, form.files.length + form.texts.length + problemLimit)
    .flatMap(([name, value]) => {
      if (form.files.includes(name))
        return isGivenFile(value) ? [] : [bodyProblem(pointerTo(name), `must be ${fileForm}`)];
      if (!form.texts.includes(name))
        return [
          bodyProblem(
            pointerTo(name),
            `is not a field of this form${alternatives(name, [...form.files, ...form.texts])}`,
          ),
        ];
      if (isText(value) || (form.lists.includes(name) && isList(value))) return [];
      const expected = form.lists.includes(name) ? `at most ${largestList} texts` : 'a text';
      return [bodyProblem(pointerTo(name), `must be ${expected}`)];
    });
}

function unknownFields(schemas: readonly Schema[], body: Arguments = {}): Problem[] {
  const known = schemas.flatMap(({ properties = {} }) => Object.keys(properties));
  if (known.length === 0 || schemas.some(({ additionalProperties }) => additionalProperties)) return [];
  return Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, problemLimit)
    .map((name) =>
      bodyProblem(pointerTo(name), `is not a property of this object${alternatives(name, known)}`),
    );
}

/** Maximum number of values of one field in a command. */
const largestList = 100;

interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Of the body. */
  type?: string;
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
  response: AgentResponse,
  { method, target, headers, body, type }: Sent,
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
          ...(type !== undefined && { 'Content-Type': type }),
          ...Object.fromEntries(
            passedOn.flatMap((name) => (from.headers[name] ? [[name, from.headers[name]]] : [])),
          ),
        },
      });
      request.once('response', resolve).on('error', reject).end(body);
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

/** Lists are cut, and an error object with long names in it can be larger than a response. */
const largestRead = 16 * largestResponse;

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

/** Which part of a response an agent wants. */
interface Shown {
  /** Whether the call can be repeated for another part. */
  isRead: boolean;
  fields?: string[];
  skip?: number;
}

/** @param download a command that reads the whole response; '' if there is none */
function resultOf({ status, headers, body }: Received, shown: Shown, download: string): CallToolResult {
  const named = shownHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const facts = [`HTTP ${status}`, ...named].join('\n');
  if (status >= 400) return errorOf(body, facts);
  const whole = body === undefined ? undefined : text(...partOf(body, headers, shown), facts);
  if (whole && fits(whole)) return whole;
  const type = startOf(headers['content-type'] ?? 'unknown type', 200);
  return text(`The response (${type}) is a file or larger than 64 KiB. To read it, run:\n${download}`, facts);
}

/** The wanted fields of JSON, and of a long list its first items with a note. */
function partOf(body: string, headers: Received['headers'], { isRead, fields, skip = 0 }: Shown): string[] {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers['content-type'] ?? '');
  const isLong = isRead && (skip > 0 || exceedsList(body));
  if (!isJson || (!fields && !isLong)) return [body];
  const value = JSON.parse(body);
  const wanted = fields ? select(value, fields) : value;
  const picked = fields ? JSON.stringify(wanted) : body;
  const cut = isRead && (skip > 0 || exceedsList(picked)) ? cutList(wanted, skip) : undefined;
  return cut ? [JSON.stringify(cut.body), cut.note] : [picked];
}

function errorOf(body: string | undefined, facts: string): CallToolResult {
  const whole = failure(body ?? '', facts);
  return body === undefined || fits(whole) ? whole : errorResult(JSON.parse(body), facts);
}

/** Whether the operation refuses a form only because its files are missing. */
function isAboutFiles({ status, body = '' }: Received, files: readonly string[]): boolean {
  if (status !== 400) return false;
  const { errors = [] } = JSON.parse(body) as { errors?: { pointer?: string }[] };
  return errors.every(({ pointer = '' }) => files.includes(nameOf(pointer.slice(1))));
}

const withoutKey = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'));

/** The form with these files. */
async function encoded(
  { texts }: NonNullable<OperationObject['form']>,
  given: Arguments,
  files: readonly (readonly [name: string, file: File])[] = [],
): Promise<{ body: Buffer; type: string }> {
  const form = new FormData();
  for (const name of texts) for (const value of [given[name] ?? []].flat()) form.append(name, String(value));
  for (const [name, file] of files) form.append(name, file);
  const message = new Response(form);
  return {
    body: Buffer.from(await message.arrayBuffer()),
    type: message.headers.get('Content-Type') ?? '',
  };
}

/** The same request as a command, with placeholders for the token and for files. */
function curlOf(
  { method, operation }: Route,
  url: string,
  headers: Record<string, string>,
  body: readonly string[],
): string {
  const token = operation.security?.length === 0 ? [] : ['-H "Authorization: $WRP_TOKEN"'];
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
