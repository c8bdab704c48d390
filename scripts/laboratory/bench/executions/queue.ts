import { PgBoss } from 'pg-boss';
import { serveFunctions } from '../child.ts';

const [, , connection = ''] = process.argv;
const queue = 'bench';
const batchSize = 5_000;

const boss = new PgBoss({
  connectionString: connection,
  schema: 'bench_jobs',
  max: 4,
});
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue(queue, {
  retryLimit: 1000,
  retryDelay: 1,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
});
let left = 0;
let done = () => {};

/**
 * The job queue alone, with jobs that do nothing, on the same database and with the same workers and connections as the
 * platform's steps of executions.
 */
export type QueueFunctions = typeof functions;
const functions = { measure };
serveFunctions(functions, () => boss.stop({ graceful: false }));

/** @returns seconds from the first fetch to the last completion */
async function measure(jobs: number): Promise<number> {
  for (let inserted = 0; inserted < jobs; inserted += batchSize) {
    const data = { threadId: '00000000-0000-4000-8000-000000000000', turn: 0 };
    await boss.insert(
      queue,
      Array.from({ length: Math.min(batchSize, jobs - inserted) }, () => ({ data })),
    );
  }
  left = jobs;
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const startedAt = performance.now();
  const options = { batchSize: 20, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
  const work = async (batch: unknown[]) => {
    left -= batch.length;
    if (left === 0) done();
  };
  const workers = await Promise.all([boss.work(queue, options, work), boss.work(queue, options, work)]);
  await finished;
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(workers.map((id) => boss.offWork(queue, { id, wait: true })));
  return seconds;
}
