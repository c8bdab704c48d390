import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hangBound } from '../support/hang-bound.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const world = await workflowWorld();
const { begin, run, executions, failureOf, historyOf, database } = world;

/** Never ends by itself. */
const loop = '{% ($f := function($n) { $f($n + 1) }; $f(0)) %}';

const openJobs = async () => {
  const { rows } = await sql<{ name: string; retries: number }>`
    select name, retry_count as retries from production_jobs.job
    where name in ('execution-step', 'execution-slow-step') and state < 'completed'`.execute(database);
  return rows;
};

// More hostile definitions: isolation.slow.test.ts.
test(
  'a definition that loops fails its execution, and is not repeated',
  async () => {
    const execution = await begin({ Loop: { Type: 'Pass', Output: { value: loop }, End: true } });
    await executions.ended(execution, 'FAILED', hangBound(60_000));
    expect(await failureOf(execution.id)).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining('Not done after 1000 milliseconds of CPU time.'),
    });
    expect(await historyOf(execution.id)).toMatchObject([{ kind: 'failed', state: 'Loop' }]);
    await expect.poll(openJobs).toEqual([]);
  },
  hangBound(120_000),
);

test(
  'a step that was stopped is retried and caught as its definition says, and its call is made once',
  async () => {
    const system = await otherSystem((_request, response) => json(response, 200, { n: 1 }));
    const result = await run(
      {
        Call: {
          Type: 'Task',
          Resource: 'wrp:http:call',
          Arguments: { url: system.url },
          Output: { value: loop },
          Catch: [
            {
              ErrorEquals: ['States.QueryEvaluationError'],
              Output: { caught: '{% $states.errorOutput.Error %}' },
              Next: 'Again',
            },
          ],
          End: true,
        },
        Again: {
          Type: 'Parallel',
          Arguments: { value: loop },
          Branches: [{ StartAt: 'Inner', States: { Inner: { Type: 'Succeed' } } }],
          Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 1, IntervalSeconds: 1 }],
          Catch: [
            {
              ErrorEquals: ['States.ALL'],
              Output: {
                retries: '{% $states.context.State.RetryCount %}',
                first: '{% $states.input.caught %}',
              },
              Next: 'End',
            },
          ],
          End: true,
        },
        End: { Type: 'Succeed' },
      },
      { timeout: hangBound(60_000) },
    );
    expect(result).toEqual({ retries: 1, first: 'States.QueryEvaluationError' });
    expect(system.received).toHaveLength(1);
  },
  hangBound(120_000),
);

test(
  'results of branches that are too large together can be caught',
  async () => {
    const branch = (name: string) => ({
      StartAt: name,
      States: { [name]: { Type: 'Pass', Output: `{% $pad('', 9000000, '${name}') %}`, End: true } },
    });
    const result = await run(
      {
        Both: {
          Type: 'Parallel',
          Branches: [branch('A'), branch('B')],
          Catch: [
            {
              ErrorEquals: ['States.DataLimitExceeded'],
              Output: { why: '{% $states.errorOutput.Cause %}' },
              Next: 'End',
            },
          ],
          End: true,
        },
        End: { Type: 'Succeed' },
      },
      { timeout: hangBound(60_000) },
    );
    expect(result).toEqual({ why: 'The result is larger than 16777216 bytes.' });
  },
  hangBound(120_000),
);
