import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { changeRole, reinstate, resetMfa, terminate } from '../support/authority.ts';
import { userBody } from '../support/bodies.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { until } from '../support/waiting.ts';

/** Requests that the identity provider received. */
const requests: { request: string; key: string | string[] | undefined }[] = [];
const identityProvider = createServer(({ method, url, headers }, response) => {
  requests.push({ request: `${method} ${url}`, key: headers['idempotency-key'] });
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => identityProvider.listen(0, '127.0.0.1', resolve));
afterAll(() => identityProvider.close());
const { port } = identityProvider.address() as AddressInfo;

const platform = await api({ identityProviderUrl: `http://127.0.0.1:${port}/directory` });
const { owner, admin, anonymous, actor, world, given, database, clock } = platform;
const { organization } = world;
const { roles } = organization;
const emitted = emittedBy(platform);

const read = (userId: string) => owner.GET('/organizations/users/{userId}', { params: { path: { userId } } });

/** A caller with every kind of credential: a token, an API key, and the pair of tokens of a sign-in. */
async function signedInCaller(role: 'member' | 'admin' = 'member') {
  const homeWorkspace = world.workspace;
  const user = await given.caller({ organization, role, homeWorkspace });
  await given.membership({ workspace: homeWorkspace, user, role: 'viewer' });
  const apiKey = await given.apiKey({ user, homeWorkspace });
  const { data: tokens } = await anonymous.POST('/auth/authorize', { body: apiKey });
  if (!tokens) throw new Error('A fresh key can be exchanged.');
  return { ...user, apiKey, ...tokens };
}

/** Which of a caller's credentials work. */
async function working(caller: Awaited<ReturnType<typeof signedInCaller>>) {
  const reads = (authorization: string) =>
    anonymous.fetch('/organizations/workspaces', { headers: { Authorization: authorization } });
  const { refreshToken } = caller;
  const tries = {
    token: await reads(caller.token),
    accessToken: await reads(`Bearer ${caller.accessToken}`),
    refreshToken: (await anonymous.POST('/auth/refresh', { body: { refreshToken } })).response,
    apiKey: (await anonymous.POST('/auth/authorize', { body: caller.apiKey })).response,
  };
  return Object.fromEntries(Object.entries(tries).map(([name, { status }]) => [name, status]));
}

/** An organization with two owners and nobody else. */
async function twoOwners() {
  const own = await given.organization();
  const homeWorkspace = await given.workspace({ organization: own });
  const caller = () => given.caller({ organization: own, role: 'owner', homeWorkspace });
  const [first, second] = [await caller(), await caller()];
  return {
    own,
    first: { ...first, actor: actor(first.token) },
    second: { ...second, actor: actor(second.token) },
  };
}

const jobsFor = async ({ idpId }: { idpId: string }) => {
  const { rows } = await sql`select data from production_jobs.job where data->>'idpId' = ${idpId}`.execute(
    database,
  );
  return rows;
};

describe('changeUserRole', () => {
  test('changes the role, and emits its event', async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, async () => {
      const body = await bodyOf(200, changeRole(owner, user.id, roles.admin));
      expect(body).toEqual(userBody(user, clock.now(), { roleId: roles.admin }));
    });
    expect(events).toEqual([emitted('user.role_changed', { userId: user.id, roleId: roles.admin })]);
    expect(await bodyOf(200, read(user.id))).toMatchObject({ roleId: roles.admin });
  });

  test('takes effect with the next request', async () => {
    const caller = await given.caller({ organization, homeWorkspace: world.workspace });
    const list = () => actor(caller.token).GET('/organizations/users', {});
    await expectRefusal(list(), 403, 'permission_denied');
    await bodyOf(200, changeRole(owner, caller.id, roles.admin));
    await bodyOf(200, list());
    await bodyOf(200, changeRole(owner, caller.id, roles.member));
    await expectRefusal(list(), 403, 'permission_denied');
  });

  test('accepts identifiers in upper or lower case', async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, () =>
      bodyOf(200, changeRole(owner, user.id.toUpperCase(), roles.admin.toUpperCase())),
    );
    expect(events).toMatchObject([{ data: { userId: user.id, roleId: roles.admin } }]);
  });

  test("refuses a role that is not one of the organization's: 400 role_unknown", async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, async () => {
      for (const roleId of [
        randomUUID(),
        world.strangersOrganization.roles.admin,
        world.workspace.roles.editor,
      ]) {
        await expectRefusal(changeRole(owner, user.id, roleId), 400, 'role_unknown', { pointer: '/roleId' });
      }
    });
    expect(events).toEqual([]);
  });

  test('refuses to change the role of the last active owner: 409 last_owner', async () => {
    const { own, first, second } = await twoOwners();
    await given.user({ organization: own, role: 'owner', status: 'TERMINATED' });
    await bodyOf(200, changeRole(first.actor, second.id, own.roles.admin));
    const events = await eventsOf(database, () =>
      expectRefusal(changeRole(first.actor, first.id, own.roles.member), 409, 'last_owner'),
    );
    expect(events).toEqual([]);
    expect(await bodyOf(200, changeRole(first.actor, first.id, own.roles.owner))).toMatchObject({
      roleId: own.roles.owner,
    });
  });
});

describe('terminateUser', () => {
  test('makes the user TERMINATED, and emits its event', async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, async () => {
      const body = await bodyOf(200, terminate(admin, user.id));
      expect(body).toEqual(userBody(user, clock.now(), { status: 'TERMINATED' }));
    });
    expect(events).toEqual([emitted('user.terminated', { userId: user.id, status: 'TERMINATED' })]);
    expect(await bodyOf(200, read(user.id))).toMatchObject({ profile: { status: 'TERMINATED' } });
  });

  test('decision 7: returns a terminated user unchanged, and emits no event', async () => {
    const user = await given.user({ organization });
    const first = await bodyOf(200, terminate(owner, user.id));
    clock.forward(1000);
    const events = await eventsOf(database, async () => {
      expect(await bodyOf(200, terminate(owner, user.id))).toEqual(first);
    });
    expect(events).toEqual([]);
  });

  test('revokes every credential of the user at once, and reinstatement restores none', async () => {
    const caller = await signedInCaller();
    const other = await signedInCaller();
    await bodyOf(200, terminate(owner, caller.id));
    const dead = { token: 401, accessToken: 401, refreshToken: 401, apiKey: 401 };
    expect(await working(caller)).toEqual(dead);
    await bodyOf(200, reinstate(owner, caller.id, roles.admin));
    expect(await working(caller)).toEqual(dead);
    expect(await working(other)).toEqual({ token: 200, accessToken: 200, refreshToken: 200, apiKey: 200 });
    const fresh = await given.token({ user: caller, homeWorkspace: world.workspace });
    await bodyOf(200, actor(fresh).GET('/organizations/users', {}));
  });

  test('refuses the own user, in upper or lower case: 409 own_user', async () => {
    await expectRefusal(terminate(admin, world.admin.id), 409, 'own_user');
    await expectRefusal(terminate(admin, world.admin.id.toUpperCase()), 409, 'own_user');
    expect(await bodyOf(200, read(world.admin.id))).toMatchObject({ profile: { status: 'ACTIVE' } });
  });
});

describe('reinstateUser', () => {
  test('activates a terminated user with the role, and emits its event', async () => {
    const createdAt = clock.now();
    const caller = await signedInCaller();
    expect(await bodyOf(200, read(caller.id))).toMatchObject({
      profile: { lastSignedInAt: createdAt.toISOString() },
    });
    await terminate(owner, caller.id);
    clock.forward(60_000);
    const events = await eventsOf(database, async () => {
      const body = await bodyOf(200, reinstate(owner, caller.id, roles.admin));
      expect(body).toEqual(userBody(caller, createdAt, { roleId: roles.admin }));
    });
    expect(events).toEqual([
      emitted('user.reinstated', { userId: caller.id, roleId: roles.admin, status: 'ACTIVE' }),
    ]);
  });

  test('refuses an active user and keeps its role: 409 user_not_terminated', async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, () =>
      expectRefusal(reinstate(owner, user.id, roles.admin), 409, 'user_not_terminated'),
    );
    expect(events).toEqual([]);
    expect(await bodyOf(200, read(user.id))).toEqual(userBody(user, clock.now()));
  });

  test("refuses a role that is not one of the organization's: 400 role_unknown", async () => {
    const { id } = await given.terminatedUser(organization);
    const strangers = world.strangersOrganization.roles.member;
    await expectRefusal(reinstate(owner, id, strangers), 400, 'role_unknown', { pointer: '/roleId' });
  });
});

describe('resetUserMfa', () => {
  test('removes the factors, queues a job, and emits its event', async () => {
    const user = await given.user({ organization });
    const bystander = await given.user({ organization });
    for (const enrolled of [user, user, bystander]) await given.mfaFactor({ user: enrolled });
    const events = await eventsOf(database, async () => {
      expect(await responseOf(resetMfa(admin, user.id))).toMatchObject({ status: 202, body: undefined });
    });
    expect(events).toEqual([emitted('user.mfa_reset', { userId: user.id })]);
    const factors = await database
      .selectFrom('mfa_factors')
      .select('user_id')
      .where('user_id', 'in', [user.id, bystander.id])
      .execute();
    expect(factors).toEqual([{ user_id: bystander.id }]);
    expect(await jobsFor(user)).toEqual([{ data: { idpId: user.idpId } }]);
  });

  test('accepts a user without factors: 202, with its job and event', async () => {
    const user = await given.user({ organization });
    const events = await eventsOf(database, () => bodyOf(202, resetMfa(owner, user.id)));
    expect(events).toMatchObject([{ type: 'user.mfa_reset' }]);
    expect(await jobsFor(user)).toHaveLength(1);
  });

  test('notifies the identity provider, by its identifier of the user', async () => {
    const user = await given.user({ organization });
    await bodyOf(202, resetMfa(owner, user.id));
    const request = `POST /directory/users/${user.idpId}/reset-mfa`;
    await until(() => requests.some((call) => call.request === request));
    expect(requests.filter((call) => call.request === request)).toEqual([
      { request, key: expect.any(String) },
    ]);
  });

  test('ends the sign-ins of the user and keeps its token and key', async () => {
    const caller = await signedInCaller();
    await bodyOf(202, resetMfa(owner, caller.id));
    expect(await working(caller)).toEqual({ token: 200, accessToken: 401, refreshToken: 401, apiKey: 200 });
  });

  test('like a termination, keeps the time of an earlier revocation', async () => {
    const { id } = await signedInCaller();
    const earlier = new Date(clock.now().getTime() - 60_000);
    await sql`
      with tokens as (update organization_tokens set revoked_at = ${earlier} where user_id = ${id}),
      keys as (update api_keys set revoked_at = ${earlier} where user_id = ${id} returning id)
      update token_families set revoked_at = ${earlier} where api_key_id in (select id from keys)`.execute(
      database,
    );
    await bodyOf(202, resetMfa(owner, id));
    await bodyOf(200, terminate(owner, id));
    const { rows } = await sql`
      select revoked_at from organization_tokens where user_id = ${id}
      union all select revoked_at from api_keys where user_id = ${id}
      union all select revoked_at from token_families
        where api_key_id in (select id from api_keys where user_id = ${id})`.execute(database);
    expect(rows).toEqual(Array(3).fill({ revoked_at: earlier }));
  });
});
