import { anySignal, deadlineAfter, sleep } from './abort.ts';
import type { Retry } from './client-types.ts';
import { ConnectionError, TimeoutError } from './errors.ts';
import type { UntypedResult } from './operation-types.ts';
import { isTransient, type RetryPolicy, retryDelay } from './retry-policy.ts';

interface Attempts extends Partial<Record<keyof RetryPolicy, number | undefined>> {
  signal?: AbortSignal | null | undefined;
  /** Whether the last attempt is safe to repeat. Default: always. */
  isRetryable?(): boolean;
  onRetry?(retry: Retry): void | Promise<void>;
}

/**
 * Makes attempts, after transient failures also retries, within the timeouts.
 *
 * @param operation Method and path, for messages.
 * @throws {TimeoutError} or the signal's reason; what the last attempt throws
 */
export async function withRetries<Result extends UntypedResult>(
  operation: string,
  attempt: (signal: AbortSignal, retryCount: number) => Promise<Result>,
  {
    retries = 2,
    timeout = Number.POSITIVE_INFINITY,
    attemptTimeout = 30_000,
    signal: callerSignal,
    isRetryable = () => true,
    onRetry,
  }: Attempts,
): Promise<Result> {
  const endsAt = Date.now() + timeout;
  const deadline = deadlineAfter(timeout, 'call', () => operation);
  const callSignal = anySignal(callerSignal, deadline.signal);
  try {
    for (let retryCount = 0; ; ) {
      const attemptDeadline = deadlineAfter(attemptTimeout, 'attempt', () => operation);
      const signal = anySignal(callSignal, attemptDeadline.signal);
      let result: Result | undefined;
      let error: unknown;
      try {
        result = await attempt(signal, retryCount);
      } catch (thrown) {
        error = signal.aborted ? signal.reason : thrown;
      } finally {
        attemptDeadline.clear();
      }
      const isRetried =
        retryCount < retries && (result ? isTransient(result) : isLost(error)) && isRetryable();
      const delay = isRetried ? retryDelay(retryCount, result?.response) : undefined;
      if (delay === undefined || Date.now() + delay >= endsAt) {
        if (result) return result;
        throw error;
      }
      retryCount++;
      await onRetry?.({ retryCount, delay, response: result?.response, error });
      await sleep(delay, callSignal);
    }
  } finally {
    deadline.clear();
  }
}

/** Whether there was no response. */
function isLost(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.deadline === 'attempt');
}
