import type { SignedEvent } from '../../contract.ts';

/** What became of an event that was sent to the receiver. */
export interface Delivery {
  event: SignedEvent;
  at: Date;
  milliseconds: number;
  /** The status of the response; undefined if there was none. */
  status?: number;
  /** Why there was no response, or why the response does not count. */
  error?: string;
}

/** As for the platform's own deliveries. */
const timeoutMilliseconds = 20_000;

/** Sends an event to the receiver as the platform sends webhooks: redirects are not followed, only 2xx is a success. */
export async function forward(event: SignedEvent, to: string, signal: AbortSignal): Promise<Delivery> {
  const at = new Date();
  const startedAt = performance.now();
  const ended = () => ({ event, at, milliseconds: Math.round(performance.now() - startedAt) });
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: { ...event.headers },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    });
    const { status } = response;
    const delivery = { ...ended(), status };
    await response.body?.cancel().catch(() => {});
    return status >= 300 && status < 400 ? { ...delivery, error: 'redirects are not followed' } : delivery;
  } catch (error) {
    return { ...ended(), error: reasonOf(error) };
  }
}

export function isDelivered({ status = 0 }: Delivery): boolean {
  return status >= 200 && status < 300;
}

/** The innermost message: that of fetch is the same for everything. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMilliseconds / 1000} seconds`;
  if (error.name === 'AbortError') return 'stopped';
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return causes[0] instanceof Error ? causes[0].message : error.message;
}
