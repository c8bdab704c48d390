import type { Logger } from 'pino';
import type { Caller } from '../domain/caller.ts';

export interface AnsweredRequest {
  /** The answer's `Request-Id`, and the fingerprint of a failure. */
  requestId: string;
  operationId: string;
  caller: Caller | undefined;
  status: number;
  milliseconds: number;
  aborted?: boolean;
}

export interface RequestLog {
  /** One line a request. */
  answered(request: AnsweredRequest): void;
  /** A fault of ours, with its stack; the line of the request carries the same id. */
  fault(requestId: string, operationId: string | undefined, error: unknown): void;
}

/**
 * Never a header, a body or a query: what is not logged cannot leak.
 *
 * @param observe sees each request too, for metrics
 */
export function requestLog(
  logger: Logger,
  observe: (request: AnsweredRequest) => void = () => {},
): RequestLog {
  return {
    answered(answered) {
      observe(answered);
      const { caller, milliseconds, ...request } = answered;
      const who = caller && { userId: caller.userId, credentialId: caller.credentialId };
      logger.info({ ...request, ...who, milliseconds: Math.round(milliseconds * 10) / 10 }, 'answered');
    },
    fault(requestId, operationId, error) {
      logger.error({ requestId, operationId, err: error }, 'failed');
    },
  };
}
