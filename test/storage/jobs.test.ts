import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test } from 'vitest';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openWorkerPool } from '../../server/src/jobs/worker-pool.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { administer } from '../../server/src/postgres/administer.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';

async function givenPool(run: (signal: AbortSignal) => Promise<void>) {
  const cloned = await cloneDatabase();
  const boss = new PgBoss({ connectionString: cloned.connectionString, schema: 'stopping', max: 2 });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('calls', { retryLimit: 1, retryDelay: 60 });
  onTestFinished(() => boss.stop({ graceful: false }));
  await boss.send('calls', {});
  const log: Record<string, unknown>[] = [];
  let begun = 0;
  const pool = openWorkerPool({
    ...{ boss, queue: 'calls', limits: { all: 5, group: 5 }, heartbeatSeconds: 10 },
    ...{ graceMilliseconds: 100, abortMilliseconds: 1_000 },
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
  return { pool, log, stateOf };
}

test('a stop returns a job that aborts to the queue', async () => {
  const { pool, log, stateOf } = await givenPool(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await pool.stop();
  expect(log).toEqual([]);
  expect(await stateOf()).toBe('retry');
});

test('a stop ends although a job continues, which is logged', async () => {
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

test('enables notifications for a mail queue that an older release created without them', async () => {
  const { connectionString } = await cloneDatabase();
  await administer(connectionString, `update production_jobs.queue set notify = false where name = 'mail'`);
  const queue = { connection: connectionString, schema: 'production_jobs', logger: openLogger('silent') };
  const jobs = await openJobs({ ...queue, works: false });
  await jobs.stop();
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(`select notify from production_jobs.queue where name = 'mail'`);
  expect(rows).toEqual([{ notify: true }]);
});
