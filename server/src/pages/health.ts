import { type RequestHandler, Router } from 'express';

/**
 * The response of `/healthz`: the process is alive. With reasons, that of `/readyz`: it is ready, or 503 with the
 * reasons.
 */
export function healthOf(reasons?: readonly string[]): { status: number; headers: object; body: object } {
  const headers = { 'Cache-Control': 'no-store' };
  if (!reasons) return { status: 200, headers, body: { status: 'ok' } };
  if (reasons.length === 0) return { status: 200, headers, body: { status: 'ready' } };
  return { status: 503, headers: { ...headers, 'Retry-After': '5' }, body: { status: 'not ready', reasons } };
}

/** `/healthz` and `/readyz`. @param obstacles returns the reasons why the platform is not ready; none if it is */
export function health(obstacles: () => Promise<string[]>): RequestHandler {
  const router = Router();
  const respond = (path: string, look: () => Promise<string[] | undefined>) =>
    router.get(path, async (_request, response) => {
      const { status, headers, body } = healthOf(await look());
      response.status(status).set(headers).json(body);
    });
  respond('/healthz', async () => undefined);
  respond('/readyz', obstacles);
  return router;
}
