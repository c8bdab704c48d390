import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AbandonedCallError, runningCalls } from '../../server/src/workflows/calls.ts';
import { workflowWorld } from './support.ts';

const { database } = await workflowWorld();

/** A call that lasts until it is aborted. */
function lastingCall(calls: ReturnType<typeof runningCalls>) {
  let stop: AbortSignal | undefined;
  const thread = { id: randomUUID(), turn: 1 };
  const over = calls.run(thread, new AbortController().signal, (signal) => {
    stop = signal;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  over.catch(() => {});
  return { over, isStopped: () => stop?.aborted };
}

test('only calls that ran at the time of the query are stopped, not later ones', async () => {
  const calls = runningCalls(database);
  const unwanted = lastingCall(calls);
  const asking = calls.abortAbandoned();
  const later = lastingCall(calls);
  await asking;
  await expect(unwanted.over).rejects.toBeInstanceOf(AbandonedCallError);
  expect(later.isStopped()).toBe(false);
  await calls.abortAbandoned();
  await expect(later.over).rejects.toBeInstanceOf(AbandonedCallError);
});
