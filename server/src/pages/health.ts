import { type RequestHandler, Router } from 'express';

/**
 * `/healthz`: the process is alive. `/readyz`: it is ready, or 503 with the reason.
 *
 * @param obstacle returns the reason; undefined if it is ready
 */
export function health(obstacle: () => Promise<string | undefined>): RequestHandler {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const reason = await obstacle();
    response
      .status(reason ? 503 : 200)
      .set('Cache-Control', 'no-store')
      .json(reason ? { status: 'not ready', reason } : { status: 'ready' });
  });
  return router;
}
