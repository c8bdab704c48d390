import type { Api } from '../support/api.ts';
import { type Clock, given as givenIn } from '../support/given.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

/** The world of two organizations in a database without a platform, at a fixed time. */
export async function twoOrganizations() {
  const database = await emptyDatabase();
  const now = new Date('2026-11-19T09:00:00.000Z');
  const clock: Clock = { now: () => now, forward: () => {} };
  const { world, ...given } = await givenIn(database, clock);
  const { runningExecution } = workflowsOf({
    database,
    clock,
    given,
    world,
    dataDirectory: '',
  } as Api);
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  return { database, now, world, given, runningExecution, minutes };
}
