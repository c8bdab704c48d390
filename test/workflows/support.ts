import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { JsonObject } from '../../server/src/workflows/machine/actions.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';

/** A platform whose clock runs and whose calls may go to this machine, with ways to run definitions. */
export async function workflowWorld() {
  const platform = await api({ clock: 'running', allowPrivateTargets: true });
  const { owner, world, given, database } = platform;
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
    /** Runs states to their end, and gives the result. */
    async run(states: JsonObject, start: { parameters?: JsonObject; recordId?: string } = {}) {
      return executions.run({ workflowDefinitionId: await define(states), ...start });
    },
    /** What ended a failed execution. */
    async failureOf(id: string) {
      const { error, cause } = await database
        .selectFrom('executions')
        .select(['error', 'cause'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { error, cause };
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

/** Another system, on this machine: it answers as told, and remembers what it received. */
export async function otherSystem(
  answer: (request: Received, response: ServerResponse, count: number) => void | Promise<void>,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    received.push(one);
    await answer(one, response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
