import { sql } from 'kysely';
import { readConfig } from '../../../server/src/config.ts';
import { loadContract } from '../../../server/src/contract/index.ts';
import { type DemoOutcome, prepareDemo } from '../../../server/src/manifest/demo.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import { findPostgres } from '../../../server/src/postgres/server.ts';
import { servePlatform } from '../../../server/src/server.ts';
import type { Database } from '../../../server/src/store/database.ts';
import { handleRequests } from '../child.ts';
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

let demo: DemoOutcome | undefined;
const platform = await servePlatform({
  config: readConfig({
    ...{ DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' },
  }),
  loadContract: () => loadContract(new URL('../../../generated/openapi.json', import.meta.url)),
  logger: openLogger('error'),
  progress: () => {},
  openPortal: () => Promise.reject(new Error('The benchmark has no portal.')),
  prepare: async ({ environments, serverKey }, served) => {
    // Without the objects of the examples: one of them is an execution that runs for weeks.
    const contract = { ...served.contract, paths: {} };
    demo = await prepareDemo({ environments, serverKey, ...served, contract, dataDirectory: directory });
  },
});
const [production, sandbox] = platform.dependencies.environments.map(({ database, jobs, name }) => ({
  ...{ database, jobs, baseUrl: platform.baseUrls[name] },
}));
if (!production || !sandbox) throw new Error('The platform must serve two environments.');
if (demo === undefined || demo.kind === 'absent') throw new Error('The platform must have its demo.');
const { file } = demo;
const definitions = {
  production: await insertDefinitions(production.database, file.production.workspaceId),
  sandbox: await insertDefinitions(sandbox.database, file.sandbox.workspaceId),
};

handleRequests(handle, () => platform.close());

async function handle(request: PlatformRequest): Promise<unknown> {
  if (request.kind === 'about') return about();
  if (request.kind === 'run') return run(request.definition, request.count);
  if (request.kind === 'store') {
    await insertEnded(production?.database as Database, definitions.production.one, request.count);
    return undefined;
  }
  return {
    production: await durations(production?.database as Database, request.since),
    sandbox: await durations(sandbox?.database as Database, request.since),
  } satisfies Durations;
}

async function about(): Promise<About> {
  const server = await findPostgres({ dataDirectory: directory });
  const environment = (name: 'production' | 'sandbox') => ({
    ...{ baseUrl: file[name].baseUrl, token: file[name].organizationToken, definitions: definitions[name] },
  });
  return {
    connection: server?.connectionString as string,
    production: environment('production'),
    sandbox: environment('sandbox'),
  };
}

/** @returns seconds from the commit of all starts to the last end */
async function run(definition: keyof Definitions, count: number): Promise<number> {
  const { database, jobs } = production as NonNullable<typeof production>;
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
