import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AbandonedCallError, runningCalls } from '../../server/src/workflows/calls.ts';
import { bringForward } from '../support/jobs.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const { database, begin, threadsOf, executions } = await workflowWorld();

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

test('a check for abandoned calls stops only the calls that ran when it began, not later ones', async () => {
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

test('a call is not repeated because the execution cannot continue after it', async () => {
  const system = await otherSystem((_request, response) => json(response, 200, { done: true }));
  await sql`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test'; end $$`.execute(database);
  await sql`create trigger refuse before update of status on executions execute function refuse()`.execute(
    database,
  );
  const { id } = await begin({
    Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: system.url }, End: true },
  });
  await until(async () => (await threadsOf(id))[0]?.outcome);
  await sql`drop trigger refuse on executions`.execute(database);
  await until(async () => {
    await bringForward(database, 'execution-call', 60);
    return (await executions.read(id)).status === 'COMPLETED';
  });
  expect(system.received).toHaveLength(1);
});
