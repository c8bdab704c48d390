import { sql } from 'kysely';
import type { Database } from '../../../../server/src/store/database.ts';
import { serveFunctions } from '../child.ts';
import { openPlatform } from '../platform.ts';
import { type Definitions, insertEnded, insertStarted } from './rows.ts';

const pollMilliseconds = 5;
const [, , directory = ''] = process.argv;

const platform = await openPlatform(directory);
const { production, sandbox, about } = platform;
const { definitions } = about.production;

/** The platform with its demo and the definitions of the benchmark, as a child process. */
export type PlatformFunctions = typeof functions;
const functions = {
  about: () => about,
  run,
  /** Adds ended executions to production. */
  store: (count: number) => insertEnded(production.database, definitions.one, count),
  /** Milliseconds from start to end of each execution that was started since. */
  durations: async (since: string) => ({
    production: await durations(production.database, since),
    sandbox: await durations(sandbox.database, since),
  }),
};
serveFunctions(functions, () => platform.close());

/** Runs executions that were started in advance. @returns seconds from the commit of all starts to the last end */
async function run(definition: keyof Definitions, count: number): Promise<number> {
  const { database, jobs } = production;
  await database.transaction().execute(async (transaction) => {
    const threads = await insertStarted(transaction, definitions[definition], count);
    await jobs.enqueueAll(
      transaction,
      'execution-step',
      threads.map((threadId) => ({ threadId, turn: 0 })),
    );
  });
  const startedAt = performance.now();
  jobs.poll('execution-step');
  while (await isRunning(database)) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  const seconds = (performance.now() - startedAt) / 1000;
  const { rows } = await sql<{ failed: number }>`
    select count(*) as failed from executions where status not in ('RUNNING', 'COMPLETED')`.execute(database);
  if (rows[0]?.failed !== 0) throw new Error(`${rows[0]?.failed} executions did not complete.`);
  return seconds;
}

async function isRunning(database: Database): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (select from executions where status = 'RUNNING') as running`.execute(database);
  return rows[0]?.running === true;
}

async function durations(database: Database, since: string): Promise<number[]> {
  while (await isRunning(database)) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  const { rows } = await sql<{ milliseconds: number }>`
    select extract(epoch from ended_at - created_at)::float8 * 1000 as milliseconds
    from executions where created_at >= ${since}::timestamptz`.execute(database);
  return rows.map(({ milliseconds }) => milliseconds);
}
