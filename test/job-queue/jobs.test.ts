import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorkerPool } from '../../server/job-queue/worker-pool.ts';
import { administer, transact } from '../../server/postgres-client/index.ts';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';

async function givenBoss() {
  const cloned = await cloneDatabase();
  const boss = new PgBoss({ connectionString: cloned.connectionString, schema: 'pools', max: 2 });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('calls', { retryLimit: 1, retryDelay: 60 });
  onTestFinished(() => boss.stop({ graceful: false }));
  return boss;
}

async function givenPool(run: (signal: AbortSignal) => Promise<void>) {
  const boss = await givenBoss();
  await boss.send('calls', {});
  const log: Record<string, unknown>[] = [];
  let begun = 0;
  const pool = openWorkerPool({
    boss,
    queue: 'calls',
    limits: { all: 5, group: 5 },
    heartbeatSeconds: 1,
    graceMilliseconds: 100,
    abortMilliseconds: 1_000,
    logger: openLogger('info', { write: (line) => void log.push(JSON.parse(line)) }),
    run(_data, { signal }) {
      begun += 1;
      return run(signal);
    },
  });
  await until(() => begun === 1);
  const stateOf = async () => {
    const [job] = await boss.findJobs('calls', {});
    return job?.state;
  };
  return { boss, pool, log, stateOf };
}

test('stopping a worker returns a job that aborts to the queue', async () => {
  const { pool, log, stateOf } = await givenPool(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await pool.stop();
  expect(log).toEqual([]);
  expect(await stateOf()).toBe('retry');
});

test('stopping a worker ends although a job continues, and logs it', async () => {
  let end = () => {};
  const { pool, log, stateOf } = await givenPool(
    () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  );
  await pool.stop();
  expect(log).toMatchObject([{ msg: 'jobs did not end', queue: 'calls' }]);
  expect(await stateOf()).toBe('active');
  end();
});

test('a job that another worker has taken over is aborted', async () => {
  let aborted = false;
  const { boss, pool } = await givenPool(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      }),
  );
  onTestFinished(() => pool.stop());
  const [job] = await boss.findJobs('calls', {});
  await boss.fail('calls', job?.id ?? '');
  await until(() => aborted);
});

const logger = openLogger('silent');

// With some of its slots used by another process, only the database knows that the group has reached its limit.
test.each([0, 1, 2])(
  'a group that always has due jobs does not delay other groups: another process runs %i of them',
  async (elsewhere) => {
    const boss = await givenBoss();
    const limits = { all: 20, group: 2 };
    const busy = Array.from({ length: 400 }, () => ({ data: { group: 'busy' }, group: { id: 'busy' } }));
    await boss.insert('calls', busy);
    await boss.send('calls', { group: 'other' }, { group: { id: 'other' } });
    if (elsewhere > 0) await boss.fetch('calls', { batchSize: elsewhere, groupConcurrency: limits.group });
    const started: string[] = [];
    const pool = openWorkerPool({
      boss,
      queue: 'calls',
      limits,
      heartbeatSeconds: 10,
      logger,
      graceMilliseconds: 100,
      abortMilliseconds: 1_000,
      run: async (data) => void started.push((data as { group: string }).group),
    });
    onTestFinished(() => pool.stop());
    await until(() => started.includes('other'));
    expect(started.indexOf('other')).toBe(limits.group - elsewhere);
  },
);

test('a queue that an older release created gets the settings of this one', async () => {
  const { connectionString } = await cloneDatabase();
  const settingsOf = async () => {
    const client = new Client({ connectionString });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query(`select name, notify, retry_limit, retry_backoff, heartbeat_seconds
      from production_jobs.queue order by name`);
    return rows;
  };
  const current = await settingsOf();
  await administer(
    connectionString,
    `update production_jobs.queue set notify = true, retry_limit = 1000, retry_backoff = false
      where name not like '\\_\\_%'`,
  );
  const queue = { connection: connectionString, schema: 'production_jobs', logger };
  const jobs = await openJobs({ ...queue, works: false });
  await jobs.stop();
  const own = (rows: { name: string }[]) => rows.filter(({ name }) => !name.startsWith('__'));
  expect(own(await settingsOf())).toEqual(own(current));
});

test('calls of one organization that never return leave slots for another organization', async () => {
  const { connectionString } = await cloneDatabase();
  const connection = { connection: connectionString, schema: 'production' };
  const database = openDatabase(connection);
  const jobs = await openJobs({ ...connection, schema: 'production_jobs', logger });
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  onTestFinished(async () => {
    respond();
    await jobs.stop();
    await database.destroy();
  });
  const called: string[] = [];
  await jobs.work({
    async 'execution-call'({ organizationId }) {
      called.push(organizationId);
      if (organizationId === 'hanging') await responded;
    },
  });
  const hanging = { threadId: randomUUID(), turn: 1, organizationId: 'hanging' };
  await jobs.enqueueAll(database, 'execution-call', Array(120).fill(hanging));
  jobs.poll('execution-call');
  await until(() => called.length >= 100);
  await jobs.enqueueAll(database, 'execution-call', [{ ...hanging, organizationId: 'other' }]);
  jobs.poll('execution-call');
  await until(() => called.includes('other'));
  expect(called).toHaveLength(101);
});

test('of many jobs added at once, those with a delay start later', async () => {
  const { database, jobs } = await givenJobs({ works: true });
  const threads = [0, 300, 0].map((delay) => ({ threadId: randomUUID(), turn: 0, delay }));
  const started = new Map<string, number>();
  const added = performance.now();
  await transact(database, (transaction) =>
    jobs.enqueueAll(
      transaction,
      'execution-step',
      threads.map(({ threadId, turn }) => ({ threadId, turn })),
      threads.map(({ delay }) => delay),
    ),
  );
  await jobs.work({
    async 'execution-step'({ threadId }) {
      started.set(threadId, performance.now() - added);
    },
  });
  await until(() => started.size === 3);
  const [first, delayed, last] = threads.map(({ threadId }) => started.get(threadId) as number);
  expect(delayed).toBeGreaterThanOrEqual(300);
  expect(Math.max(first as number, last as number)).toBeLessThan(delayed as number);
});

async function givenJobs(options: { works: boolean }) {
  const { connectionString } = await cloneDatabase();
  const connection = { connection: connectionString, schema: 'production' };
  const database = openDatabase(connection);
  const jobs = await openJobs({ ...connection, ...options, schema: 'production_jobs', logger });
  onTestFinished(async () => {
    await jobs.stop();
    await database.destroy();
  });
  return { connectionString, database, jobs };
}

const reset = (idpId: string) => ({ idpId });

test('jobs of a batch are retried alone: one that fails does not repeat the others', async () => {
  const { connectionString, database, jobs } = await givenJobs({ works: true });
  const threads = Array.from({ length: 5 }, () => ({ threadId: randomUUID(), turn: 0 }));
  const [failing] = threads;
  const ran: string[] = [];
  await transact(database, (transaction) => jobs.enqueueAll(transaction, 'execution-step', threads));
  await jobs.work({
    async 'execution-step'({ threadId }) {
      const isRepeated = ran.includes(threadId);
      ran.push(threadId);
      if (threadId === failing?.threadId && !isRepeated) throw new Error('once');
    },
  });
  await until(() => ran.length === 6);
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  const statesOf = async () => {
    const { rows } = await client.query(`select state, count(*)::int from production_jobs.job
      where name = 'execution-step' group by state`);
    return rows;
  };
  await until(async () => (await statesOf()).length === 1);
  expect(await statesOf()).toEqual([{ state: 'completed', count: 5 }]);
  expect(ran.toSorted()).toEqual([...threads, failing].map((thread) => thread?.threadId).sort());
});

test('workers of this process are woken when a job is committed', async () => {
  const { database, jobs } = await givenJobs({ works: true });
  const ran: string[] = [];
  await jobs.work({ 'identity-provider-mfa-reset': async ({ idpId }) => void ran.push(idpId) });
  // The first fetch finds nothing.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const startedAt = performance.now();
  for (const idpId of ['a', 'b', 'c']) {
    await transact(database, (transaction) =>
      jobs.enqueue(transaction, 'identity-provider-mfa-reset', reset(idpId)),
    );
    await until(() => ran.includes(idpId), { interval: 5 });
  }
  expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(2_000));
});

describe('workers of another process', () => {
  async function givenProcesses() {
    const { connectionString, database, jobs } = await givenJobs({ works: false });
    const working = await openJobs({ connection: connectionString, schema: 'production_jobs', logger });
    onTestFinished(() => working.stop());
    const ran: string[] = [];
    await working.work({
      'identity-provider-mfa-reset': async ({ idpId }) => void ran.push(idpId),
      'execution-call': async ({ organizationId }) => void ran.push(organizationId),
    });
    // The first fetches and the first round find nothing.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return { database, jobs, working, ran };
  }
  const call = (organizationId: string) => ({ threadId: randomUUID(), turn: 1, organizationId });

  test('start committed jobs of each kind of queue at once, and none that are not committed', async () => {
    const { database, jobs, ran } = await givenProcesses();
    const refused = transact(database, async (transaction) => {
      await jobs.enqueue(transaction, 'execution-call', call('refused'));
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    const startedAt = performance.now();
    for (const [at, add] of [
      ['a', (transaction: Database) => jobs.enqueue(transaction, 'identity-provider-mfa-reset', reset('a'))],
      ['b', (transaction: Database) => jobs.enqueue(transaction, 'execution-call', call('b'))],
      ['c', (transaction: Database) => jobs.enqueue(transaction, 'identity-provider-mfa-reset', reset('c'))],
    ] as const) {
      await transact(database, add);
      await until(() => ran.includes(at), { interval: 5 });
    }
    // Three rounds would take six seconds.
    expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(2_000));
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  test('hear a signal', async () => {
    const { jobs, working } = await givenProcesses();
    let heard = 0;
    working.on('events', () => void heard++);
    jobs.signal('events');
    await until(() => heard > 0, { interval: 5 });
  });

  test('find jobs without a notification in the next round', async () => {
    const { database, jobs, ran } = await givenProcesses();
    // Without `transact`, no worker is notified.
    await jobs.enqueueAll(database, 'identity-provider-mfa-reset', [reset('unnotified')]);
    await jobs.enqueueAll(database, 'execution-call', [call('also unnotified')]);
    await until(() => ran.length === 2, { timeout: scaledTimeout(6_000) });
  });
});
