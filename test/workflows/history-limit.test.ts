import { expect, test } from 'vitest';
import { maxHistoryEntries } from '../../server/src/workflows/history-limit.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { workflowWorld } from './support.ts';

const most = 150;
const { begin, run, executions, failureOf, historyOf, threadsOf } = await workflowWorld({
  maxHistoryEntries: most,
});
const failure = {
  error: 'States.Runtime',
  cause: `The execution has reached the limit of ${most} history entries.`,
};

const endless = { Round: { Type: 'Pass', Next: 'Again' }, Again: { Type: 'Pass', Next: 'Round' } };

test('an execution may have 25,000 entries of history', () => {
  expect(maxHistoryEntries).toBe(25_000);
});

test('an execution that reaches the limit of its history fails with States.Runtime', async () => {
  const execution = await begin(endless);
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toEqual(failure);
  expect(await historyOf(execution.id)).toHaveLength(most);
  expect(await threadsOf(execution.id)).toMatchObject([{ status: 'stopped' }]);
});

test('entries of all threads of an execution count together, and neither Catch nor ToleratedFailureCount applies', async () => {
  const execution = await begin({
    Each: {
      Type: 'Map',
      Items: [1, 2, 3],
      ToleratedFailurePercentage: 100,
      ItemProcessor: { StartAt: 'Round', States: endless },
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
      Next: 'Caught',
    },
    Caught: { Type: 'Succeed', Output: {} },
  });
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toEqual(failure);
  // Each of three threads may write one more after the last allowed entry.
  const entries = await historyOf(execution.id);
  expect(entries.length).toBeGreaterThanOrEqual(most);
  expect(entries.length).toBeLessThanOrEqual(most + 3);
});

test('entries of waits and retries count, across the jobs of an execution', async () => {
  const execution = await begin({
    Rest: { Type: 'Wait', Seconds: 0, Next: 'Fails' },
    Fails: {
      Type: 'Task',
      Resource: 'wrp:resource:create',
      Arguments: {},
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxDelaySeconds: 1, MaxAttempts: 3 }],
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Round' }],
      Next: 'Round',
    },
    ...endless,
  });
  await executions.ended(execution, 'FAILED', scaledTimeout(60_000));
  expect(await failureOf(execution.id)).toEqual(failure);
  expect(await historyOf(execution.id)).toHaveLength(most);
});

test('an execution below the limit is not affected', async () => {
  const states = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `S${index}`,
      index === 99 ? { Type: 'Succeed', Output: { ok: true } } : { Type: 'Pass', Next: `S${index + 1}` },
    ]),
  );
  expect(await run(states)).toEqual({ ok: true });
});
