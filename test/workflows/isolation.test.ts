import { expect, test } from 'vitest';
import { scaledTimeout } from '../support/timeout.ts';
import { loop, openJobs, workflowWorld } from './support.ts';

const world = await workflowWorld();
const { begin, executions, failureOf, historyOf, database } = world;

// More hostile definitions: isolation.slow.test.ts.
test(
  'a definition that loops fails its execution, and is not repeated',
  async () => {
    const execution = await begin({ Loop: { Type: 'Pass', Output: { value: loop }, End: true } });
    await executions.ended(execution, 'FAILED', scaledTimeout(60_000));
    expect(await failureOf(execution.id)).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining('Not done after 1000 milliseconds of CPU time.'),
    });
    expect(await historyOf(execution.id)).toMatchObject([{ kind: 'failed', state: 'Loop' }]);
    await expect.poll(() => openJobs(database)).toEqual([]);
  },
  scaledTimeout(120_000),
);
