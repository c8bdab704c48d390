import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import {
  changeRole,
  companies,
  reinstate,
  removeMembership,
  resetMfa,
  setMembership,
  terminate,
  userChanges,
} from '../support/authority.ts';
import { eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

/** Decisions 30 and 31 of the guide "Limits and decisions": nobody grants what they do not hold. */
const platform = await api();
const { given, database } = platform;
const company = companies(platform);

describe('30: who may act on whom', () => {
  test('an admin cannot become or change an owner: 403 beyond_own_permissions', async () => {
    const { admin, owner, roles } = await company();
    const events = await eventsOf(database, async () => {
      await expectRefusal(changeRole(admin, admin.id, roles.owner), 403, 'beyond_own_permissions');
      for (const change of Object.values(userChanges(roles)))
        await expectRefusal(change(admin, owner.id), 403, 'beyond_own_permissions');
    });
    expect(events).toEqual([]);
    await bodyOf(200, owner.GET('/organizations/users', {}));
  });

  test('a member with can_manage_users and can_reset_2fa changes members only, and grants no other role', async () => {
    const { member, home, peopleDesk, owner, admin, caller, roles } = await company();
    const officer = await member(home, { id: peopleDesk });
    for (const role of [roles.owner, roles.admin])
      await expectRefusal(changeRole(officer, officer.id, role), 403, 'beyond_own_permissions');
    for (const target of [owner, admin])
      for (const change of Object.values(userChanges(roles)))
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

  test('an admin changes admins and members, and makes admins', async () => {
    const { admin, caller, roles } = await company();
    const other = await caller('admin');
    await bodyOf(200, changeRole(admin, other.id, roles.member));
    await bodyOf(200, changeRole(admin, other.id, roles.admin));
    await bodyOf(202, resetMfa(admin, other.id));
    await bodyOf(200, terminate(admin, other.id));
    await bodyOf(200, reinstate(admin, other.id, roles.admin));
    await bodyOf(200, changeRole(admin, admin.id, roles.member));
  });

  test('an owner changes everybody, and makes owners', async () => {
    const { owner, admin, roles } = await company();
    await bodyOf(200, changeRole(owner, admin.id, roles.owner));
    await bodyOf(202, resetMfa(owner, admin.id));
    await bodyOf(200, terminate(owner, admin.id));
    await bodyOf(200, reinstate(owner, admin.id, roles.owner));
    await bodyOf(200, changeRole(owner, owner.id, roles.member));
  });

  test('checks both the former and the new role of a terminated user', async () => {
    const { admin, owner, organization, member, home, peopleDesk, roles } = await company();
    const officer = await member(home, { id: peopleDesk });
    const gone = (role: 'owner' | 'admin' | 'member') =>
      given.user({ organization, role, status: 'TERMINATED' });
    const formerOwner = await gone('owner');
    for (const change of Object.values(userChanges(roles)))
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

  test('precedes conflicts of the change itself', async () => {
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
    await bodyOf(
      200,
      officer.PUT('/organizations/users/{userId}/profile', { params: { path: { userId: owner.id } }, body }),
    );
  });
});

describe('31: what a membership may grant', () => {
  test('a Manager cannot take a role with permissions on the organization', async () => {
    const { member, home, peopleDesk, roles } = await company();
    const manager = await member(home, 'manager');
    const events = await eventsOf(database, async () => {
      const taken = setMembership(manager, home.id, manager.id, peopleDesk);
      await expectRefusal(taken, 403, 'beyond_own_permissions');
      await expectRefusal(changeRole(manager, manager.id, roles.owner), 403, 'permission_denied');
    });
    expect(events).toEqual([]);
  });

  test('a Manager cannot grant, replace or remove such a role', async () => {
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

  test('a caller who holds those permissions can, as owners and admins can', async () => {
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

  test('some of the permissions of a role are not enough', async () => {
    const { member, caller, motor, home, desk, peopleDesk } = await company();
    const manager = await member(home, 'manager');
    const half = await desk(motor, 'can_manage_users');
    await given.membership({ workspace: motor, user: manager, role: { id: half } });
    const clerk = await caller();
    const request = setMembership(manager, home.id, clerk.id, peopleDesk);
    await expectRefusal(request, 403, 'beyond_own_permissions');
  });

  test.each(['workspace', 'table'] as const)(
    'a permission on another %s requires that permission there',
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

  test('a Manager grants any permission on the workspace and its tables, even to itself', async () => {
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
