import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { isStoredJson } from '../../blobs/index.ts';
import {
  type Contract,
  deprecationHeaders,
  type ErrorCode,
  errorBody,
  isRefusal,
  type Operation,
  type Problem,
} from '../../contract/index.ts';
import {
  checkInParts,
  entityTag,
  isAmong,
  isLong,
  isStoredFile,
  jsonInPieces,
  sendFile,
  sendStored,
} from '../../http-bodies/index.ts';
import { closeAfterResponse, hasBody } from '../../http-server/index.ts';
import type { HandlerResult } from './operation.ts';
import type { Platform, RequestContext } from './request-context.ts';

/** What was sent, for the log. */
export interface Sent {
  status: number;
  /** The first error of a refusal. */
  code?: ErrorCode;
  /** The client disconnected before the end of the response. */
  aborted?: boolean;
}

/**
 * Checks a response against the contract; a long list in batches.
 *
 * @throws an error that names what the contract does not declare: a bug in a handler, reported as 500
 */
export function assertDeclared(operation: Operation, result: HandlerResult): void | Promise<void> {
  if (isRefusal(result)) {
    const known = operation.statuses.includes(result.status);
    return assertNone(operation, known ? undefined : [`status ${result.status} is not declared`]);
  }
  const { status, type, body, headers } = result;
  const check = (part: unknown) => operation.checkReply(status, type, part, headers);
  if (!isLong(body)) return assertNone(operation, check(body));
  return checkInParts(body, check).then((errors) => assertNone(operation, errors));
}

function assertNone(operation: Operation, errors: string[] | undefined): void {
  if (errors) throw new Error(`${operation.id} responded outside its contract: ${errors.join('; ')}`);
}

/** Sends a response with the headers that every response has. */
export function reply(
  { blobs, contract }: Pick<Platform, 'blobs' | 'contract'>,
  context: RequestContext,
  result: HandlerResult,
  ownHeaders?: Record<string, string>,
): Sent | Promise<Sent> {
  const { id, request, response, operation, caller, limits } = context;
  const headers: Record<string, string> = {
    'Request-Id': id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  };
  // Spreading several objects takes five times as long.
  Object.assign(headers, limits);
  if (caller?.scheme === 'accessToken' || operation.contract.findDeprecated)
    Object.assign(headers, announced(contract, context, result));
  if (ownHeaders) Object.assign(headers, ownHeaders);
  if (result.replayed) headers['Idempotency-Replayed'] = 'true';
  // The rest of a refused request, or a body that the operation does not read, may still arrive.
  if (hasBody(request)) closeAfterResponse(request, response);
  if (isRefusal(result)) {
    assertDeclared(operation.contract, result);
    Object.assign(headers, refusalHeaders(result.status), ownHeaders);
    const text = JSON.stringify(errorBody(result, id));
    const [{ code }] = result.errors as [Problem];
    return { ...sendText(response, result.status, 'application/json', text, headers), code };
  }
  if (result.headers) Object.assign(headers, result.headers);
  if (isStoredFile(result.body)) return sendFile(request, response, result.body, { blobs, headers });
  if (isStoredJson(result.body)) {
    headers['Content-Type'] = result.type ?? 'application/json';
    return sendStored(response, result.status, result.body, { blobs, headers });
  }
  if (result.body === undefined) return sendNothing(response, result.status, headers);
  const type = result.type ?? 'application/json';
  if (isLong(result.body)) return sendLong(response, result.status, type, result.body, headers);
  const text = type.endsWith('json') ? JSON.stringify(result.body) : String(result.body);
  if (operation.contract.hasEntityTag) {
    const etag = entityTag(text);
    headers['ETag'] = etag;
    if (operation.contract.statuses.includes(304) && isAmong(request.headers['if-none-match'], etag))
      return sendNothing(response, 304, headers);
  }
  return sendText(response, result.status, type, text, headers);
}

/** Headers that RFC 9110 requires for these statuses, unless the refusal has its own. */
function refusalHeaders(status: number): Record<string, string> | undefined {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="Workflow and Records Platform"' };
  if (status === 503) return { 'Retry-After': '5' };
  return undefined;
}

/** One write, without Express's ETag and media type parsing, which cost more than the validation. */
function sendText(
  response: Response,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string>,
): Sent {
  headers['Content-Type'] = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  const length = Buffer.byteLength(text);
  headers['Content-Length'] = String(length);
  // Equal lengths mean ASCII, which needs no second pass to encode.
  response.writeHead(status, headers).end(text, length === text.length ? 'latin1' : 'utf8');
  return { status };
}

/** In chunks, as fast as the connection takes them. */
async function sendLong(
  response: Response,
  status: number,
  type: string,
  body: object,
  headers: Record<string, string>,
): Promise<Sent> {
  const pieces = await jsonInPieces(body);
  headers['Content-Type'] = type;
  headers['Content-Length'] = String(pieces.reduce((sum, { length }) => sum + length, 0));
  response.writeHead(status, headers);
  try {
    await pipeline(pieces, response);
    return { status };
  } catch {
    return { status, aborted: true };
  }
}

function sendNothing(response: Response, status: number, headers: Record<string, string>): Sent {
  // Without content by definition; a length would be that of the representation.
  if (status !== 204 && status !== 304) headers['Content-Length'] = '0';
  response.writeHead(status, headers).end();
  return { status };
}

/** Announces what the request used that is deprecated: its security scheme, the operation, a parameter, or a field. */
function announced(
  contract: Pick<Contract, 'deprecatedSchemes'>,
  { operation, request, caller, search, body }: RequestContext,
  result: HandlerResult,
): Record<string, string> | undefined {
  const used = operation.contract.findDeprecated?.({
    search,
    headers: request.headers,
    requestBody: body,
    status: result.status,
    responseBody: isRefusal(result) ? undefined : result.body,
  });
  const scheme = caller && contract.deprecatedSchemes[caller.scheme];
  return deprecationHeaders([...(used ?? []), ...(scheme ? [scheme] : [])]);
}
