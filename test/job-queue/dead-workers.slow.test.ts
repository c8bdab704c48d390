import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type JobData, type JobName, openJobs, type Workers } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';

const thread = { threadId: randomUUID(), turn: 1 };
/** A job of each type that calls another system, or continues after a call. */
const given = {
  'execution-call': { ...thread, organizationId: randomUUID() },
  'execution-slow-step': { ...thread, organizationId: randomUUID() },
  mail: { to: 'a@example.com', subject: 'Hello', text: 'Hello', workspaceId: randomUUID() },
  'identity-provider-mfa-reset': { idpId: randomUUID() },
} satisfies Partial<JobData>;
const names = Object.keys(given) as (keyof typeof given)[];

/** A database with a job of each type, and a process that has begun them all. */
async function givenWorker() {
  const { connectionString } = await cloneDatabase();
  const open = async (works: boolean) => {
    const settings = { connection: connectionString, schema: 'production_jobs', works };
    const jobs = await openJobs({ ...settings, logger: openLogger('silent') });
    onTestFinished(() => jobs.stop());
    return jobs;
  };
  const database = openDatabase({ connection: connectionString, schema: 'production' });
  onTestFinished(() => database.destroy());
  const adder = await open(false);
  const program = join(import.meta.dirname, 'worker-process.ts');
  const child = spawn(process.execPath, [program, connectionString, ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const begun: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => begun.push(line));
  await database.transaction().execute(async (transaction) => {
    for (const name of names) await adder.enqueue<JobName>(transaction, name, given[name]);
  });
  await until(() => begun.length === names.length, { timeout: scaledTimeout(30_000) });
  return {
    child,
    /** Starts to work in this process. @returns the jobs that it has begun, with the milliseconds until then */
    async work() {
      const taken = new Map<string, number>();
      const jobs = await open(true);
      const workers = names.map((name) => [name, async () => void taken.set(name, performance.now())]);
      await jobs.work(Object.fromEntries(workers) as Workers);
      return taken;
    },
  };
}

async function killed(child: Awaited<ReturnType<typeof givenWorker>>['child']): Promise<number> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  return performance.now();
}

const longest = scaledTimeout(15_000);

test(
  'another worker begins the jobs of a killed one within 15 seconds, and none of one that stands still for a while',
  async () => {
    const { child, work } = await givenWorker();
    const taken = await work();
    child.kill('SIGSTOP');
    await sleep(5_000);
    child.kill('SIGCONT');
    // Longer than a worker may be silent, and the next round.
    await sleep(13_000);
    expect([...taken]).toEqual([]);
    const at = await killed(child);
    await until(() => taken.size === names.length, { timeout: longest + 5_000 });
    const waited = names.map((name) => [name, (taken.get(name) as number) - at < longest]);
    expect(waited).toEqual(names.map((name) => [name, true]));
  },
  scaledTimeout(120_000),
);

test(
  'a worker that starts after another one was killed begins its jobs within 15 seconds of the death',
  async () => {
    const { child, work } = await givenWorker();
    const at = await killed(child);
    const taken = await work();
    await until(() => taken.size === names.length, { timeout: longest + 5_000 });
    const waited = names.map((name) => [name, (taken.get(name) as number) - at < longest]);
    expect(waited).toEqual(names.map((name) => [name, true]));
  },
  scaledTimeout(120_000),
);
