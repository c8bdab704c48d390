import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import {
  changeRole,
  companies,
  removeMembership,
  resetMfa,
  setMembership,
  userChanges,
} from '../support/authority.ts';
import { eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

/**
 * Decisions 30 and 31 of the guide "Limits and decisions": nobody grants what they do not hold. These are cases that are
 * not in `test/sweeps/authorization-matrix.txt`.
 */
const platform = await api();
const { given, database } = platform;
const company = companies(platform);

describe('30: who may act on whom', () => {
  test('an admin cannot change an owner, active or terminated: 403 beyond_own_permissions', async () => {
    const { admin, owner, organization, roles } = await company();
    const formerOwner = await given.user({ organization, role: 'owner', status: 'TERMINATED' });
    const events = await eventsOf(database, async () => {
      for (const { id } of [owner, formerOwner])
        for (const change of Object.values(userChanges(roles)))
          await expectRefusal(change(admin, id), 403, 'beyond_own_permissions');
    });
    expect(events).toEqual([]);
    await bodyOf(200, owner.GET('/organizations/users', {}));
  });

  test('a member with can_manage_users cannot change a terminated admin: 403 beyond_own_permissions', async () => {
    const { organization, member, home, peopleDesk, roles } = await company();
    const officer = await member(home, { id: peopleDesk });
    const { id } = await given.user({ organization, role: 'admin', status: 'TERMINATED' });
    await expectRefusal(changeRole(officer, id, roles.member), 403, 'beyond_own_permissions');
  });

  test('is not checked for changes of profiles', async () => {
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
  test('a Manager cannot grant, replace or remove a role with permissions on the organization', async () => {
    const { member, caller, home, peopleDesk } = await company();
    const manager = await member(home, 'manager');
    const clerk = await caller();
    const officer = await member(home, { id: peopleDesk });
    const refused = [
      () => setMembership(manager, home.id, clerk.id, peopleDesk),
      () => setMembership(manager, home.id, manager.id, peopleDesk),
      () => setMembership(manager, home.id, officer.id, home.roles.viewer),
      () => setMembership(manager, home.id, officer.id, peopleDesk),
      () => removeMembership(manager, home.id, officer.id),
    ];
    const events = await eventsOf(database, async () => {
      for (const request of refused) await expectRefusal(request(), 403, 'beyond_own_permissions');
    });
    expect(events).toEqual([]);
    await bodyOf(202, resetMfa(officer, clerk.id));
  });

  test('a caller who holds only some of the permissions of a role cannot grant it', async () => {
    const { member, caller, motor, home, desk, peopleDesk } = await company();
    const manager = await member(home, 'manager');
    const half = await desk(motor, 'can_manage_users');
    await given.membership({ workspace: motor, user: manager, role: { id: half } });
    const clerk = await caller();
    const request = setMembership(manager, home.id, clerk.id, peopleDesk);
    await expectRefusal(request, 403, 'beyond_own_permissions');
  });

  test('a Manager grants any permission on the workspace and its tables, even to itself', async () => {
    const { member, home } = await company();
    const manager = await member(home, 'manager');
    const table = await given.table({ workspace: home });
    const whole = await given.workspaceRole({ workspace: home, name: 'Whole', relations: ['can_edit_data'] });
    const part = await given.workspaceRole({
      workspace: home,
      name: 'Part',
      relations: ['can_edit_data'],
      on: { resourceType: 'table', resourceId: table.id },
    });
    const other = await member(home, 'viewer');
    for (const role of [whole, part, home.roles.manager])
      await bodyOf(200, setMembership(manager, home.id, other.id, role));
    await bodyOf(200, setMembership(manager, home.id, manager.id, whole));
  });
});
