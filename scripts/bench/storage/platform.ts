import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/src/store/database.ts';
import { handleRequests } from '../child.ts';
import type { Environment } from '../executions/platform.ts';
import { insertDefinitions } from '../executions/rows.ts';
import { openPlatform } from '../platform.ts';
import { profiler } from '../profile.ts';
import { databaseProcessorTime } from './processor-time.ts';
import { type Filled, fill, listOfOperator, type OperatorList } from './rows.ts';

/** A request to this child process: the platform with its demo. */
export type PlatformRequest =
  | { kind: 'about' }
  /** Adds rows until an environment has so many of each kind. */
  | { kind: 'fill'; environment: 'production' | 'sandbox'; count: number }
  /** Waits until no execution is running. */
  | { kind: 'settle' }
  /** Counts the round trips to the database that requests take, from now on or no more; returns those so far. */
  | { kind: 'round trips'; isCounting: boolean }
  /** Microseconds of processor time so far: of this process and of PostgreSQL. */
  | { kind: 'processor time' }
  /** Profiles the process from now on, or no more; then returns the functions with the most self time. */
  | { kind: 'profile'; isRunning: boolean }
  /** Milliseconds of a command's statement. */
  | { kind: 'operator'; environment: 'production' | 'sandbox'; list: OperatorList };

export interface ProcessorTime {
  process: number;
  database: number;
}

export interface About {
  connection: string;
  production: Environment;
  sandbox: Environment;
}

const [, , directory = ''] = process.argv;
/** Set in what a request causes, unlike in what workers do. */
const inRequest = new AsyncLocalStorage<true>();
let isCounting = false;
subscribe('http.server.request.start', () => {
  if (isCounting) inRequest.enterWith(true);
});
let roundTrips = 0;
const profiling = profiler();
const platform = await openPlatform(directory, {
  // Ten of them are for requests of production, as many as the other server has.
  connections: 39,
  onStatement: () => {
    if (isCounting && inRequest.getStore()) roundTrips += 1;
  },
});
const { production, sandbox, demo } = platform;
const environments = { production, sandbox };
const definitions = {
  production: await insertDefinitions(production.database, demo.production.workspaceId),
  sandbox: await insertDefinitions(sandbox.database, demo.sandbox.workspaceId),
};

handleRequests(handle, platform.close);

async function handle(request: PlatformRequest): Promise<unknown> {
  switch (request.kind) {
    case 'about':
      return {
        connection: platform.connection,
        production: about('production'),
        sandbox: about('sandbox'),
      } satisfies About;
    case 'fill': {
      const { workspaceId, recordId } = demo[request.environment];
      const { one: definitionId } = definitions[request.environment];
      const { connection } = platform;
      const place = { workspaceId, recordId, definitionId };
      // Adding a million rows takes longer than a statement of the platform may.
      const database = openDatabase({ connection, schema: request.environment, statementTimeout: 0 });
      const filled = fill(database, place, request.count).finally(() => database.destroy());
      return (await filled) satisfies Filled;
    }
    case 'settle':
      return settle();
    case 'round trips':
      isCounting = request.isCounting;
      return roundTrips;
    case 'processor time': {
      const { user, system } = process.cpuUsage();
      return {
        process: user + system,
        database: await databaseProcessorTime(directory),
      } satisfies ProcessorTime;
    }
    case 'profile':
      return request.isRunning ? profiling.start() : profiling.stop();
    case 'operator': {
      const startedAt = performance.now();
      await listOfOperator(environments[request.environment].database, request.list);
      return performance.now() - startedAt;
    }
  }
}

function about(name: 'production' | 'sandbox'): Environment {
  return {
    ...{ baseUrl: demo[name].baseUrl, token: demo[name].organizationToken, definitions: definitions[name] },
  };
}

async function settle(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from executions where status = 'RUNNING' limit 1`.execute(
      production.database,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
