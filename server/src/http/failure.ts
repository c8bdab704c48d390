import { errorMessages } from '../../../generated/operations.ts';
import { BlobsUnavailable } from '../../blobs/index.ts';
import { type Refusal, refuse } from '../../contract/index.ts';
import { PoolBusyError } from '../../isolation/index.ts';
import { DatabaseBusyError, isDiskFull, isUnavailable } from '../../postgres-client/index.ts';
import { Refused } from './refused.ts';

/** The refusal to send, and whether the failure is an internal error that is logged with its stack. */
export interface Failure {
  refusal: Refusal;
  isInternal: boolean;
}

/**
 * Turns anything thrown into an error of the contract. An unknown error is an internal one: it is logged in full,
 * and the caller learns no details.
 *
 * @param storeFailure the status if the store is unavailable or full: 502 for the token endpoints, otherwise 503
 */
export function failureOf(error: unknown, storeFailure: 502 | 503 = 503): Failure {
  if (error instanceof Refused) return { refusal: error.refusal, isInternal: error.refusal.status >= 500 };
  if (isUnavailable(error) || isDiskFull(error)) {
    const refusal =
      storeFailure === 502 ? refuse(502, 'upstream_unavailable') : refuse(503, 'service_unavailable');
    // Overload is counted by a metric; a stack for each request would add to it.
    return { refusal, isInternal: !(error instanceof DatabaseBusyError) };
  }
  if (error instanceof BlobsUnavailable || error instanceof PoolBusyError)
    return { refusal: refuse(503, 'service_unavailable'), isInternal: true };
  const parsing = bodyParserRefusal(error);
  if (parsing) return { refusal: parsing, isInternal: false };
  return { refusal: refuse(500, 'internal_error'), isInternal: true };
}

/** The error object of the contract. */
export function errorBody(refusal: Refusal, fingerprint: string) {
  const errors = refusal.errors.map(({ code, message, ...where }) => ({
    code,
    message: message ?? errorMessages[code],
    ...where,
  }));
  return { fingerprint, errors };
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
