import { anyOf } from './interruption.ts';

/**
 * What an answer needs for as long as its body is read, which the runtime holds only weakly: Node lets go of a
 * `Request`, and then no signal reaches the body any more, and of a `Response`, and then cancels a body that nobody
 * has begun to read.
 */
const kept = new WeakMap<ReadableStream, readonly object[]>();

/** Fetches, so that the answer's body ends with the signal and not before. */
export async function transmission(
  given: Request,
  signal: AbortSignal,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const request = following(given, signal);
  const response = await fetch(request);
  if (response.body) kept.set(response.body, [request, response]);
  return response;
}

/**
 * A request in whose place middleware has put another follows the signal through the one that is gone. The one that
 * was made for the call has `follows`, as openapi-fetch hands on what it does not know.
 */
function following(given: Request, signal: AbortSignal): Request {
  if ('follows' in given) return given;
  const { referrer, referrerPolicy } = given;
  // Any change of a request resets these two.
  return new Request(given, { signal: anyOf(signal, given.signal), referrer, referrerPolicy });
}
