import type { Logger } from 'pino';
import type { Caller } from '../domain/caller.ts';

export interface CompletedRequest {
  /** The `Request-Id` of the response, and the fingerprint of an error. */
  requestId: string;
  operationId: string;
  caller: Caller | undefined;
  status: number;
  /** The first error of the response. */
  code?: string;
  milliseconds: number;
  aborted?: boolean;
}

export interface RequestLog {
  /** Logs one line per request. */
  completed(request: CompletedRequest): void;
  /** Logs an internal error with its stack, under the id of its request. */
  internalError(requestId: string, operationId: string | undefined, error: unknown): void;
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
      const { caller, milliseconds, ...request } = completed;
      const who = caller && { userId: caller.userId, credentialId: caller.credentialId };
      logger.info(
        { ...request, ...who, milliseconds: Math.round(milliseconds * 10) / 10 },
        'request completed',
      );
    },
    internalError(requestId, operationId, error) {
      logger.error({ requestId, operationId, err: error }, 'failed');
    },
  };
}
