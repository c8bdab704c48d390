import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { JsonObject } from '../../server/json/index.ts';
import type { Database } from '../../server/src/store/database.ts';
import { type ApiSettings, api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { bringForward } from '../support/jobs.ts';
import { atEnd } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';

/** A platform with a running clock that may call this machine, and functions that run definitions. */
export async function workflowWorld(settings: ApiSettings = {}) {
  const platform = await api({ clock: 'running', allowPrivateTargets: true, ...settings });
  const { owner, world, given, database, clock } = platform;
  const executions = executionsOf(owner);
  /** A definition of these states. @returns its identifier */
  const define = async (states: JsonObject, fields: JsonObject = {}) =>
    (await given.workflowDefinition({ workspace: world.workspace, definition: definitionOf(states, fields) }))
      .id;
  return {
    ...platform,
    executions,
    define,
    async begin(
      states: JsonObject,
      { fields = {}, ...start }: { fields?: JsonObject; parameters?: JsonObject; recordId?: string } = {},
    ) {
      return executions.start({ workflowDefinitionId: await define(states, fields), ...start });
    },
    /** Runs states to their end, and returns the result. */
    async run(
      states: JsonObject,
      { timeout, ...start }: { parameters?: JsonObject; recordId?: string; timeout?: number } = {},
    ) {
      return executions.run({ workflowDefinitionId: await define(states), ...start }, timeout);
    },
    /** The failure of an execution. */
    async failureOf(id: string) {
      const { error, cause } = await database
        .selectFrom('executions')
        .select(['error', 'cause'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { error, cause };
    },
    /** Advances the platform's clock, and the start times of jobs, which use the database's clock. */
    async pass(seconds: number) {
      clock.forward(seconds * 1000);
      await bringForward(database, 'execution-step', seconds);
    },
    /** The jobs of a thread. */
    async stepsOf(threadId: string) {
      const { rows } = await sql<{ state: string; inSeconds: number; dueAt: string | null }>`
        select state, extract(epoch from start_after - created_on)::float as "inSeconds", data->>'dueAt' as "dueAt"
        from production_jobs.job where name = 'execution-step' and data->>'threadId' = ${threadId}
          and state <= 'active'`.execute(database);
      return rows;
    },
    /** Waits until the queue has no job for these threads. */
    async noJobsFor(threads: { id: string }[]) {
      const ids = threads.map(({ id }) => id);
      await until(async () => {
        const { rows } = await sql`select from production_jobs.job
          where data->>'threadId' = any(${ids}::text[]) and state <= 'active'`.execute(database);
        return rows.length === 0;
      });
    },
    threadsOf: (id: string) =>
      database.selectFrom('threads').selectAll().where('execution_id', '=', id).orderBy('position').execute(),
    historyOf: (id: string) =>
      database
        .selectFrom('execution_history')
        .selectAll()
        .where('execution_id', '=', id)
        .orderBy('sequence')
        .execute(),
  };
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Another system, on this machine: it responds as configured, and records what it received. */
export async function otherSystem(
  respond: (request: Received, response: ServerResponse, count: number) => void | Promise<void>,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    received.push(one);
    await respond(one, response, received.length);
  });
  // Otherwise a pause of some seconds would close a connection that is about to be reused.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** An expression that never ends. */
export const loop = '{% ($f := function($n) { $f($n + 1) }; $f(0)) %}';

/** The jobs of steps that are not complete. */
export async function openJobs(database: Database): Promise<{ name: string; retries: number }[]> {
  const { rows } = await sql<{ name: string; retries: number }>`
    select name, retry_count as retries from production_jobs.job
    where name in ('execution-step', 'execution-slow-step') and state < 'completed'`.execute(database);
  return rows;
}

/** A definition's states with one task, whose result is in the field `result` of the output. */
export const task = (resource: string, Arguments: JsonObject, fields: JsonObject = {}): JsonObject => ({
  Do: {
    Type: 'Task',
    Resource: resource,
    Arguments,
    Output: { result: '{% $states.result %}' },
    End: true,
    ...fields,
  },
});
