/** No answer: the platform could not be reached, or the connection broke. What broke it is the `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown) {
    super(`The connection failed: ${describe(cause)}`, { cause });
  }
}

/** A deadline passed before the answer was there. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  /** Which deadline: of one attempt, or of the whole call with its repeats. */
  readonly deadline: 'attempt' | 'call';

  constructor(deadline: 'attempt' | 'call', milliseconds: number) {
    super(`No answer within ${milliseconds} ms (${deadline === 'call' ? 'timeout' : 'attemptTimeout'}).`);
    this.deadline = deadline;
  }
}

/** An abort after some time, unless it is called off. */
export interface Alarm {
  signal: AbortSignal;
  off(): void;
}

/** @param milliseconds undefined or infinite: never; 0 or less: at once, before anything is sent */
export function alarm(
  deadline: TimeoutError['deadline'],
  milliseconds: number = Number.POSITIVE_INFINITY,
): Alarm {
  const controller = new AbortController();
  // More than a timer can hold (24.8 days) is never.
  if (milliseconds > 0x7fffffff) return { signal: controller.signal, off: () => {} };
  const ring = () => controller.abort(new TimeoutError(deadline, milliseconds));
  const timer = milliseconds > 0 ? setTimeout(ring, milliseconds) : ring();
  return { signal: controller.signal, off: () => clearTimeout(timer ?? undefined) };
}

/** One signal out of those that are there. */
export function anyOf(...signals: (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal != null));
}

/** What a promise gives, unless the signal comes first. @throws The signal's reason. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** @throws The signal's reason, when it comes first. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await unlessAborted(passed, signal).finally(() => clearTimeout(timer));
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Node says "fetch failed" and keeps why in the cause.
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
}
