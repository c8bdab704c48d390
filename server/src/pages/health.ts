import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import type { BlobStore } from '../../blobs/index.ts';
import { DatabaseBusyError } from '../../postgres-client/index.ts';
import type { JobQueue } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { changesObstacle } from '../store/monitoring.ts';

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
  const respond = (path: string, check: () => Promise<string[] | undefined>) =>
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
 * @returns a function that returns what is not ready, in words
 */
export function readiness(environments: NeededParts[]): () => Promise<string[]> {
  const checks = environments.flatMap(({ name, requestDatabase, blobs, jobs }) => [
    kept(`the ${name} database cannot be reached`, () => checkDatabase(name, requestDatabase)),
    kept(`the ${name} blob store cannot be written`, () => blobs.check()),
    kept(`the ${name} job queue cannot be reached`, () => jobs.check()),
  ]);
  return async () => {
    const problems = await Promise.all(checks.map((check) => check()));
    return problems.filter((problem) => problem !== undefined);
  };
}

/** Overload is no reason to take a process out of service: then the others would have its load. */
async function checkDatabase(name: string, database: Database): Promise<string | undefined> {
  try {
    switch (await changesObstacle(database)) {
      case 'disk-full':
        return `the disk of the ${name} database is full`;
      case 'read-only':
        return `the ${name} database is read-only`;
      case 'refused':
        return `the ${name} database refuses the platform`;
      case undefined:
        return undefined;
    }
  } catch (error) {
    if (error instanceof DatabaseBusyError) return undefined;
    throw error;
  }
}

/** @param check can return a more exact problem */
function kept(problem: string, check: () => Promise<unknown>): () => Promise<string | undefined> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string | undefined>;
  return () => {
    const now = performance.now();
    if (now - checkedAt >= keptMilliseconds) {
      checkedAt = now;
      const result = check().then(
        (exact) => (typeof exact === 'string' ? exact : undefined),
        () => problem,
      );
      latest = Promise.race([result, sleep(timeoutMilliseconds, problem, { ref: false })]);
    }
    return latest;
  };
}
