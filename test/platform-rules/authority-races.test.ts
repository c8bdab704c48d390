import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import {
  changeRole,
  companies,
  removeMembership,
  setMembership,
  terminate,
  userChanges,
} from '../support/authority.ts';
import { bodyOf, responseOf } from '../support/responses.ts';
import { blockedBy, heldUp, queuedUp, until } from '../support/waiting.ts';

/** Decision 32 of the guide "Limits and decisions": two concurrent changes. */
const platform = await api();
const { given, database } = platform;
const company = companies(platform);

describe('32: when authority is checked', () => {
  test.each(['changeUserRole', 'terminateUser', 'reinstateUser', 'resetUserMfa'] as const)(
    '%s: refuses an admin who became a member meanwhile: 403',
    async (operation) => {
      const { organization, owner, admin, caller, roles } = await company();
      const target = await (operation === 'reinstateUser'
        ? given.terminatedUser(organization)
        : caller('member'));
      const [demoted, raced] = await queuedUp(
        database,
        organization.id,
        () => responseOf(changeRole(owner, admin.id, roles.member)),
        () => responseOf(userChanges(roles)[operation](admin, target.id)),
      );
      expect(demoted?.status).toBe(200);
      expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
    },
  );

  test('an owner who became an admin meanwhile cannot make owners', async () => {
    const { organization, owner, caller, roles } = await company();
    const [second, target] = [await caller('owner'), await caller()];
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => responseOf(changeRole(owner, second.id, roles.admin)),
      () => responseOf(changeRole(second, target.id, roles.owner)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test('an admin cannot change a user who became an owner meanwhile', async () => {
    const { organization, owner, admin, caller, roles } = await company();
    const target = await caller();
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => responseOf(changeRole(owner, target.id, roles.owner)),
      () => responseOf(terminate(admin, target.id)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test('a caller who was terminated meanwhile is refused: 401', async () => {
    const { organization, owner, admin, caller, motor } = await company();
    const clerk = await caller();
    const [, ...raced] = await queuedUp(
      database,
      organization.id,
      () => responseOf(terminate(owner, admin.id)),
      () => responseOf(terminate(admin, clerk.id)),
      () => responseOf(setMembership(admin, motor.id, clerk.id, motor.roles.manager)),
    );
    for (const response of raced)
      expect(response).toMatchObject({ status: 401, body: { errors: [{ code: 'credentials_invalid' }] } });
  });

  test.each(['organization_tokens', 'api_keys'] as const)(
    'a caller whose credential in %s was revoked meanwhile is refused: 401',
    async (table) => {
      const { organization, admin, caller, roles, motor } = await company();
      const clerk = await caller();
      const key = await given.apiKey({ user: admin, homeWorkspace: motor });
      const { data } = await platform.anonymous.POST('/auth/authorize', { body: key });
      const client = table === 'api_keys' ? platform.actor(`Bearer ${data?.accessToken}`) : admin;
      const [raced] = await heldUp(
        database,
        { table: 'organizations', id: organization.id },
        () => [responseOf(changeRole(client, clerk.id, roles.member))],
        () =>
          database
            .updateTable(table)
            .set({ revoked_at: platform.clock.now() })
            .where('user_id', '=', admin.id)
            .execute(),
      );
      expect(raced).toMatchObject({ status: 401, body: { errors: [{ code: 'credentials_invalid' }] } });
    },
  );

  test('a caller whose user was terminated meanwhile is refused, whatever its credentials are: 401', async () => {
    const { organization, admin, caller, roles } = await company();
    const clerk = await caller();
    const [raced] = await heldUp(
      database,
      { table: 'organizations', id: organization.id },
      () => [responseOf(changeRole(admin, clerk.id, roles.member))],
      () => database.updateTable('users').set({ status: 'TERMINATED' }).where('id', '=', admin.id).execute(),
    );
    expect(raced).toMatchObject({ status: 401, body: { errors: [{ code: 'credentials_invalid' }] } });
  });

  test('a Manager who was removed or became a Viewer meanwhile cannot change memberships: 403', async () => {
    const { organization, owner, member, home } = await company();
    for (const taken of ['removed', 'viewer'] as const) {
      const [manager, clerk] = [await member(home, 'manager'), await member(home, 'viewer')];
      const [first, ...raced] = await queuedUp(
        database,
        organization.id,
        () =>
          responseOf(
            taken === 'removed'
              ? removeMembership(owner, home.id, manager.id)
              : setMembership(owner, home.id, manager.id, home.roles.viewer),
          ),
        () => responseOf(setMembership(manager, home.id, clerk.id, home.roles.manager)),
        () => responseOf(removeMembership(manager, home.id, clerk.id)),
      );
      expect(first?.status).toBe(200);
      for (const response of raced)
        expect(response).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
    }
  });

  test('exactly one of two Managers who remove each other concurrently succeeds', async () => {
    const { organization, member, home } = await company();
    const [one, other] = [await member(home, 'manager'), await member(home, 'manager')];
    const responses = await heldUp(database, { table: 'organizations', id: organization.id }, () => [
      responseOf(removeMembership(one, home.id, other.id)),
      responseOf(removeMembership(other, home.id, one.id)),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('a permission elsewhere that the caller lost meanwhile cannot be granted', async () => {
    const { organization, owner, member, caller, motor, home, desk, peopleDesk } = await company();
    const [holder, clerk] = [await member(home, 'manager'), await caller()];
    const role = await desk(motor, 'can_manage_users', 'can_reset_2fa');
    await given.membership({ workspace: motor, user: holder, role: { id: role } });
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => responseOf(removeMembership(owner, motor.id, holder.id)),
      () => responseOf(setMembership(holder, home.id, clerk.id, peopleDesk)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test.each([
    ['the role of the caller', 'users'],
    ['the membership of the caller', 'memberships'],
    ['a permission of its role', 'role_permissions'],
  ] as const)(
    'a change waits for a concurrent change of %s, and checks authority again',
    async (_what, table) => {
      const { caller, member, roles, home } = await company();
      const clerk = await caller();
      const isUser = table === 'users';
      const subject = isUser ? await caller('admin') : await member(home, 'manager');
      const lose = {
        users: sql`update users set role_id = ${roles.member} where id = ${subject.id}`,
        memberships: sql`delete from memberships where user_id = ${subject.id}`,
        role_permissions: sql`delete from role_permissions where role_id = ${home.roles.manager}
        and relation = 'can_manage_workspace_access'`,
      }[table];
      const { raced } = await database.transaction().execute(async (transaction) => {
        await lose.execute(transaction);
        const raced = responseOf(
          isUser
            ? changeRole(subject, clerk.id, roles.member)
            : setMembership(subject, home.id, clerk.id, home.roles.viewer),
        );
        await until(async () => (await blockedBy(transaction)) > 0, { interval: 10 });
        return { raced };
      });
      expect(await raced).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
    },
  );

  test('each of many concurrent changes gets its own response', async () => {
    const { owner, caller, member, motor, home, roles } = await company();
    const owners = await Promise.all([caller('owner'), caller('owner'), caller('owner')]);
    const managers = await Promise.all([1, 2, 3].map(() => member(home, 'manager')));
    for (const manager of managers)
      await given.membership({ workspace: motor, user: manager, role: 'manager' });
    const responses = await Promise.all(
      [...owners, ...managers].flatMap((one, index, all) => {
        const other = all[(index + 1) % all.length] ?? one;
        return [
          responseOf(setMembership(one, home.id, other.id, home.roles.editor)),
          responseOf(changeRole(one, other.id, roles.member)),
          responseOf(removeMembership(one, motor.id, other.id)),
          responseOf(terminate(one, other.id)),
        ];
      }),
    );
    for (const { status } of responses) expect([200, 401, 403, 404, 409]).toContain(status);
    await bodyOf(200, owner.GET('/organizations/users', {}));
  });
});
