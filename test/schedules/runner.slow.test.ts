import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { scheduleRow, startedTimes } from './support.ts';

/** The clock of the processes: a minute passes in 300 ms, and the last 100 minutes are made up, which is half a minute. */
const speed = 200;
const base = '2026-05-04T09:00:00Z';
const kills = 12;
const minute = 60_000;

test('four processes, any of which is killed at any time, start each due time exactly once', async () => {
  const { connectionString, database } = await openClone();
  const { world } = await given(database, { now: () => new Date(base), forward() {} });
  const startedAt = Date.now();
  const now = () => Date.parse(base) + (Date.now() - startedAt) * speed;
  const start = () => {
    const program = join(import.meta.dirname, 'runner-process.ts');
    const args = [connectionString, base, String(startedAt), String(speed)];
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const children: ChildProcess[] = Array.from({ length: 4 }, start);
  await Promise.all(children.map((child) => once(child.stdout as NodeJS.ReadableStream, 'data')));
  const first = Math.ceil(now() / minute) * minute;
  const rows = Array.from({ length: 2 }, () =>
    scheduleRow(world, { catch_up: 'all', next_due_at: new Date(first) }),
  );
  await database.insertInto('schedules').values(rows).execute();
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.random() * 800);
    const victim = children.shift() as ChildProcess;
    victim.kill('SIGKILL');
    children.push(start());
  }
  const nextDue = async () => {
    const stored = await database.selectFrom('schedules').select('next_due_at').execute();
    return Math.min(...stored.map(({ next_due_at: next }) => next.getTime()));
  };
  // Until what was due at the last kill is started.
  const end = now();
  await until(async () => (await nextDue()) > end, { timeout: scaledTimeout(60_000) });
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.filter(({ signalCode }) => !signalCode).map((child) => once(child, 'exit')));

  for (const { name } of rows) {
    const { next_due_at: next, last_outcome: outcome } = await database
      .selectFrom('schedules')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    expect(outcome).toBe('started');
    const expected: string[] = [];
    for (let due = first; due < next.getTime(); due += minute) expected.push(new Date(due).toISOString());
    expect(expected.length).toBeGreaterThan(kills / 2);
    expect(await startedTimes(database, name)).toEqual(expected);
  }
});
