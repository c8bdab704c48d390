import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import type { BlobStore } from '../../blobs/index.ts';
import { DatabaseBusyError } from '../../postgres-client/index.ts';
import type { JobQueue } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { changesObstacle } from '../store/monitoring.ts';

/** What an environment needs to serve requests. `disk`: that of the database. */
export const parts = ['database', 'disk', 'blob_store', 'job_queue'] as const;

/** Why a process is not ready. Without a part, it is starting or stopping. */
export type Obstacle = { reason: string } & (
  | { environment: string; part: (typeof parts)[number] }
  | { environment?: never; part?: never }
);

/**
 * The response of `/healthz`: the process is alive. With obstacles, that of `/readyz`: it is ready, or 503 with the
 * reasons.
 */
export function healthOf(obstacles?: readonly Obstacle[]): { status: number; headers: object; body: object } {
  const headers = { 'Cache-Control': 'no-store' };
  if (!obstacles) return { status: 200, headers, body: { status: 'ok' } };
  const reasons = obstacles.map(({ reason }) => reason);
  if (reasons.length === 0) return { status: 200, headers, body: { status: 'ready' } };
  return { status: 503, headers: { ...headers, 'Retry-After': '5' }, body: { status: 'not ready', reasons } };
}

/** `/healthz` and `/readyz`. @param obstacles returns why the platform is not ready; nothing if it is */
export function health(obstacles: () => Promise<Obstacle[]>): RequestHandler {
  const router = Router();
  const respond = (path: string, check: () => Promise<Obstacle[] | undefined>) =>
    router.get(path, async (_request, response) => {
      const { status, headers, body } = healthOf(await check());
      response.status(status).set(headers).json(body);
    });
  respond('/healthz', async () => undefined);
  respond('/readyz', obstacles);
  return router;
}

/** How long a result is kept, so that probes cost little. */
const keptMilliseconds = 2_000;
/** A part that takes longer is not ready. */
const timeoutMilliseconds = 2_000;

/** What an environment needs to serve requests. */
interface NeededParts {
  name: string;
  requestDatabase: Database;
  blobs: Pick<BlobStore, 'check'>;
  jobs: Pick<JobQueue, 'check'>;
}

/**
 * Checks what the platform needs to serve requests: for each environment the database, the blob store and the job queue.
 *
 * @returns a function that returns what is not ready
 */
export function readiness(environments: NeededParts[]): () => Promise<Obstacle[]> {
  const checks = environments.flatMap(({ name: environment, requestDatabase, blobs, jobs }) => {
    const away = (part: (typeof parts)[number], problem: string): Obstacle => ({
      environment,
      part,
      reason: `the ${environment} ${problem}`,
    });
    return [
      kept(away('database', 'database cannot be reached'), () => checkDatabase(environment, requestDatabase)),
      kept(away('blob_store', 'blob store cannot be written'), async () => void (await blobs.check())),
      kept(away('job_queue', 'job queue cannot be reached'), async () => void (await jobs.check())),
    ];
  });
  return async () => {
    const obstacles = await Promise.all(checks.map((check) => check()));
    return obstacles.filter((obstacle) => obstacle !== undefined);
  };
}

/** Overload is no reason to take a process out of service: then the others would have its load. */
async function checkDatabase(environment: string, database: Database): Promise<Obstacle | undefined> {
  try {
    switch (await changesObstacle(database)) {
      case 'disk-full':
        return { environment, part: 'disk', reason: `the disk of the ${environment} database is full` };
      case 'read-only':
        return { environment, part: 'database', reason: `the ${environment} database is read-only` };
      case 'refused':
        return {
          environment,
          part: 'database',
          reason: `the ${environment} database refuses the platform`,
        };
      case undefined:
        return undefined;
    }
  } catch (error) {
    if (error instanceof DatabaseBusyError) return undefined;
    throw error;
  }
}

/** @param check can return a more exact obstacle */
function kept(
  obstacle: Obstacle,
  check: () => Promise<Obstacle | undefined>,
): () => Promise<Obstacle | undefined> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<Obstacle | undefined>;
  return () => {
    const now = performance.now();
    if (now - checkedAt >= keptMilliseconds) {
      checkedAt = now;
      const result = check().catch(() => obstacle);
      latest = Promise.race([result, sleep(timeoutMilliseconds, obstacle, { ref: false })]);
    }
    return latest;
  };
}
