import { type ClientRequest, type RequestOptions, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { runWrp } from '../support/wrp.ts';
import { makeEvents } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { connectionString } = await cloneDatabase();
const platform = await api({ databaseUrl: connectionString, mcpCalls: ['production'] });
const { owner, actor, anonymous, given, world, database, clock, log, statements, ports, dataDirectory } =
  platform;
const { organization, workspace } = world;

type Actor = typeof owner;

/** Waits for the next event. */
const pollFrom = (cursor: string) => (caller: Actor) =>
  caller.GET('/webhooks/events', { params: { query: { cursor, wait: 20 } } });
/** Of the last event, once none of an earlier test is left that would end a wait. */
async function lastCursor(): Promise<string> {
  const unrelayed = database.selectFrom('events').select('id').where('relayed_at', 'is', null);
  await until(async () => (await unrelayed.execute()).length === 0, { interval: 5 });
  const { nextCursor } = (await bodyOf(200, owner.GET('/webhooks/events'))) as { nextCursor: string };
  return nextCursor;
}
/** How many polls have found no event yet; each does so once before it waits. */
const begun = () => statements.filter((text) => text.includes('"position" >')).length;

/** Does something once as many polls as were begun wait for an event. */
async function waiting<Result>(count: number, begin: () => Result): Promise<Result> {
  const before = begun();
  const result = begin();
  await until(() => begun() >= before + count, { interval: 5 });
  return result;
}

const revoke = (table: 'organization_tokens' | 'api_keys', userId: string) =>
  database.updateTable(table).set({ revoked_at: clock.now() }).where('user_id', '=', userId).execute();
const lifecycle = (userId: string) => ({
  terminate: () =>
    bodyOf(200, owner.POST('/organizations/users/{userId}/terminate', { params: { path: { userId } } })),
  reinstate: () => {
    const body = { roleId: organization.roles.admin };
    const params = { path: { userId } };
    return bodyOf(200, owner.POST('/organizations/users/{userId}/reinstate', { params, body }));
  },
});

interface Poller {
  id: string;
  token: string;
  caller: Actor;
}

async function admin(): Promise<Poller> {
  const { id, token } = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
  return { id, token, caller: actor(token) };
}
async function keyHolder(): Promise<Poller> {
  const user = await given.user({ organization, role: 'admin' });
  const key = await given.apiKey({ user, homeWorkspace: workspace });
  const { data } = await anonymous.POST('/auth/authorize', { body: key });
  const token = `Bearer ${data?.accessToken}`;
  return { id: user.id, token, caller: actor(token) };
}
/** A member who may poll because of a workspace role. */
async function deskMember(): Promise<Poller> {
  const on = { resourceType: 'organization', resourceId: organization.id } as const;
  const role = await given.workspaceRole({
    workspace,
    name: `Desk ${Math.random()}`,
    relations: ['can_receive_events'],
    on,
  });
  const { id, token } = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user: { id }, role: { id: role } });
  return { id, token, caller: actor(token) };
}
const ownMembership = (userId: string) => ({ path: { workspaceId: workspace.id, userId } });

describe('a waiting poll is refused like a new request if meanwhile', () => {
  test.each<[string, () => Promise<Poller>, (poller: Poller) => Promise<unknown>, 401 | 403, string]>([
    [
      'its token is revoked with wrp',
      admin,
      ({ token }) =>
        runWrp(['token', 'revoke', token], {
          env: { DATABASE_URL: connectionString, DATA_DIR: dataDirectory },
        }),
      401,
      'credentials_invalid',
    ],
    ['its API key is revoked', keyHolder, ({ id }) => revoke('api_keys', id), 401, 'credentials_invalid'],
    ['its user is terminated', admin, ({ id }) => lifecycle(id).terminate(), 401, 'credentials_invalid'],
    [
      'its user is terminated and reinstated',
      admin,
      ({ id }) =>
        lifecycle(id)
          .terminate()
          .then(() => lifecycle(id).reinstate()),
      401,
      'credentials_invalid',
    ],
    [
      'its user becomes a member',
      admin,
      ({ id: userId }) =>
        bodyOf(
          200,
          owner.PUT('/organizations/users/{userId}/role', {
            params: { path: { userId } },
            body: { roleId: organization.roles.member },
          }),
        ),
      403,
      'permission_denied',
    ],
    [
      'its user is removed from the workspace whose role permits it',
      deskMember,
      ({ id }) =>
        bodyOf(
          200,
          owner.DELETE('/workspaces/{workspaceId}/memberships/{userId}', { params: ownMembership(id) }),
        ),
      403,
      'permission_denied',
    ],
    [
      'the role of its user loses the permission',
      deskMember,
      ({ id }) =>
        database
          .deleteFrom('role_permissions')
          .where('role_id', 'in', (roles) =>
            roles.selectFrom('memberships').select('role_id').where('user_id', '=', id),
          )
          .execute(),
      403,
      'permission_denied',
    ],
    [
      'the second factors of its user are reset',
      keyHolder,
      ({ id: userId }) =>
        bodyOf(202, owner.POST('/organizations/users/{userId}/reset-mfa', { params: { path: { userId } } })),
      401,
      'credentials_invalid',
    ],
    ['its access token expires', keyHolder, async () => clock.forward(301_000), 401, 'token_expired'],
  ])('%s', async (_what, make, lose, status, code) => {
    const poller = await make();
    const poll = pollFrom(await lastCursor());
    const response = await waiting(1, () => ({ of: responseOf(poll(poller.caller)) }));
    await lose(poller);
    await makeEvents(platform, 1);
    expect(await response.of).toMatchObject({ status, body: { errors: [{ code }] } });
    await expectRefusal(poll(poller.caller), status, code as 'permission_denied');
  });
});

describe('polls whose clients have gone end, so that the next ones of the organization can wait:', () => {
  const places = 10;
  const seconds = 20;

  /** Sends a request on a connection of its own. */
  function send(options: RequestOptions, body?: string): ClientRequest {
    const headers = { Authorization: world.owner.token, ...options.headers };
    const sent = request({ port: ports.production, agent: false, ...options, headers });
    sent.on('error', () => {});
    onTestFinished(() => void sent.destroy());
    return sent.end(body);
  }

  test.each([
    ['of a client', (cursor: string) => send({ path: `/webhooks/events?cursor=${cursor}&wait=${seconds}` })],
    [
      'of an agent',
      (cursor: string) => {
        const given = { operationId: 'pollWebhookEvents', parameters: { cursor, wait: seconds } };
        const params = { name: 'call', arguments: given };
        const accept = 'application/json, text/event-stream';
        const headers = { 'Content-Type': 'application/json', Accept: accept };
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return send({ method: 'POST', path: '/mcp', headers }, JSON.stringify(message));
      },
    ],
  ])('%s', async (_whose, begin) => {
    const from = log.length;
    const cursor = await lastCursor();
    const polls = await waiting(places, () => Array.from({ length: places }, () => begin(cursor)));
    const startedAt = performance.now();
    await bodyOf(200, pollFrom(cursor)(owner));
    expect(performance.now() - startedAt, 'there is no place left').toBeLessThan(seconds * 750);
    for (const sent of polls) sent.destroy();
    const gone = ({ operationId, status }: { operationId?: unknown; status?: unknown }) =>
      operationId === 'pollWebhookEvents' && status === 499;
    await until(() => log.slice(from).filter(gone).length === places);
    const next = await waiting(places, () => Array.from({ length: places }, () => pollFrom(cursor)(owner)));
    const made = await makeEvents(platform, 1);
    for (const response of next) {
      const { events } = (await bodyOf(200, response)) as { events: { id: string }[] };
      expect(events.map(({ id }) => id)).toEqual(made);
    }
    expect(log.filter(({ msg }) => msg === 'failed')).toEqual([]);
  });
});
