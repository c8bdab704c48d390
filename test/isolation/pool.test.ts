import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PoolBusyError, PoolClosedError } from '../../server/isolation/errors.ts';
import { openPool, type PoolOptions } from '../../server/isolation/pool.ts';

const limits = { cpuMs: 500 };
const generous = { cpuMs: 60_000 };

const pools: { close(): Promise<void> }[] = [];
afterAll(async () => void (await Promise.all(pools.map((pool) => pool.close()))));

function pool(options: Partial<PoolOptions> = {}) {
  const module = new URL('./hostile-tasks.ts', import.meta.url);
  const opened = openPool({ module, processes: 1, memoryMiB: 64, ...options });
  pools.push(opened);
  return opened;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** For tests that do not depend on what its process has done before. */
const shared = pool();

test('a task gets its input and returns its result, in another process', async () => {
  const { run } = shared;
  expect(await run('double', 21, generous)).toBe(42);
  expect(await run('ownProcess', undefined, generous)).not.toBe(process.pid);
});

test('an error that a task throws rejects it, and the process continues', async () => {
  const { run } = shared;
  const pid = await run('ownProcess', undefined, generous);
  await expect(run('fail', undefined, generous)).rejects.toThrow('wrong');
  expect(await run('ownProcess', undefined, generous)).toBe(pid);
});

test('no secret of the platform is in the environment of a task', async () => {
  process.env['SERVER_KEY_OF_TEST'] = 'secret';
  const environment = await pool().run<object>('environment', undefined, generous);
  expect(JSON.stringify(environment)).not.toContain('secret');
});

describe('a task that exceeds its limits is stopped, and the next one runs', () => {
  const { run } = shared;

  test.each<[task: string, input: unknown, reason: string]>([
    ['loop', undefined, 'time'],
    ['backtrack', undefined, 'time'],
    ['fillHeap', undefined, 'memory'],
    ['allocate', 20_000_000, 'memory'],
    ['parse', 60_000_000, 'memory'],
    ['fillBuffers', undefined, 'memory'],
    ['die', undefined, 'death'],
  ])('%s', async (task, input, reason) => {
    // Memory is filled in less CPU time than this, however slow the machine is.
    const cpuMs = reason === 'time' ? 300 : 30_000;
    await expect(run(task, input, { cpuMs })).rejects.toMatchObject({ name: 'TaskStoppedError', reason });
    expect(await run('double', 1, generous)).toBe(2);
  });

  test('by its timeout, if it only waits', async () => {
    const stopped = run('later', 600_000, { ...generous, timeoutMs: 100 });
    await expect(stopped).rejects.toMatchObject({ reason: 'time' });
  });
});

test('a task whose signal aborts is withdrawn if it waits, and completed if it runs', async () => {
  const { run } = pool();
  const wanted = new AbortController();
  const given = { ...generous, signal: wanted.signal };
  const running = run('later', 100, given);
  const waiting = run('loop', undefined, given);
  wanted.abort(new Error('no longer wanted'));
  await expect(waiting).rejects.toThrow('no longer wanted');
  await running;
  await expect(run('double', 1, given)).rejects.toThrow('no longer wanted');
  expect(await run('double', 1, generous)).toBe(2);
});

test('CPU time counts for each task alone', async () => {
  const { run } = shared;
  for (let count = 0; count < 8; count++) await run('later', 100, { cpuMs: 100, timeoutMs: 60_000 });
});

test('tasks run in at most the allowed number of processes, in the order of their arrival', async () => {
  const { run } = pool({ processes: 2 });
  const pids = await Promise.all(Array.from({ length: 12 }, () => run('ownProcess', undefined, generous)));
  expect(new Set(pids).size).toBeLessThanOrEqual(2);
});

test('a task is refused if the queue is full', async () => {
  const { run } = pool({ maxWaiting: 1 });
  const accepted = [run('later', 10, generous), run('later', 10, generous)];
  await expect(run('later', 10, generous)).rejects.toBeInstanceOf(PoolBusyError);
  expect(await Promise.all(accepted)).toEqual([10, 10]);
});

test('a module that cannot be loaded rejects the task with the reason, not as a limit', async () => {
  const { run } = pool({ module: new URL('./broken-tasks.ts', import.meta.url) });
  await expect(run('double', 1, limits)).rejects.toThrow(/did not start.*cannot be loaded/s);
});

test('a process without work ends, and another one is started for the next task', async () => {
  const { run } = pool({ idleMs: 50 });
  const pid = await run<number>('ownProcess', undefined, generous);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await run('ownProcess', undefined, generous)).not.toBe(pid);
});

test('a process that is ending because it was idle gets no task', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => void timers.mockRestore());
  const idleMs = 54_321;
  const { run } = pool({ idleMs });
  await run('ownProcess', undefined, generous);
  await expect.poll(() => timers.mock.calls.some(([, delay]) => delay === idleMs)).toBe(true);
  const [end] = timers.mock.calls.findLast(([, delay]) => delay === idleMs) ?? [];
  end?.();
  expect(await run('double', 1, generous)).toBe(2);
});

test('close kills running tasks, rejects waiting ones, and leaves no process', async () => {
  const { run, close } = pool();
  const pid = await run<number>('ownProcess', undefined, generous);
  const outcomes = Promise.allSettled([run('loop', undefined, generous), run('double', 1, generous)]);
  await sleep(50);
  await close();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(PoolClosedError) });
  }
  expect(isAlive(pid)).toBe(false);
  await expect(run('double', 1, generous)).rejects.toBeInstanceOf(PoolClosedError);
});
