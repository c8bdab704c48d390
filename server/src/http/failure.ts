import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlobMissing, BlobsUnavailable } from '../../blobs/index.ts';
import { type Refusal, Refused, refuse } from '../../contract/index.ts';
import { ClientGone, sendRefusal } from '../../http-server/index.ts';
import { PoolBusyError } from '../../isolation/index.ts';
import { DatabaseBusyError, isRefused, isUnavailable } from '../../postgres-client/index.ts';
import { requestIdOf } from './followed-request.ts';
import type { RequestLog } from './log.ts';

/** The refusal to send, and whether the failure is an internal error that is logged with its stack. */
export interface Failure {
  refusal: Refusal;
  isInternal: boolean;
}

/**
 * Turns anything thrown into an error of the contract. An unknown error is an internal one: it is logged in full,
 * and the caller learns no details.
 *
 * @param storeFailure the status if the store is unavailable, full or not permitted: 502 for the token endpoints, otherwise 503
 */
export function failureOf(error: unknown, storeFailure: 502 | 503 = 503): Failure {
  if (error instanceof Refused) return { refusal: error.refusal, isInternal: error.refusal.status >= 500 };
  if (isUnavailable(error) || isRefused(error)) {
    const refusal =
      storeFailure === 502 ? refuse(502, 'upstream_unavailable') : refuse(503, 'service_unavailable');
    // Overload is counted by a metric; a stack for each request would add to it.
    return { refusal, isInternal: !(error instanceof DatabaseBusyError) };
  }
  // A lost file is not a 404: its row exists, and the operator can restore it.
  const unavailable = [BlobsUnavailable, BlobMissing, PoolBusyError];
  if (unavailable.some((kind) => error instanceof kind))
    return { refusal: refuse(503, 'service_unavailable'), isInternal: true };
  const parsing = bodyParserRefusal(error);
  if (parsing) return { refusal: parsing, isInternal: false };
  return { refusal: refuse(500, 'internal_error'), isInternal: true };
}

/** body-parser identifies each error by `type`. */
function bodyParserRefusal(error: unknown): Refusal | undefined {
  switch ((error as { type?: string } | null)?.type) {
    case 'entity.parse.failed':
    case 'request.size.invalid':
      return refuse(400, 'body_malformed');
    case 'request.aborted':
      return refuse(400, 'request_malformed');
    case 'entity.too.large':
      return refuse(413, 'body_too_large');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return refuse(415, 'content_type_unsupported');
    default:
      return undefined;
  }
}

/**
 * Turns a failure outside of any operation into the error object of the contract.
 *
 * @returns the error code of the response; undefined if none was sent
 */
export type RespondToFailure = (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
) => string | undefined;

export function respondToFailures(log: RequestLog): RespondToFailure {
  return (request, response, error) => {
    if (error instanceof ClientGone) return void response.destroy();
    const { refusal, isInternal } = failureOf(routerRefusal(error) ?? error);
    const requestId = requestIdOf(request);
    if (isInternal) log.internalError({ requestId }, error);
    if (response.headersSent) return void response.destroy();
    sendRefusal(request, response, refusal, error instanceof Refused ? error.headers : {}, requestId);
    return refusal.errors[0]?.code;
  };
}

/** Express's router throws its own error for a path that is not UTF-8. */
function routerRefusal(error: unknown): Refused | undefined {
  return error instanceof URIError ? new Refused(refuse(404, 'path_not_found')) : undefined;
}
