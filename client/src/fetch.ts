import { retain } from '#files';
import { anySignal } from './abort.ts';

/** Calls `fetch` so that the signal, and nothing earlier, ends the response body. */
export async function fetchWithSignal(
  original: Request,
  signal: AbortSignal,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { referrer, referrerPolicy } = original;
  // The client's own request has the signal, and openapi-fetch marks it with the unknown option `hasSignal`. Passing any
  // init resets the other two.
  const request =
    'hasSignal' in original
      ? original
      : new Request(original, { signal: anySignal(signal, original.signal), referrer, referrerPolicy });
  const response = await fetch(request);
  retain?.(request, response);
  return response;
}
