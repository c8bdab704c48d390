import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isReserved, longestCause, longestErrorName } from '../../asl/index.ts';
import { bodyProblem, Refused, refuse } from '../../contract/index.ts';
import { assertJson, readJsonBody } from '../../http-bodies/index.ts';
import { assertClientWaits, closeAfterResponse, hasBody } from '../../http-server/index.ts';
import type { Json } from '../../json/index.ts';
import type { CountRefused, RateLimit, RateLimits } from '../http/rate-limits.ts';
import type { Callbacks } from '../workflows/callbacks.ts';

const longest = { error: longestErrorName, cause: longestCause };

/**
 * The endpoints that complete a waiting step. They are outside the contract, because the systems that call them
 * need not know the API. The token in the URL is the permission.
 *
 * - `POST /callbacks/{token}` with `{"output": …}` or `{"error": "…", "cause": "…"}`
 * - `POST /callbacks/{token}/heartbeat`
 *
 * Responds with 204; 404 if the token was never issued (429 beyond the budget of refused attempts); 410 if the
 * step no longer waits; 400 if the body is invalid. The body is read only if the step waits.
 *
 * @param options `bodyIdleMs`: how long a client may pause while it sends the body; `limit`: of the requests with one
 *   token
 */
export function callbackEndpoint(
  { stepOf, isWaiting, complete, heartbeat }: Callbacks,
  {
    bodyIdleMs,
    countRefused,
    limits,
    limit,
  }: { bodyIdleMs: number; countRefused: CountRefused; limits: RateLimits; limit: RateLimit },
): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const requestedStep = async (request: Request, response: Response) => {
    const step = stepOf(String(request.params['token']));
    if (step) {
      response.set(await limits.take(`callback:${step.threadId}:${step.step}`, [limit]));
      return step;
    }
    countRefused(request);
    throw new Refused(refuse(404, 'path_not_found', { message: 'No step was given this token.' }));
  };
  router.post('/callbacks/:token', async (request, response) => {
    const step = await requestedStep(request, response);
    if (!(await isWaiting(step))) throw closed();
    assertJson(request.headers);
    const outcome = outcomeOf(await readJsonBody(request, bodyIdleMs));
    if ((await complete(step, outcome, () => assertClientWaits(response))) === 'closed') throw closed();
    response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
  });
  router.post('/callbacks/:token/heartbeat', async (request, response) => {
    if ((await heartbeat(await requestedStep(request, response))) === 'closed') throw closed();
    if (hasBody(request)) closeAfterResponse(request, response);
    response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
  });
  return router;
}

function outcomeOf(body: unknown): Parameters<Callbacks['complete']>[1] {
  const { output, error, cause = '', ...others } = Object(body) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || (output === undefined) === (error === undefined)) {
    throw invalid('', 'must be {"output": …} or {"error": "…", "cause": "…"}');
  }
  if (output !== undefined) return { kind: 'succeeded', result: output as Json };
  if (typeof error !== 'string' || error === '' || error.length > longest.error) {
    throw invalid('/error', `must be a string of 1 to ${longest.error} characters`);
  }
  if (isReserved(error)) throw invalid('/error', 'must not begin with States., which the language reserves');
  if (typeof cause !== 'string' || cause.length > longest.cause) {
    throw invalid('/cause', `must be a string of at most ${longest.cause} characters`);
  }
  return { kind: 'failed', failure: { error, cause } };
}

function invalid(pointer: string, message: string): Refused {
  return new Refused({ status: 400, errors: [bodyProblem(pointer, message)] });
}

function closed(): Refused {
  const message = 'The step is complete or no longer waits.';
  return new Refused(refuse(410, 'link_expired', { message }));
}
