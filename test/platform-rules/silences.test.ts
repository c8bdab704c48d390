import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { secretDigest } from '../../server/src/domain/organization-token.ts';
import { answered, bodyOf, expectRefusal } from '../support/answers.ts';
import { api } from '../support/api.ts';
import { given as givenIn } from '../support/given.ts';
import { operations, parametersIn } from '../sweeps/support/contract.ts';

/**
 * One test for each line of the guide's "Also settled" that is about people, files and parameter sets; those about
 * workflows, links and webhooks stand with their endpoints.
 */
const platform = await api();
const { owner, admin, member, outsider, stranger, anonymous, actor, world, given, database, clock } =
  platform;
const { baseUrl, sandboxUrl, sandboxDatabase, log } = platform;
const { organization, workspace, otherWorkspace } = world;
const workflowDefinitionId = world.workflowDefinition.id;

type Actor = typeof owner;
const place = { tableId: world.table.id, recordId: world.record.id };
const collection = '/tables/{tableId}/records/{recordId}/attachments';
const attach = (client: Actor, file: File, tags?: string[]) =>
  client.POST(collection, { params: { path: place }, body: { file, ...(tags && { tags }) } });
const store = (client: Actor, parameters: unknown, definition = workflowDefinitionId) =>
  client.POST('/parameters', { body: { workflowDefinitionId: definition, parameters } });
const userOf = (userId: string) => ({ params: { path: { userId } } });
const workspaceOf = (workspaceId: string) => ({ params: { path: { workspaceId } } });
const memberOf = (workspaceId: string, userId: string) => ({ params: { path: { workspaceId, userId } } });
const getUser = (client: Actor, userId: string) =>
  client.GET('/organizations/users/{userId}', userOf(userId));
const rolesOf = (client: Actor, workspaceId: string) =>
  client.GET('/organizations/workspaces/{workspaceId}/roles', workspaceOf(workspaceId));
const terminate = (client: Actor, userId: string) =>
  client.POST('/organizations/users/{userId}/terminate', userOf(userId));
const json = (method: string, body: string) => ({
  method,
  body,
  headers: { 'Content-Type': 'application/json' },
});

test('GET /parameters/{parametersId} responds with 201', async () => {
  const { data } = await store(owner, { a: 1 });
  const params = { path: { parametersId: data?.parametersId ?? '' } };
  expect(await bodyOf(201, owner.GET('/parameters/{parametersId}', { params }))).toEqual(data);
});

test('the removal of a membership responds with 200 and an empty body, and 404 if there is none', async () => {
  const user = await given.user({ organization });
  await given.membership({ workspace, user, role: 'viewer' });
  const remove = () =>
    owner.DELETE('/workspaces/{workspaceId}/memberships/{userId}', memberOf(workspace.id, user.id));
  expect(await bodyOf(200, remove())).toBeUndefined();
  await expectRefusal(remove(), 404, 'membership_not_found');
});

describe('a caller', () => {
  test('is a user of one organization, listed like any other', async () => {
    const service = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
    const { data } = await actor(service.token).GET('/organizations/users', {
      params: { query: { size: 100 } },
    });
    expect(data?.content.map(({ id }) => id)).toContain(service.id);
  });

  test('who is owner or admin holds every permission in every workspace of the organization', async () => {
    const fresh = await given.workspace({ organization });
    const { id } = await given.user({ organization });
    for (const client of [owner, admin]) {
      await bodyOf(200, rolesOf(client, fresh.id));
      const body = { userId: id, roleId: fresh.roles.viewer };
      const set = { ...memberOf(fresh.id, id), body };
      await bodyOf(200, client.PUT('/workspaces/{workspaceId}/memberships/{userId}', set));
      await bodyOf(201, attach(client, new File(['x'], 'x')));
    }
  });

  test('who is a member holds only what its workspace roles grant', async () => {
    await bodyOf(200, rolesOf(member, workspace.id));
    await expectRefusal(rolesOf(member, otherWorkspace.id), 403, 'permission_denied');
    await expectRefusal(attach(member, new File(['x'], 'x')), 403, 'permission_denied');
  });

  test('whose user is terminated is refused', async () => {
    const caller = await given.caller({ organization, homeWorkspace: workspace });
    await bodyOf(200, terminate(owner, caller.id));
    await expectRefusal(actor(caller.token).GET('/organizations/workspaces'), 401, 'credentials_invalid');
  });
});

test('an uploaded resource belongs to the home workspace of the token', async () => {
  const body = { file: new File(['x'], 'x') };
  const elsewhere = actor(await given.token({ user: world.owner, homeWorkspace: otherWorkspace }));
  const ids = [];
  for (const client of [owner, elsewhere])
    ids.push((await client.POST('/resources', { body })).data?.resourceId ?? '');
  const rows = await database
    .selectFrom('resources')
    .select(['id', 'workspace_id'])
    .where('id', 'in', ids)
    .execute();
  const places = ids.map((id) => rows.find((row) => row.id === id)?.workspace_id);
  expect(places).toEqual([workspace.id, otherWorkspace.id]);
});

test('an object of another organization does not exist: 404; one of your own without the permission: 403', async () => {
  await expectRefusal(rolesOf(outsider, world.strangersWorkspace.id), 404, 'workspace_not_found');
  await expectRefusal(rolesOf(outsider, workspace.id), 403, 'permission_denied');
  await expectRefusal(getUser(member, world.stranger.id), 404, 'user_not_found');
  await expectRefusal(getUser(member, world.owner.id), 403, 'permission_denied');
});

test('the lists of roles, workspaces and memberships fail like everything else', async () => {
  const lists = [
    'listOrganizationRoles',
    'listWorkspaces',
    'listWorkspaceRoles',
    'listMemberships',
    'listDirectMemberships',
  ];
  for (const { id, answers } of operations.filter((operation) => lists.includes(operation.id))) {
    expect([...answers.keys()], id).toEqual(expect.arrayContaining([400, 401, 500]));
  }
  await expectRefusal(owner.fetch('/organizations/roles?x=1'), 400, 'parameter_invalid');
  await expectRefusal(anonymous.GET('/organizations/roles'), 401, 'credentials_missing');
  await expectRefusal(member.GET('/organizations/roles'), 403, 'permission_denied');
  await expectRefusal(rolesOf(owner, randomUUID()), 404, 'workspace_not_found');
});

test('tags are always present, at most 20 of 64 characters', async () => {
  expect((await attach(owner, new File(['x'], 'x'))).data?.tags).toEqual([]);
  const tags = Array.from({ length: 20 }, () => 'ü'.repeat(64));
  await bodyOf(201, attach(owner, new File(['x'], 'x'), tags));
  await expectRefusal(attach(owner, new File(['x'], 'x'), [...tags, 'x']), 400, 'body_invalid');
  await expectRefusal(attach(owner, new File(['x'], 'x'), ['ü'.repeat(65)]), 400, 'body_invalid');
});

test('lists without pages are whole, ordered by creation, then by id', async () => {
  const record = await given.record({ table: world.table });
  const path = { ...place, recordId: record.id };
  const made = [];
  for (let count = 0; count < 6; count++) {
    if (count === 3) clock.forward(1000);
    const { data } = await owner.POST(collection, { params: { path }, body: { file: new File(['x'], 'x') } });
    made.push(data?.id ?? '');
  }
  const { data } = await owner.GET(collection, { params: { path } });
  expect(data?.map(({ id }) => id)).toEqual([...made.slice(0, 3).sort(), ...made.slice(3).sort()]);
});

test('a caller cannot terminate its own user or the last owner: 409', async () => {
  await expectRefusal(terminate(owner, world.owner.id), 409, 'own_user');
  await expectRefusal(terminate(admin, world.owner.id), 403, 'beyond_own_permissions');
  const body = { roleId: organization.roles.admin };
  const step = owner.PUT('/organizations/users/{userId}/role', { ...userOf(world.owner.id), body });
  await expectRefusal(step, 409, 'last_owner');
});

test('termination revokes every credential, and reinstatement restores none', async () => {
  const caller = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
  const apiKey = await given.apiKey({ user: caller, homeWorkspace: workspace });
  await bodyOf(200, terminate(owner, caller.id));
  const body = { roleId: organization.roles.admin };
  await bodyOf(200, owner.POST('/organizations/users/{userId}/reinstate', { ...userOf(caller.id), body }));
  await expectRefusal(getUser(actor(caller.token), caller.id), 401, 'credentials_invalid');
  await expectRefusal(anonymous.POST('/auth/authorize', { body: apiKey }), 401, 'credentials_invalid');
});

test("profile.id belongs to the profile, profile.roleId is the user's", async () => {
  const { data } = await getUser(owner, world.member.id);
  const body = { roleId: data?.roleId ?? '' };
  expect(data?.profile.id).not.toBe(data?.id);
  const { data: changed } = await owner.PUT('/organizations/users/{userId}/role', {
    ...userOf(world.member.id),
    body,
  });
  expect(changed?.profile.roleId).toBe(changed?.roleId);
  expect(changed?.profile.id).toBe(data?.profile.id);
});

test('lastSignedInAt is set by the exchange of a key, not by a call', async () => {
  const caller = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
  const signedInAt = async () => (await getUser(actor(caller.token), caller.id)).data?.profile.lastSignedInAt;
  expect(await signedInAt()).toBeNull();
  const apiKey = await given.apiKey({ user: caller, homeWorkspace: workspace });
  await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }));
  expect(await signedInAt()).toBe(clock.now().toISOString());
});

test('a reset of the second factors revokes the refresh tokens; without factors it is 202 as well', async () => {
  const user = await given.user({ organization });
  const apiKey = await given.apiKey({ user, homeWorkspace: workspace });
  const { data } = await anonymous.POST('/auth/authorize', { body: apiKey });
  await bodyOf(202, owner.POST('/organizations/users/{userId}/reset-mfa', userOf(user.id)));
  const refused = anonymous.POST('/auth/refresh', { body: { refreshToken: data?.refreshToken ?? '' } });
  await expectRefusal(refused, 401, 'credentials_invalid');
});

test('production may hold LIVE and SANDBOX workspaces', async () => {
  await given.workspace({ organization, type: 'SANDBOX' });
  const { data } = await owner.GET('/organizations/workspaces');
  expect(new Set(data?.map(({ workspaceType }) => workspaceType))).toEqual(new Set(['LIVE', 'SANDBOX']));
});

test('a workspace role is WORKSPACE if built in, CUSTOM if declared', async () => {
  const own = await given.workspace({ organization });
  await given.workspaceRole({ workspace: own, name: 'Own', relations: [] });
  const { data } = await rolesOf(owner, own.id);
  const types = data?.map(({ name, type }) => `${name} ${type}`).sort();
  expect(types).toEqual(['Editor WORKSPACE', 'Manager WORKSPACE', 'Own CUSTOM', 'Viewer WORKSPACE']);
});

test('an upload has the media type that its part declares, whatever its bytes are', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const { data } = await attach(owner, new File([png], 'a.png', { type: 'text/x-note; charset=utf-8' }));
  expect(data?.type).toBe('text/x-note; charset=utf-8');
});

test('a parameter set is stored unchanged and is not checked against its definition', async () => {
  for (const parameters of [null, 0, 'text', [[]], { anything: { goes: true } }]) {
    expect(await bodyOf(201, store(owner, parameters))).toMatchObject({ parameters });
  }
});

test('if the body names the object, checks identity, then the body, then the permission', async () => {
  const bad = json('POST', `{"workflowDefinitionId":"${workflowDefinitionId}"}`);
  await expectRefusal(anonymous.fetch('/parameters', bad), 401, 'credentials_missing');
  await expectRefusal(outsider.fetch('/parameters', bad), 400, 'body_invalid');
  await expectRefusal(store(outsider, {}), 403, 'permission_denied');
  await expectRefusal(store(outsider, {}, randomUUID()), 404, 'workflow_definition_not_found');
});

test('a malformed identifier in the path is 400, after identification', async () => {
  await expectRefusal(getUser(anonymous, 'me'), 401, 'credentials_missing');
  await expectRefusal(getUser(outsider, 'me'), 400, 'parameter_invalid', { parameter: 'userId' });
});

test('unknown fields of a body and unknown query parameters are 400', async () => {
  const body = json('PUT', '{"roleId":"5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02","note":"x"}');
  const refused = owner.fetch(`/organizations/users/${world.member.id}/role`, body);
  await expectRefusal(refused, 400, 'body_invalid', { pointer: '/note' });
  const unknown = owner.fetch('/organizations/users?limit=5');
  await expectRefusal(unknown, 400, 'parameter_invalid', { parameter: 'limit' });
});

test('names, tags and file names are kept in any script, in Unicode NFC', async () => {
  const decomposed = 'Zu\u0308rich 東京 القاهرة';
  const { data } = await attach(owner, new File(['x'], decomposed), [decomposed]);
  expect(data).toMatchObject({ name: 'Zürich 東京 القاهرة', tags: ['Zürich 東京 القاهرة'] });
  const { id } = await given.user({ organization });
  const body = { firstName: decomposed, lastName: decomposed, title: decomposed };
  const { data: user } = await owner.PUT('/organizations/users/{userId}/profile', { ...userOf(id), body });
  expect(user?.profile.firstName).toBe('Zürich 東京 القاهرة');
});

test('a file is served as a download that no browser runs, with ranges', async () => {
  const file = new File(['<p>hello</p>'], 'sprüche.html', { type: 'text/html' });
  const { data } = await owner.POST('/resources', { body: { file } });
  const whole = await owner.fetch(`/resources/${data?.resourceId}`);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-disposition': expect.stringMatching(
      /^attachment; filename=.*; filename\*=UTF-8''spr%C3%BCche\.html$/,
    ),
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
    etag: expect.stringMatching(/^".+"$/),
  });
  await whole.body?.cancel();
  const ask = (headers: Record<string, string>) => owner.fetch(`/resources/${data?.resourceId}`, { headers });
  expect(await bodyOf(206, ask({ Range: 'bytes=3-7' }))).toBe('hello');
  expect((await answered(ask({ 'If-None-Match': whole.headers.get('ETag') ?? '' }))).status).toBe(304);
});

test('an unsupported method is refused: 405 with Allow', async () => {
  const { headers } = await expectRefusal(
    owner.fetch('/organizations/users', { method: 'DELETE' }),
    405,
    'method_not_allowed',
  );
  expect(headers.get('Allow')).toBe('GET');
});

test('every POST except those under /auth/ accepts an Idempotency-Key', async () => {
  for (const operation of operations) {
    const takes = parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
    const should = operation.method.toUpperCase() === 'POST' && !operation.template.startsWith('/auth/');
    expect(takes, operation.id).toBe(should);
  }
});

test('an organization token is tot_, 32 characters and a checksum of 6; only its digest is stored', async () => {
  const { token } = await given.caller({ organization, homeWorkspace: workspace });
  expect(token).toMatch(/^tot_[0-9A-Za-z]{38}$/);
  const rows = await database
    .selectFrom('organization_tokens')
    .selectAll()
    .where('sha256', '=', secretDigest(token))
    .execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
});

test('the sandbox has the same paths and its own data and tokens: others are 401', async () => {
  const { world: there } = await givenIn(sandboxDatabase, clock);
  const call = (base: string, token: string) =>
    fetch(`${base}/organizations/users`, { headers: { Authorization: token } });
  const users = (await bodyOf(200, call(sandboxUrl, there.owner.token))) as { content: { id: string }[] };
  expect(users.content.map(({ id }) => id)).toContain(there.owner.id);
  expect(users.content.map(({ id }) => id)).not.toContain(world.owner.id);
  await expectRefusal(call(sandboxUrl, world.owner.token), 401, 'credentials_invalid');
  await expectRefusal(call(baseUrl, there.owner.token), 401, 'credentials_invalid');
});

test('a fingerprint identifies one error: it is the Request-Id of the response and of the log line', async () => {
  const refusals = [
    await expectRefusal(getUser(stranger, world.owner.id), 404, 'user_not_found'),
    await expectRefusal(getUser(stranger, world.owner.id), 404, 'user_not_found'),
  ];
  const fingerprints = refusals.map(({ body }) => (body as { fingerprint: string }).fingerprint);
  expect(new Set(fingerprints).size).toBe(2);
  for (const requestId of fingerprints) {
    expect(log.filter((line) => line['requestId'] === requestId)).toEqual([
      expect.objectContaining({ operationId: 'getUser', status: 404, userId: world.stranger.id }),
    ]);
  }
  const { response } = await owner.GET('/organizations/roles');
  const requestId = response.headers.get('Request-Id');
  expect(log.filter((line) => line['requestId'] === requestId)).toMatchObject([{ status: 200 }]);
});
