import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { sql } from 'kysely';
import { openDatabase } from '../../../../server/src/store/database.ts';
import { serveFunctions } from '../child.ts';
import { openPlatform } from '../platform.ts';
import { databaseProcessorTime } from './processor-time.ts';
import { type Filled, fill, listOfOperator, operatorListNames } from './rows.ts';

type EnvironmentName = 'production' | 'sandbox';

/** Microseconds. */
export interface ProcessorTime {
  process: number;
  database: number;
}

const [, , directory = ''] = process.argv;
/** Set in what a request causes, unlike in what workers do. */
const inRequest = new AsyncLocalStorage<true>();
let isCounting = false;
subscribe('http.server.request.start', () => {
  if (isCounting) inRequest.enterWith(true);
});
let roundTrips = 0;
const platform = await openPlatform(directory, {
  // Ten of them are for requests of production, as many as the other server has.
  connections: 39,
  onStatement: () => {
    if (isCounting && inRequest.getStore()) roundTrips += 1;
  },
});
const { production, sandbox, demo, about } = platform;

/** The platform with its demo, as a child process. */
export type PlatformFunctions = typeof functions;
const functions = {
  about: () => about,
  /** Adds rows until an environment has so many of each kind. */
  async fill(name: EnvironmentName, count: number): Promise<Filled> {
    const { workspaceId, recordId } = demo[name];
    const { one: definitionId } = about[name].definitions;
    const place = { workspaceId, recordId, definitionId };
    // Adding a million rows takes longer than a statement of the platform may.
    const database = openDatabase({ connection: about.connection, schema: name, statementTimeout: 0 });
    return fill(database, place, count).finally(() => database.destroy());
  },
  settle,
  /** Counts the round trips to the database that requests take, from now on or no more. @returns those so far */
  roundTrips(counts: boolean) {
    isCounting = counts;
    return roundTrips;
  },
  /** The processor time of this process and of PostgreSQL so far. */
  async processorTime(): Promise<ProcessorTime> {
    const { user, system } = process.cpuUsage();
    return { process: user + system, database: await databaseProcessorTime(directory) };
  },
  operatorLists: () => operatorListNames,
  /** @returns milliseconds of a command's statement, or of a page of the console */
  async operator(name: EnvironmentName, list: string) {
    const startedAt = performance.now();
    await listOfOperator({ production, sandbox }[name].database, list);
    return performance.now() - startedAt;
  },
};
serveFunctions(functions, platform.close);

/** Waits until no execution is running. */
async function settle(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from executions where status = 'RUNNING' limit 1`.execute(
      production.database,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
