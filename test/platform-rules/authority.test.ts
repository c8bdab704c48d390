import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { answered, bodyOf, expectRefusal } from '../support/answers.ts';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import type { KnownWorkspace } from '../support/given.ts';
import { heldUp, queuedUp, until, waiting } from '../support/waiting.ts';

/** Decisions 30 to 32 of the guide "Limits and decisions": nobody passes on more than they hold. */
const { actor, given, database } = await api();

type Actor = ReturnType<typeof actor>;
const user = (userId: string) => ({ params: { path: { userId } } });
const changeRole = (client: Actor, userId: string, roleId: string) =>
  client.PUT('/organizations/users/{userId}/role', { ...user(userId), body: { roleId } });
const terminate = (client: Actor, userId: string) =>
  client.POST('/organizations/users/{userId}/terminate', user(userId));
const reinstate = (client: Actor, userId: string, roleId: string) =>
  client.POST('/organizations/users/{userId}/reinstate', { ...user(userId), body: { roleId } });
const resetMfa = (client: Actor, userId: string) =>
  client.POST('/organizations/users/{userId}/reset-mfa', user(userId));
const setMembership = (client: Actor, workspaceId: string, userId: string, roleId: string) =>
  client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
    body: { userId, roleId },
  });
const removeMembership = (client: Actor, workspaceId: string, userId: string) =>
  client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
  });

/** An organization of its own: an owner, two admins, two workspaces, and roles that reach beyond theirs. */
async function company() {
  const organization = await given.organization();
  const { roles } = organization;
  const [motor, home] = [await given.workspace({ organization }), await given.workspace({ organization })];
  const caller = async (role: 'owner' | 'admin' | 'member' = 'member') => {
    const known = await given.caller({ organization, role, homeWorkspace: motor });
    return { ...known, ...actor(known.token) };
  };
  const member = async (workspace: KnownWorkspace, role: 'manager' | 'viewer' | { id: string }) => {
    const known = await caller();
    await given.membership({ workspace, user: known, role });
    return known;
  };
  const onOrganization = { resourceType: 'organization', resourceId: organization.id } as const;
  const desk = (workspace: KnownWorkspace, ...relations: string[]) =>
    given.workspaceRole({ workspace, name: `People desk ${relations}`, relations, on: onOrganization });
  const peopleDesk = await desk(home, 'can_manage_users', 'can_reset_2fa');
  return {
    ...{ organization, roles, motor, home, caller, member, desk, peopleDesk },
    owner: await caller('owner'),
    admin: await caller('admin'),
  };
}

/** Every change of a user that authority is asked for, by what it is to do. */
const changes = (roles: { member: string }) => ({
  changeUserRole: (client: Actor, userId: string) => changeRole(client, userId, roles.member),
  terminateUser: terminate,
  reinstateUser: (client: Actor, userId: string) => reinstate(client, userId, roles.member),
  resetUserMfa: resetMfa,
});

describe('30: who may act on whom', () => {
  test('an admin does not become an owner, and does not touch one: 403 beyond_own_permissions', async () => {
    const { admin, owner, roles } = await company();
    const events = await eventsOf(database, async () => {
      await expectRefusal(changeRole(admin, admin.id, roles.owner), 403, 'beyond_own_permissions');
      for (const change of Object.values(changes(roles)))
        await expectRefusal(change(admin, owner.id), 403, 'beyond_own_permissions');
    });
    expect(events).toEqual([]);
    await bodyOf(200, owner.GET('/organizations/users', {}));
  });

  test('a member with can_manage_users and can_reset_2fa acts on members only, and makes members only', async () => {
    const { member, home, peopleDesk, owner, admin, caller, roles } = await company();
    const officer = await member(home, { id: peopleDesk });
    for (const role of [roles.owner, roles.admin])
      await expectRefusal(changeRole(officer, officer.id, role), 403, 'beyond_own_permissions');
    for (const target of [owner, admin])
      for (const change of Object.values(changes(roles)))
        await expectRefusal(change(officer, target.id), 403, 'beyond_own_permissions');
    const clerk = await caller();
    await expectRefusal(changeRole(officer, clerk.id, roles.admin), 403, 'beyond_own_permissions');
    await bodyOf(200, changeRole(officer, clerk.id, roles.member));
    await bodyOf(202, resetMfa(officer, clerk.id));
    await bodyOf(200, terminate(officer, clerk.id));
    await expectRefusal(reinstate(officer, clerk.id, roles.admin), 403, 'beyond_own_permissions');
    await bodyOf(200, reinstate(officer, clerk.id, roles.member));
  });

  test('each of the two permissions allows its own operations only', async () => {
    const { member, home, desk, caller, roles } = await company();
    const manages = await member(home, { id: await desk(home, 'can_manage_users') });
    const resets = await member(home, { id: await desk(home, 'can_reset_2fa') });
    const clerk = await caller();
    await expectRefusal(resetMfa(manages, clerk.id), 403, 'permission_denied');
    await expectRefusal(terminate(resets, clerk.id), 403, 'permission_denied');
    await expectRefusal(changeRole(resets, clerk.id, roles.member), 403, 'permission_denied');
  });

  test('an admin acts on admins and members, and makes admins', async () => {
    const { admin, caller, roles } = await company();
    const other = await caller('admin');
    await bodyOf(200, changeRole(admin, other.id, roles.member));
    await bodyOf(200, changeRole(admin, other.id, roles.admin));
    await bodyOf(202, resetMfa(admin, other.id));
    await bodyOf(200, terminate(admin, other.id));
    await bodyOf(200, reinstate(admin, other.id, roles.admin));
    await bodyOf(200, changeRole(admin, admin.id, roles.member));
  });

  test('an owner acts on everybody, and makes owners', async () => {
    const { owner, admin, roles } = await company();
    await bodyOf(200, changeRole(owner, admin.id, roles.owner));
    await bodyOf(202, resetMfa(owner, admin.id));
    await bodyOf(200, terminate(owner, admin.id));
    await bodyOf(200, reinstate(owner, admin.id, roles.owner));
    await bodyOf(200, changeRole(owner, owner.id, roles.member));
  });

  test('of a terminated user the role counts that it had, and the role that it comes back with', async () => {
    const { admin, owner, organization, member, home, peopleDesk, roles } = await company();
    const officer = await member(home, { id: peopleDesk });
    const gone = (role: 'owner' | 'admin' | 'member') =>
      given.user({ organization, role, status: 'TERMINATED' });
    const formerOwner = await gone('owner');
    for (const change of Object.values(changes(roles)))
      await expectRefusal(change(admin, formerOwner.id), 403, 'beyond_own_permissions');
    const formerMember = await gone('member');
    await expectRefusal(reinstate(admin, formerMember.id, roles.owner), 403, 'beyond_own_permissions');
    const formerAdmin = await gone('admin');
    await expectRefusal(reinstate(officer, formerAdmin.id, roles.member), 403, 'beyond_own_permissions');
    await expectRefusal(changeRole(officer, formerAdmin.id, roles.member), 403, 'beyond_own_permissions');
    await bodyOf(200, reinstate(owner, formerOwner.id, roles.owner));
    await bodyOf(200, reinstate(admin, formerAdmin.id, roles.admin));
    await bodyOf(200, reinstate(officer, formerMember.id, roles.member));
  });

  test('precedes what stands in the way of the change itself', async () => {
    const { admin, owner, roles } = await company();
    await expectRefusal(changeRole(admin, owner.id, roles.member), 403, 'beyond_own_permissions');
    await expectRefusal(reinstate(admin, owner.id, roles.member), 403, 'beyond_own_permissions');
    await expectRefusal(changeRole(owner, owner.id, roles.member), 409, 'last_owner');
    await expectRefusal(terminate(admin, admin.id), 409, 'own_user');
  });

  test('does not cover profiles', async () => {
    const { member, home, peopleDesk, owner } = await company();
    const officer = await member(home, { id: peopleDesk });
    const body = { firstName: 'Astrid', lastName: 'Alder-Finch', title: 'Managing director' };
    await bodyOf(200, officer.PUT('/organizations/users/{userId}/profile', { ...user(owner.id), body }));
  });
});

describe('31: what a membership may grant', () => {
  test('a Manager takes no role with permissions on the organization, and so does not become an owner', async () => {
    const { member, home, peopleDesk, roles } = await company();
    const manager = await member(home, 'manager');
    const events = await eventsOf(database, async () => {
      const taken = setMembership(manager, home.id, manager.id, peopleDesk);
      await expectRefusal(taken, 403, 'beyond_own_permissions');
      await expectRefusal(changeRole(manager, manager.id, roles.owner), 403, 'permission_denied');
    });
    expect(events).toEqual([]);
  });

  test('a Manager gives nobody such a role, and neither replaces nor takes it away', async () => {
    const { member, caller, home, peopleDesk } = await company();
    const manager = await member(home, 'manager');
    const clerk = await caller();
    const officer = await member(home, { id: peopleDesk });
    const refused = [
      () => setMembership(manager, home.id, clerk.id, peopleDesk),
      () => setMembership(manager, home.id, officer.id, home.roles.viewer),
      () => setMembership(manager, home.id, officer.id, peopleDesk),
      () => removeMembership(manager, home.id, officer.id),
    ];
    for (const request of refused) await expectRefusal(request(), 403, 'beyond_own_permissions');
    await bodyOf(202, resetMfa(officer, clerk.id));
  });

  test('whoever holds those permissions does, as owners and admins do', async () => {
    const { member, caller, motor, home, desk, peopleDesk, owner, admin } = await company();
    const holder = await member(home, 'manager');
    const role = await desk(motor, 'can_manage_users', 'can_reset_2fa');
    await given.membership({ workspace: motor, user: holder, role: { id: role } });
    for (const client of [holder, owner, admin]) {
      const clerk = await caller();
      await bodyOf(200, setMembership(client, home.id, clerk.id, peopleDesk));
      await bodyOf(200, setMembership(client, home.id, clerk.id, home.roles.viewer));
      await bodyOf(200, setMembership(client, home.id, clerk.id, peopleDesk));
      await bodyOf(200, removeMembership(client, home.id, clerk.id));
    }
  });

  test('half of the permissions of a role is not enough', async () => {
    const { member, caller, motor, home, desk, peopleDesk } = await company();
    const manager = await member(home, 'manager');
    const half = await desk(motor, 'can_manage_users');
    await given.membership({ workspace: motor, user: manager, role: { id: half } });
    const clerk = await caller();
    const request = setMembership(manager, home.id, clerk.id, peopleDesk);
    await expectRefusal(request, 403, 'beyond_own_permissions');
  });

  test.each(['workspace', 'table'] as const)(
    'a permission on another %s must be held there',
    async (resourceType) => {
      const { member, caller, motor, home } = await company();
      const resourceId = resourceType === 'table' ? (await given.table({ workspace: motor })).id : motor.id;
      const relations = ['can_read_attachments'];
      const on = { resourceType, resourceId };
      const role = await given.workspaceRole({ workspace: home, name: 'Across', relations, on });
      const clerk = await caller();
      const ofHome = await member(home, 'manager');
      const refused = setMembership(ofHome, home.id, clerk.id, role);
      await expectRefusal(refused, 403, 'beyond_own_permissions');
      const ofBoth = await member(home, 'manager');
      await given.membership({ workspace: motor, user: ofBoth, role: 'manager' });
      await bodyOf(200, setMembership(ofBoth, home.id, clerk.id, role));
      const taken = removeMembership(ofHome, home.id, clerk.id);
      await expectRefusal(taken, 403, 'beyond_own_permissions');
    },
  );

  test('a Manager grants any permission on the workspace and its tables, to itself as well', async () => {
    const { member, home } = await company();
    const manager = await member(home, 'manager');
    const table = await given.table({ workspace: home });
    const whole = await given.workspaceRole({ workspace: home, name: 'Whole', relations: ['can_edit_data'] });
    const part = await given.workspaceRole({
      ...{ workspace: home, name: 'Part', relations: ['can_edit_data'] },
      on: { resourceType: 'table', resourceId: table.id },
    });
    const other = await member(home, 'viewer');
    for (const role of [whole, part, home.roles.manager])
      await bodyOf(200, setMembership(manager, home.id, other.id, role));
    await bodyOf(200, setMembership(manager, home.id, manager.id, whole));
  });
});

describe('32: when authority is checked', () => {
  test.each(['changeUserRole', 'terminateUser', 'reinstateUser', 'resetUserMfa'] as const)(
    '%s: an admin who is made a member meanwhile does not win the race: 403',
    async (operation) => {
      const { organization, owner, admin, caller, roles } = await company();
      const target = await (operation === 'reinstateUser'
        ? given.terminatedUser(organization)
        : caller('member'));
      const [demoted, raced] = await queuedUp(
        database,
        organization.id,
        () => answered(changeRole(owner, admin.id, roles.member)),
        () => answered(changes(roles)[operation](admin, target.id)),
      );
      expect(demoted?.status).toBe(200);
      expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
    },
  );

  test('an owner who is made an admin meanwhile makes no owner', async () => {
    const { organization, owner, caller, roles } = await company();
    const [second, target] = [await caller('owner'), await caller()];
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => answered(changeRole(owner, second.id, roles.admin)),
      () => answered(changeRole(second, target.id, roles.owner)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test('a user who is made an owner meanwhile is out of reach of an admin', async () => {
    const { organization, owner, admin, caller, roles } = await company();
    const target = await caller();
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => answered(changeRole(owner, target.id, roles.owner)),
      () => answered(terminate(admin, target.id)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test('a caller who is terminated meanwhile is a stranger: 401', async () => {
    const { organization, owner, admin, caller, motor } = await company();
    const clerk = await caller();
    const [, ...raced] = await queuedUp(
      database,
      organization.id,
      () => answered(terminate(owner, admin.id)),
      () => answered(terminate(admin, clerk.id)),
      () => answered(setMembership(admin, motor.id, clerk.id, motor.roles.manager)),
    );
    for (const answer of raced)
      expect(answer).toMatchObject({ status: 401, body: { errors: [{ code: 'credentials_invalid' }] } });
  });

  test('a Manager who is removed or made a Viewer meanwhile changes no membership: 403', async () => {
    const { organization, owner, member, home } = await company();
    for (const taken of ['removed', 'viewer'] as const) {
      const [manager, clerk] = [await member(home, 'manager'), await member(home, 'viewer')];
      const [first, ...raced] = await queuedUp(
        database,
        organization.id,
        () =>
          answered(
            taken === 'removed'
              ? removeMembership(owner, home.id, manager.id)
              : setMembership(owner, home.id, manager.id, home.roles.viewer),
          ),
        () => answered(setMembership(manager, home.id, clerk.id, home.roles.manager)),
        () => answered(removeMembership(manager, home.id, clerk.id)),
      );
      expect(first?.status).toBe(200);
      for (const answer of raced)
        expect(answer).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
    }
  });

  test('of two Managers who remove each other at once one succeeds', async () => {
    const { organization, member, home } = await company();
    const [one, other] = [await member(home, 'manager'), await member(home, 'manager')];
    const answers = await heldUp(database, { table: 'organizations', id: organization.id }, () => [
      answered(removeMembership(one, home.id, other.id)),
      answered(removeMembership(other, home.id, one.id)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('a permission elsewhere that is taken away meanwhile is not granted any more', async () => {
    const { organization, owner, member, caller, motor, home, desk, peopleDesk } = await company();
    const [holder, clerk] = [await member(home, 'manager'), await caller()];
    const role = await desk(motor, 'can_manage_users', 'can_reset_2fa');
    await given.membership({ workspace: motor, user: holder, role: { id: role } });
    const [, raced] = await queuedUp(
      database,
      organization.id,
      () => answered(removeMembership(owner, motor.id, holder.id)),
      () => answered(setMembership(holder, home.id, clerk.id, peopleDesk)),
    );
    expect(raced).toMatchObject({ status: 403, body: { errors: [{ code: 'beyond_own_permissions' }] } });
  });

  test.each([
    ['the role of the caller', 'users'],
    ['the membership of the caller', 'memberships'],
    ['a permission of its role', 'role_permissions'],
  ] as const)('waits for whoever changes %s, and looks again', async (_what, table) => {
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
      const raced = answered(
        isUser
          ? changeRole(subject, clerk.id, roles.member)
          : setMembership(subject, home.id, clerk.id, home.roles.viewer),
      );
      await until(async () => (await waiting(database)) > 0, { interval: 10 });
      return { raced };
    });
    expect(await raced).toMatchObject({ status: 403, body: { errors: [{ code: 'permission_denied' }] } });
  });

  test('changes by many at once end, each with its own answer', async () => {
    const { owner, caller, member, motor, home, roles } = await company();
    const owners = await Promise.all([caller('owner'), caller('owner'), caller('owner')]);
    const managers = await Promise.all([1, 2, 3].map(() => member(home, 'manager')));
    for (const manager of managers)
      await given.membership({ workspace: motor, user: manager, role: 'manager' });
    const answers = await Promise.all(
      [...owners, ...managers].flatMap((one, index, all) => {
        const other = all[(index + 1) % all.length] ?? one;
        return [
          answered(setMembership(one, home.id, other.id, home.roles.editor)),
          answered(changeRole(one, other.id, roles.member)),
          answered(removeMembership(one, motor.id, other.id)),
          answered(terminate(one, other.id)),
        ];
      }),
    );
    for (const { status } of answers) expect([200, 401, 403, 404, 409]).toContain(status);
    await bodyOf(200, owner.GET('/organizations/users', {}));
  });
});
