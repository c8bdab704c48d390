import type { Logger } from 'pino';
import { operations } from '../../../generated/operations.ts';
import type { OperationId } from '../../contract/index.ts';
import type { Caller } from '../domain/caller.ts';
import { end } from '../tracing/trace.ts';

/** What identifies a request in the log. */
interface LoggedRequest {
  /** The `Request-Id` of the response, and the fingerprint of an error. */
  requestId: string;
  operationId?: OperationId | undefined;
}

export interface CompletedRequest extends LoggedRequest {
  /** The name of the entrance, if the request was not for an operation. */
  entrance?: string;
  caller?: Caller | undefined;
  status: number;
  /** The first error of the response. */
  code?: string;
  milliseconds: number;
  aborted?: boolean;
  /** Default: `info`. */
  logLevel?: 'info' | 'debug';
}

export interface RequestLog {
  /** Logs one line per request, and ends its span. */
  completed(request: CompletedRequest): void;
  /** Logs an internal error with its stack, under the id of its request. */
  internalError(request: LoggedRequest, error: unknown): void;
}

/**
 * Logs requests without headers, body or query, so that no secret can leak.
 *
 * @param observe called for each request, for metrics
 */
export function requestLog(
  logger: Logger,
  observe: (request: CompletedRequest) => void = () => {},
): RequestLog {
  return {
    completed(completed) {
      observe(completed);
      const { caller, milliseconds, logLevel = 'info', ...request } = completed;
      const who = caller && { userId: caller.userId, credentialId: caller.credentialId };
      logger[logLevel](
        { ...request, ...who, milliseconds: Math.round(milliseconds * 10) / 10 },
        'request completed',
      );
      const { operationId, entrance, status, code } = request;
      const error = status >= 500 ? (code ?? `status ${status}`) : undefined;
      const fields = {
        ...(operationId && { 'http.route': operations[operationId].path }),
        'http.response.status_code': status,
        ...(status >= 400 && { 'error.type': code ?? String(status) }),
      };
      // Probes would hide everything else.
      end(logLevel === 'info' ? { name: operationId ?? entrance, error } : undefined, fields);
    },
    internalError({ requestId, operationId }, error) {
      logger.error({ requestId, operationId, err: error }, 'failed');
    },
  };
}
