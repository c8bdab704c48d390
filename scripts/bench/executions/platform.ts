import { sql } from 'kysely';
import type { Database } from '../../../server/src/store/database.ts';
import { handleRequests } from '../child.ts';
import { openPlatform } from '../platform.ts';
import { type Definitions, insertDefinitions, insertEnded, insertStarted } from './rows.ts';

/** A request to this child process: the platform with its demo and the definitions of the benchmark. */
export type PlatformRequest =
  | { kind: 'about' }
  /** Runs executions that were started in advance. */
  | { kind: 'run'; definition: keyof Definitions; count: number }
  /** Adds ended executions to production. */
  | { kind: 'store'; count: number }
  /** Returns the durations of executions started since. */
  | { kind: 'durations'; since: string };

export interface About {
  /** The URL of its database. */
  connection: string;
  production: Environment;
  sandbox: Environment;
}
export interface Environment {
  baseUrl: string;
  token: string;
  definitions: Definitions;
}
/** Milliseconds from start to end of each execution. */
export type Durations = Record<'production' | 'sandbox', number[]>;

const pollMilliseconds = 5;
const [, , directory = ''] = process.argv;

const platform = await openPlatform(directory);
const { production, sandbox, demo: file } = platform;
const definitions = {
  production: await insertDefinitions(production.database, file.production.workspaceId),
  sandbox: await insertDefinitions(sandbox.database, file.sandbox.workspaceId),
};

handleRequests(handle, () => platform.close());

async function handle(request: PlatformRequest): Promise<unknown> {
  if (request.kind === 'about') return about();
  if (request.kind === 'run') return run(request.definition, request.count);
  if (request.kind === 'store') {
    await insertEnded(production.database, definitions.production.one, request.count);
    return undefined;
  }
  return {
    production: await durations(production.database, request.since),
    sandbox: await durations(sandbox.database, request.since),
  } satisfies Durations;
}

async function about(): Promise<About> {
  const environment = (name: 'production' | 'sandbox') => ({
    ...{ baseUrl: file[name].baseUrl, token: file[name].organizationToken, definitions: definitions[name] },
  });
  return {
    connection: platform.connection,
    production: environment('production'),
    sandbox: environment('sandbox'),
  };
}

/** @returns seconds from the commit of all starts to the last end */
async function run(definition: keyof Definitions, count: number): Promise<number> {
  const { database, jobs } = production;
  await database.transaction().execute(async (transaction) => {
    const threads = await insertStarted(transaction, definitions.production[definition], count);
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
