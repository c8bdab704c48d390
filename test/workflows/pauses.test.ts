import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pauseDefinition, resumeDefinition } from '../../server/src/store/pauses.ts';
import { wakeResumed } from '../../server/src/workflows/pauses.ts';
import { retryExecution } from '../../server/src/workflows/retry.ts';
import { blockedBy, until } from '../support/waiting.ts';
import { byAda } from './retry-world.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const { executions, define, threadsOf, failureOf, pass, noJobsFor, database, clock, jobs } =
  await workflowWorld();

const pause = (id: string) => pauseDefinition(database, id, { reason: undefined, now: clock.now() });
const resume = (id: string) => resumeDefinition(database, id);
const start = (workflowDefinitionId: string) => executions.start({ workflowDefinitionId });
/** Waits until this many threads of an execution are suspended, and none has a job. */
async function suspended({ id }: { id: string }, count = 1) {
  const threads = await until(async () => {
    const all = (await threadsOf(id)).filter(({ parked_for: of }) => of !== null);
    return all.length === count && all;
  });
  await noJobsFor(threads);
  return threads;
}

const call = (url: string, more: object = {}) => ({
  Type: 'Task',
  Resource: 'wrp:http:call',
  Arguments: { url },
  ...more,
});
const callback = (url: string, more: object = {}) => ({
  Type: 'Task',
  Resource: 'wrp:callback:wait',
  Arguments: { request: { url } },
  ...more,
});
const rest = (next: string) => ({ Type: 'Wait', Seconds: 600, Next: next });
const system = () => otherSystem((_request, response) => json(response, 200, {}));
const answer = (url: unknown, body: object) =>
  fetch(String(url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a new execution of a paused definition waits for its resumption, without a job', async () => {
  const { url, received } = await system();
  const id = await define({ Call: call(url, { End: true }) });
  expect([await pause(id), await pause(id)]).toEqual(['paused', 'already_paused']);
  const execution = await start(id);
  await suspended(execution);
  expect(await executions.read(execution.id)).toMatchObject({ status: 'RUNNING' });
  expect(received).toEqual([]);
  expect([await resume(id), await resume(id)]).toEqual(['resumed', 'not_paused']);
  await executions.ended(execution);
  expect(received).toHaveLength(1);
});

test('a wait that ends while its definition is paused is kept', async () => {
  const { url, received } = await system();
  const id = await define({ Rest: rest('Call'), Call: call(url, { End: true }) });
  const execution = await start(id);
  await until(async () => (await threadsOf(execution.id))[0]?.awaiting === 'wait');
  await pause(id);
  await pass(600);
  await suspended(execution);
  expect(received).toEqual([]);
  await resume(id);
  await executions.ended(execution);
  expect(received).toHaveLength(1);
});

test('a definition does not stop the executions of another', async () => {
  const { url } = await system();
  const [paused, other] = [
    await define({ A: { Type: 'Succeed' } }),
    await define({ Call: call(url, { End: true }) }),
  ];
  await pause(paused);
  const execution = await start(paused);
  await executions.ended(await start(other));
  await suspended(execution);
  await resume(paused);
  await executions.ended(execution);
});

/** An execution that has asked for a callback, of a definition that is then paused. */
async function asked(fields: object) {
  const { url, received } = await system();
  const id = await define({ Ask: callback(url, { End: true, ...fields }) });
  const execution = await start(id);
  await until(async () => (await threadsOf(execution.id))[0]?.awaiting === 'callback');
  await pause(id);
  return { id, execution, url: String(received[0]?.headers['callback-url']) };
}

test.each([
  ['before', false],
  ['after', true],
])('a callback is accepted during a pause, also %s its deadline', async (_what, due) => {
  const { id, execution, url } = await asked({ TimeoutSeconds: 600 });
  if (due) {
    await pass(600);
    await suspended(execution);
  }
  expect((await answer(url, { output: { approved: true } })).status).toBe(204);
  await until(async () => (await threadsOf(execution.id)).some((each) => each.outcome && each.parked_for));
  expect((await answer(url, { output: {} })).status).toBe(410);
  await resume(id);
  await executions.ended(execution);
  expect(await (await executions.result(execution.id)).json()).toEqual({ approved: true });
});

test('a callback that does not arrive by its deadline fails the step when the definition resumes', async () => {
  const { id, execution } = await asked({ TimeoutSeconds: 600 });
  await pass(600);
  await suspended(execution);
  await resume(id);
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toMatchObject({ error: 'States.Timeout' });
});

test('a heartbeat during a pause moves the deadline', async () => {
  const { id, execution, url } = await asked({ TimeoutSeconds: 6000, HeartbeatSeconds: 600 });
  await pass(600);
  await suspended(execution);
  expect((await fetch(`${url}/heartbeat`, { method: 'POST' })).status).toBe(204);
  await resume(id);
  await until(async () => (await threadsOf(execution.id))[0]?.parked_for === null);
  expect((await answer(url, { output: { late: true } })).status).toBe(204);
  await executions.ended(execution);
});

test('the deadlines of a callback begin with its request, not before the pause', async () => {
  let id = '';
  const first = await otherSystem(async (_request, response) => {
    await pause(id);
    json(response, 200, {});
  });
  const second = await system();
  id = await define({
    First: call(first.url, { Next: 'Ask' }),
    Ask: callback(second.url, { TimeoutSeconds: 600, End: true }),
  });
  const execution = await start(id);
  const [thread] = await suspended(execution);
  expect(thread?.awaiting).toBe('call');
  await pass(601);
  await resume(id);
  const url = await until(() => second.received[0]?.headers['callback-url']);
  expect((await answer(url, { output: { approved: true } })).status).toBe(204);
  await executions.ended(execution);
});

test('a suspended execution can be cancelled, and expires', async () => {
  const states = { Rest: { Type: 'Succeed' } };
  const id = await define(states);
  const timed = await define(states, { TimeoutSeconds: 600 });
  await Promise.all([pause(id), pause(timed)]);
  const [cancelled, expired] = [await start(id), await start(timed)];
  await Promise.all([suspended(cancelled), suspended(expired)]);
  await executions.cancel(cancelled.id);
  await executions.ended(cancelled, 'CANCELLED');
  clock.forward(601_000);
  await executions.ended(expired, 'FAILED');
  await Promise.all([resume(id), resume(timed)]);
  expect(await threadsOf(cancelled.id)).toEqual([]);
});

test('an execution that failed while it was suspended is retried, and continues once', async () => {
  const { url, received } = await system();
  const states = { Rest: rest('Call'), Call: call(url, { End: true }) };
  const id = await define(states, { TimeoutSeconds: 1_000 });
  const execution = await start(id);
  await until(async () => (await threadsOf(execution.id))[0]?.awaiting === 'wait');
  await pause(id);
  await pass(600);
  await suspended(execution);
  clock.forward(401_000);
  await executions.ended(execution, 'FAILED');
  expect(await threadsOf(execution.id)).toMatchObject([{ status: 'stopped', parked_for: null }]);
  const retry = { executionId: execution.id, origin: byAda(clock.now()) };
  expect(await retryExecution({ database, jobs, now: clock.now() }, retry)).toMatchObject({
    kind: 'retried',
  });
  await suspended(execution);
  await resume(id);
  await executions.ended(execution);
  expect(received).toHaveLength(1);
});

/** Copies a suspended execution. */
async function copies({ id }: { id: string }, count: number): Promise<void> {
  await sql`
    with copy as materialized (select n, gen_random_uuid() as execution from generate_series(1, ${count}::int) n),
    executions as (
      insert into executions (id, workspace_id, workflow_definition_id, definition_revision_id, name, revision, locale,
        parameters, execution_type, origin, result_origin, started_by, expires_at, deadline_at, created_at)
      select copy.execution, workspace_id, workflow_definition_id, definition_revision_id, name, revision, locale,
        parameters, execution_type, origin, result_origin, started_by, expires_at, deadline_at, created_at
      from executions, copy where id = ${id})
    insert into threads (id, execution_id, scope, frame, status, parked_for)
    select gen_random_uuid(), copy.execution, scope, frame, status, parked_for
    from threads, copy where execution_id = ${id}`.execute(database);
}

test('10,000 suspended threads are woken in batches, each once, by several processes at once', async () => {
  const count = 10_000;
  const id = await define({ Only: { Type: 'Succeed' } });
  await pause(id);
  const execution = await start(id);
  await suspended(execution);
  await copies(execution, count - 1);
  const threads = database
    .selectFrom('threads')
    .innerJoin('executions', 'executions.id', 'execution_id')
    .select('threads.id')
    .where('workflow_definition_id', '=', id);
  const ids = (await threads.execute()).map((thread) => thread.id);
  await resume(id);
  await Promise.all([1, 2, 3].map(() => wakeResumed({ database, jobs, now: clock.now }, [id])));
  const completed = database
    .selectFrom('executions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workflow_definition_id', '=', id)
    .where('status', '=', 'COMPLETED');
  await until(async () => (await completed.executeTakeFirstOrThrow()).count === count, { timeout: 120_000 });
  // Finished jobs are kept for ten minutes. The first thread has one more, which suspended it.
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from production_jobs.job
    where name = 'execution-step' and data->>'threadId' = any(${ids}::text[])`.execute(database);
  expect(rows[0]?.jobs).toBe(count + 1);
});

test('a process that ends while it wakes threads loses none, and wakes none twice', async () => {
  const { url, received } = await system();
  const id = await define({ Call: call(url, { End: true }) });
  await pause(id);
  const all = await Promise.all(Array.from({ length: 5 }, () => start(id)));
  await Promise.all(all.map((execution) => suspended(execution)));
  await database.transaction().execute(async (transaction) => {
    await sql`lock table production_jobs.job in share mode`.execute(transaction);
    await resume(id);
    // The threads are updated; the jobs wait for the lock. As seen by the database, the process is killed now.
    await until(async () => (await blockedBy(transaction)) > 0);
    const { rows } = await sql<{ query: string }>`
      select query, pg_terminate_backend(pid) from pg_stat_activity
      where pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(transaction);
    expect(rows.length).toBeGreaterThan(0);
  });
  await Promise.all(all.map((execution) => executions.ended(execution)));
  expect(received).toHaveLength(all.length);
});

test('a job that suspends its thread while the definition resumes runs it instead', async () => {
  const { url, received } = await system();
  const id = await define({ Call: call(url, { End: true }) });
  await pause(id);
  const execution = await database.transaction().execute(async (transaction) => {
    await resumeDefinition(transaction, id);
    const begun = await start(id);
    // The job has read that the definition is paused, and waits for the lock to suspend its thread.
    await until(async () => (await blockedBy(transaction)) > 0);
    return begun;
  });
  await executions.ended(execution);
  expect(received).toHaveLength(1);
});

test('pausing and resuming at any moment loses no step and repeats none', async () => {
  const { url, received } = await system();
  const steps = Array.from({ length: 6 }, (_, index) => `S${index}`);
  const states = Object.fromEntries(
    steps.map((name, index) => {
      const next = steps[index + 1];
      return [name, call(`${url}/${name}`, next ? { Next: next } : { End: true })];
    }),
  );
  const id = await define(states);
  const all = await Promise.all(Array.from({ length: 10 }, () => start(id)));
  let isEnded = false;
  const toggling = (async () => {
    for (let each = 0; !isEnded; each++) {
      await (each % 2 === 0 ? pause(id) : resume(id));
      await new Promise((resolve) => setTimeout(resolve, (each * 37) % 150));
      if (each % 2 === 1) await wakeResumed({ database, jobs, now: clock.now }, [id]);
    }
    await resume(id);
  })();
  await Promise.all(all.map((execution) => executions.ended(execution)));
  isEnded = true;
  await toggling;
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(all.length * steps.length);
  expect(keys).toHaveLength(all.length * steps.length);
});
