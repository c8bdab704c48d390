import { sql } from 'kysely';
import { readConfig } from '../../../server/src/config.ts';
import { loadContract } from '../../../server/src/contract/index.ts';
import { prepareDemo } from '../../../server/src/manifest/demo.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import { findPostgres } from '../../../server/src/postgres/server.ts';
import { servePlatform } from '../../../server/src/server.ts';
import type { Database } from '../../../server/src/store/database.ts';
import { answerQuestions } from '../child.ts';
import { type Definitions, insertDefinitions, insertEnded, insertStarted } from './rows.ts';

/** The platform in a process of its own, with the demo and the definitions of the benchmark in it. */
export type Question =
  | { kind: 'about' }
  /** Runs executions that were all started before. */
  | { kind: 'run'; definition: keyof Definitions; count: number }
  /** Adds ended executions to production. */
  | { kind: 'store'; count: number }
  /** How long executions took that were started since. */
  | { kind: 'lasted'; since: string };

export interface About {
  /** Of its database. */
  connection: string;
  production: Environment;
  sandbox: Environment;
}
export interface Environment {
  baseUrl: string;
  token: string;
  definitions: Definitions;
}
/** Milliseconds from start to end of executions. */
export type Lasted = Record<'production' | 'sandbox', number[]>;

const lookMilliseconds = 5;
const [, , directory = ''] = process.argv;

const platform = await servePlatform({
  config: readConfig({
    ...{ DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' },
  }),
  loadContract: () => loadContract(new URL('../../../generated/openapi.json', import.meta.url)),
  logger: openLogger('error'),
  progress: () => {},
  openPortal: () => Promise.reject(new Error('There is no portal here.')),
});
const [production, sandbox] = platform.dependencies.environments.map(({ database, jobs, name }) => ({
  ...{ database, jobs, baseUrl: platform.baseUrls[name] },
}));
if (!production || !sandbox) throw new Error('The platform serves two environments.');
const demo = await prepareDemo({ environments: { production, sandbox }, dataDirectory: directory });
if (demo.kind === 'absent') throw new Error('The platform has its demo.');
const { file } = demo;
const definitions = {
  production: await insertDefinitions(production.database, file.production.workspaceId),
  sandbox: await insertDefinitions(sandbox.database, file.sandbox.workspaceId),
};

answerQuestions(answer, () => platform.close());

async function answer(question: Question): Promise<unknown> {
  if (question.kind === 'about') return about();
  if (question.kind === 'run') return run(question.definition, question.count);
  if (question.kind === 'store') {
    await insertEnded(production?.database as Database, definitions.production.one, question.count);
    return undefined;
  }
  return {
    production: await lasted(production?.database as Database, question.since),
    sandbox: await lasted(sandbox?.database as Database, question.since),
  } satisfies Lasted;
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
  while (await isRunning(database)) await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
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

async function lasted(database: Database, since: string): Promise<number[]> {
  while (await isRunning(database)) await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  const { rows } = await sql<{ milliseconds: number }>`
    select extract(epoch from ended_at - created_at)::float8 * 1000 as milliseconds
    from executions where created_at >= ${since}::timestamptz`.execute(database);
  return rows.map(({ milliseconds }) => milliseconds);
}
