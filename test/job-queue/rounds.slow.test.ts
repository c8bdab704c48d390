import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';

const logger = openLogger('silent');

test('one of the processes that work makes the rounds, and another one when it has ended', async () => {
  const { connectionString } = await cloneDatabase();
  const opened = await Promise.all(
    [0, 1].map(() => openJobs({ connection: connectionString, schema: 'production_jobs', logger })),
  );
  const rounds = [0, 0];
  for (const [at, jobs] of opened.entries()) {
    onTestFinished(() => jobs.stop());
    // It keeps no other work from being done.
    jobs.onRound(() => Promise.reject(new Error('The work of a round fails.')));
    jobs.onRound(async () => {
      rounds[at] = (rounds[at] as number) + 1;
    });
    await jobs.work({});
  }
  const leader = () => rounds.indexOf(Math.max(...rounds));
  await until(() => Math.max(...rounds) >= 4);
  const first = leader();
  const other = 1 - first;
  // It made one when it started.
  expect(rounds[other]).toBeLessThanOrEqual(2);
  const before = rounds[other] as number;
  await opened[first]?.stop();
  await until(() => (rounds[other] as number) > before + 1, { timeout: scaledTimeout(15_000) });
});

test('a platform without requests commits fewer than 15 transactions a second', async () => {
  const { database } = await api();
  const committed = async () => {
    const { rows } = await sql<{ commits: number }>`select xact_commit::int as commits from pg_stat_database
      where datname = current_database()`.execute(database);
    return rows[0]?.commits as number;
  };
  // Statements of the start, and those that statistics do not show yet.
  await sleep(5_000);
  const before = await committed();
  await sleep(16_000);
  expect((await committed()) - before).toBeLessThan(16 * 15);
});
