import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvironmentDependencies } from '../dependencies.ts';
import { type Database, DatabaseBusyError } from '../store/database.ts';

/** How long a result is kept, so that probes cost little. */
const keptMilliseconds = 2_000;
/** A part that takes longer is not ready. */
const timeoutMilliseconds = 2_000;

/**
 * Checks what the platform needs to serve requests: for each environment the database, the blob store and the job queue.
 *
 * @returns a function that returns what is not ready, in words
 */
export function readiness(environments: EnvironmentDependencies[]): () => Promise<string[]> {
  const checks = environments.flatMap(({ name, requestDatabase, blobs, jobs }) => [
    kept(`the ${name} database cannot be reached`, () => connect(requestDatabase)),
    kept(`the ${name} blob store cannot be written`, () => blobs.check()),
    kept(`the ${name} job queue cannot be reached`, () => jobs.check()),
  ]);
  return async () => {
    const problems = await Promise.all(checks.map((check) => check()));
    return problems.filter((problem) => problem !== undefined);
  };
}

/** Overload is no reason to take a process out of service: then the others would have its load. */
async function connect(database: Database): Promise<void> {
  try {
    await database.selectNoFrom((is) => is.lit(1).as('one')).execute();
  } catch (error) {
    if (!(error instanceof DatabaseBusyError)) throw error;
  }
}

function kept(problem: string, check: () => Promise<unknown>): () => Promise<string | undefined> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string | undefined>;
  return () => {
    const now = performance.now();
    if (now - checkedAt >= keptMilliseconds) {
      checkedAt = now;
      const result = check().then(
        () => undefined,
        () => problem,
      );
      latest = Promise.race([result, sleep(timeoutMilliseconds, problem, { ref: false })]);
    }
    return latest;
  };
}
