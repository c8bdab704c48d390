import { type RequestHandler, Router } from 'express';

/**
 * `/healthz`: the process is alive. `/readyz`: it is ready, or 503 with the reasons.
 *
 * @param obstacles returns the reasons; none if it is ready
 */
export function health(obstacles: () => Promise<string[]>): RequestHandler {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const reasons = await obstacles();
    response.set('Cache-Control', 'no-store');
    if (reasons.length === 0) response.json({ status: 'ready' });
    else response.status(503).set('Retry-After', '5').json({ status: 'not ready', reasons });
  });
  return router;
}
