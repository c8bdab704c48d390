import { retain } from '#files';
import { anySignal } from './abort.ts';

/** Calls `fetch` so that the signal, and nothing earlier, ends the response body. */
export async function fetchWithSignal(
  original: Request,
  signal: AbortSignal,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const request = withSignal(original, signal);
  const response = await fetch(request);
  retain?.(request, response);
  return response;
}

/**
 * Attaches the signal to a request that middleware created. The client's own request already has it, and openapi-fetch
 * marks that request with the unknown option `hasSignal`.
 */
function withSignal(request: Request, signal: AbortSignal): Request {
  if ('hasSignal' in request) return request;
  const { referrer, referrerPolicy } = request;
  // Passing any init resets these two.
  return new Request(request, { signal: anySignal(signal, request.signal), referrer, referrerPolicy });
}
