import { TimeoutError } from './errors.ts';

/** A signal that aborts with a `TimeoutError` at a deadline. */
export interface Deadline {
  signal: AbortSignal;
  clear(): void;
}

/**
 * @param milliseconds Undefined or infinite: never; 0 or less: immediately, before anything is sent.
 * @param call What times out, for the message.
 */
export function deadlineAfter(
  milliseconds: number | undefined = Number.POSITIVE_INFINITY,
  deadline: TimeoutError['deadline'],
  call: () => string,
): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort(new TimeoutError(deadline, milliseconds, call()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (!(milliseconds > 0)) abort();
  // The longest delay of a timer is 24.8 days.
  else if (milliseconds <= 0x7fffffff) timer = setTimeout(abort, milliseconds);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** Aborts when any of the defined signals does. */
export function anySignal(...signals: (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter(Boolean) as AbortSignal[]);
}

/** @throws The signal's reason if it aborts first. */
export function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @throws The signal's reason if it aborts first. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return orAbort(elapsed, signal).finally(() => clearTimeout(timer));
}
