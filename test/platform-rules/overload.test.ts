import { once } from 'node:events';
import { request } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectionShares } from '../../server/src/store/connections.ts';
import type { Database } from '../../server/src/store/database.ts';
import { confirm, formTokenOf, linksOf, page } from '../links/support.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { times } from '../support/hostile/bodies.ts';
import { bodyOf, responseOf } from '../support/responses.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { blockedBy, nextConnection, standstill, until } from '../support/waiting.ts';
import { otherSystem } from '../workflows/support.ts';

const databaseConnections = 30;
const platform = await api({ databaseConnections, allowPrivateTargets: true, clock: 'running' });
const { database, world, owner, given, log, ports, pools } = platform;
/** The platform's connections for requests. */
const poolSize = connectionShares('all', databaseConnections).production.requests;
const organizationId = world.organization.id;

/** Does something while a transaction holds the lock that all changes of roles need. */
function whileLocked<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for update`.execute(transaction);
    return work(transaction);
  });
}

describe('when all connections to the database are in use', () => {
  test('150 requests wait for at most a second each: 503 service_unavailable with Retry-After', async () => {
    const params = { path: { userId: world.member.id } };
    const body = { roleId: world.organization.roles.member };
    const change = async () => {
      const startedAt = performance.now();
      const { status, headers } = await responseOf(
        owner.PUT('/organizations/users/{userId}/role', { params, body }),
      );
      return { status, retryAfter: headers.get('Retry-After'), milliseconds: performance.now() - startedAt };
    };
    const { refused, others } = await whileLocked(async (transaction) => {
      const others = Array.from({ length: poolSize - 1 }, change);
      await until(async () => (await blockedBy(transaction)) === poolSize - 1, { interval: 10 });
      return { refused: await Promise.all(Array.from({ length: 150 }, change)), others };
    });
    for (const { status, retryAfter, milliseconds } of refused) {
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' });
      expect(milliseconds).toBeLessThan(scaledTimeout(3_000));
    }
    // The changes that had a connection.
    for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    // Overload is no error of the platform.
    expect(log.filter(({ msg }) => msg === 'failed')).toEqual([]);
  });
});

/** The body of a start whose parameters take long to check, and are refused. */
async function startWithLongCheck() {
  const inputSchema = {
    properties: { list: { contains: { anyOf: times(50, (at) => ({ const: { a: [at] } })) } } },
  };
  const { id: workflowDefinitionId } = await given.workflowDefinition({
    workspace: world.workspace,
    definition: definitionOf({ Done: { Type: 'Succeed' } }),
    inputSchema,
  });
  const parameters = { list: times(8_000, () => ({ a: [-1] })) };
  return { workflowDefinitionId, parameters };
}

test('starts whose parameters take long to check leave the connections to other requests', async () => {
  const body = await startWithLongCheck();
  const start = async () => {
    const { status } = await responseOf(owner.POST('/workflows', { body }));
    return status;
  };
  let checking = true;
  const starts = Promise.all(Array.from({ length: poolSize + 2 }, start)).finally(() => {
    checking = false;
  });
  const inUse: number[] = [];
  while (checking) {
    inUse.push(pools.requests?.usage().inUse ?? poolSize);
    const { response } = await owner.GET('/organizations/users', { params: { query: { size: 1 } } });
    expect(response.status).toBe(200);
  }
  const average = inUse.reduce((sum, each) => sum + each, 0) / inUse.length;
  expect(average).toBeLessThan(poolSize / 4);
  expect(await starts).toEqual(Array.from({ length: poolSize + 2 }, () => 400));
});

test('starts whose clients have gone do not keep the checks of others waiting', async () => {
  const start = await startWithLongCheck();
  const body = JSON.stringify(start);
  const headers = { Authorization: world.owner.token, 'Content-Type': 'application/json' };
  const options = { port: ports.production, method: 'POST', path: '/workflows', headers, agent: false };
  let oneCheck = 0;
  // The first one also starts a process.
  for (let check = 0; check < 2; check++) {
    const startedAt = performance.now();
    await bodyOf(400, owner.POST('/workflows', { body: start }));
    oneCheck = performance.now() - startedAt;
  }
  const from = log.length;
  const count = 60;
  platform.statements.length = 0;
  const starts = times(count, () => {
    const sent = request(options).on('error', () => {});
    return sent.end(body);
  });
  const rollbacks = () => platform.statements.filter((text) => /rollback/.test(text)).length;
  await until(() => rollbacks() === count);
  const goneAt = performance.now();
  for (const sent of starts) sent.destroy();
  const ended = () => log.slice(from).filter(({ operationId }) => operationId === 'startWorkflow').length;
  await until(() => ended() === count);
  // At most four processes check, so all of them would take 15 times as long as one.
  expect(performance.now() - goneAt).toBeLessThan(oneCheck * 8);
});

describe('a request whose client has gone', () => {
  /**
   * Sends a request whose client gives up while the request waits for a connection to the database.
   *
   * @param body sent when all connections are in use; what the request does before it reads its body is done then
   */
  async function abandon(path: string, headers: Record<string, string>, body?: string): Promise<void> {
    const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
    const arrived = nextConnection();
    const sending = request({
      port: ports.production,
      method: 'POST',
      path,
      headers: { ...headers, ...length },
    });
    const gone = new Promise((resolve) => sending.once('error', resolve));
    if (body !== undefined) {
      sending.flushHeaders();
      await arrived;
      await standstill(() => platform.statements.length);
    }
    const connectionsHeld = Promise.withResolvers<void>();
    const begun = Array.from({ length: poolSize }, () => Promise.withResolvers<void>());
    const held = begun.map(({ resolve }) =>
      database.transaction().execute(() => {
        resolve();
        return connectionsHeld.promise;
      }),
    );
    // Connecting may take longer than the request may wait.
    await Promise.all(begun.map(({ promise }) => promise));
    sending.end(body);
    const closed = once(await arrived, 'close');
    await until(() => pools.requests?.usage().waiting === 1, { interval: 5 });
    sending.destroy(new Error('The client gives up.'));
    await Promise.all([gone, closed]);
    connectionsHeld.resolve();
    await Promise.all(held);
  }

  test('is not carried out once it gets a connection', async () => {
    const user = await given.user({ organization: world.organization });
    await abandon(`/organizations/users/${user.id}/terminate`, { Authorization: world.owner.token });
    const entry = await until(() => log.find(({ operationId }) => operationId === 'terminateUser'));
    expect(entry).toMatchObject({ status: 499, aborted: true });
    const { status } = await database
      .selectFrom('users')
      .select('status')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('ACTIVE');
  });

  test('does not use up a single-use link', async () => {
    const links = linksOf(platform);
    const link = await links.link({ definition: await links.definition() });
    const form = formTokenOf(await page(link));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
    await links.startsNothing(async () => {
      await abandon(new URL(link).pathname, headers, String(new URLSearchParams({ form })));
      expect(
        await until(() => log.find(({ entrance, status }) => entrance === 'links' && status === 499)),
      ).toBeTruthy();
    });
    expect((await confirm(link, { form })).status).toBe(303);
  });

  test('does not complete a task that waits for a callback', async () => {
    const system = await otherSystem((_request, response) => void response.writeHead(202).end());
    const states = {
      Ask: {
        Type: 'Task',
        Resource: 'wrp:callback:wait',
        End: true,
        Arguments: { request: { url: system.url } },
      },
    };
    const { id: workflowDefinitionId } = await given.workflowDefinition({
      workspace: world.workspace,
      definition: definitionOf(states),
    });
    const executions = executionsOf(owner);
    const execution = await executions.start({ workflowDefinitionId });
    const url = String(await until(async () => system.received[0]?.headers['callback-url']));
    const headers = { 'Content-Type': 'application/json' };
    await abandon(new URL(url).pathname, headers, '{"output":{"from":"the client that has gone"}}');
    const body = '{"output":{"from":"the next client"}}';
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
    await executions.ended(execution);
    const result = await executions.result(execution.id);
    expect(await result.json()).toEqual({ from: 'the next client' });
    // It is no error of the platform.
    expect(log.filter(({ msg }) => msg === 'failed')).toEqual([]);
  });
});
