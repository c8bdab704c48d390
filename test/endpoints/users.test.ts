import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';

const { owner, world, given, database } = await api();
const { organization } = world;
const roleId = organization.roles.member;

describe('reinstateUser', () => {
  const path = '/organizations/users/{userId}/reinstate';

  test('makes a terminated user active, with the given role', async () => {
    const user = await given.terminatedUser(organization);
    const params = { path: { userId: user.id } };
    const { data, response } = await owner.POST(path, { params, body: { roleId: organization.roles.admin } });
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ id: user.id, roleId: organization.roles.admin, profile: { status: 'ACTIVE' } });
    const events = await database.selectFrom('events').selectAll().execute();
    expect(events).toMatchObject([{ type: 'user.reinstated', data: { userId: user.id } }]);
  });

  test('refuses an active user: 409 user_not_terminated', async () => {
    const user = await given.user({ organization });
    const params = { path: { userId: user.id } };
    const { error, response } = await owner.POST(path, { params, body: { roleId } });
    expect(response.status).toBe(409);
    expect(error?.errors).toMatchObject([{ code: 'user_not_terminated' }]);
  });
});
