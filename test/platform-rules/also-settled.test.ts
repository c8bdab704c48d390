import { expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { expectRefusal } from '../support/responses.ts';
import { operations, parametersIn } from '../sweeps/support/contract.ts';

/**
 * Lines of the guide's "Also settled" that are not a matter of one operation. The others are tested with their
 * endpoints and by the sweeps.
 */
const { owner, outsider, stranger, anonymous, actor, world, given, database, log } = await api();
const { organization, workspace, otherWorkspace } = world;

type Actor = typeof owner;
const userOf = (userId: string) => ({ params: { path: { userId } } });
const getUser = (client: Actor, userId: string) =>
  client.GET('/organizations/users/{userId}', userOf(userId));

test('a service account is a user of one organization, listed like any other', async () => {
  const service = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
  const { data } = await actor(service.token).GET('/organizations/users', {
    params: { query: { size: 100 } },
  });
  expect(data?.content.map(({ id }) => id)).toContain(service.id);
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

test('a malformed identifier in the path is 400, after identification', async () => {
  await expectRefusal(getUser(anonymous, 'me'), 401, 'credentials_missing');
  await expectRefusal(getUser(outsider, 'me'), 400, 'parameter_invalid', { parameter: 'userId' });
});

test('every POST except those under /auth/ accepts an Idempotency-Key', async () => {
  for (const operation of operations) {
    const takes = parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
    const should = operation.method.toUpperCase() === 'POST' && !operation.template.startsWith('/auth/');
    expect(takes, operation.id).toBe(should);
  }
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
