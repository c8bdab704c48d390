import { describe, expect, test } from 'vitest';
import {
  type Authority,
  holds,
  mayActOn,
  mayGrant,
  type RolePermission,
} from '../../server/src/domain/grants.ts';

const onOrganization = (relation: string, resourceId = 'organization'): RolePermission => ({
  relation,
  resourceType: 'organization',
  resourceId,
  workspaceId: null,
});
const onWorkspace = (relation: string, resourceId: string): RolePermission => ({
  relation,
  resourceType: 'workspace',
  resourceId,
  workspaceId: null,
});
const onTable = (relation: string, resourceId: string, workspaceId: string | null): RolePermission => ({
  relation,
  resourceType: 'table',
  resourceId,
  workspaceId,
});
const caller = (
  organizationRole: Authority['organizationRole'],
  ...permissions: RolePermission[]
): Authority => ({ organizationRole, organizationId: 'organization', permissions });

describe('mayActOn', () => {
  test.each([
    ['owner', ['owner', 'admin', 'member']],
    ['admin', ['admin', 'member']],
    ['member', ['member']],
  ] as const)('lets an %s act on %s', (role, targets) => {
    const allowed = (['owner', 'admin', 'member'] as const).filter((target) =>
      mayActOn(caller(role), target),
    );
    expect(allowed).toEqual(targets);
  });

  test('checks both the current and the new role', () => {
    expect(mayActOn(caller('admin'), 'member', 'owner')).toBe(false);
    expect(mayActOn(caller('admin'), 'owner', 'member')).toBe(false);
    expect(mayActOn(caller('admin'), 'member', 'admin')).toBe(true);
  });

  test('does not treat a permission as a role', () => {
    const everything = caller('member', onOrganization('can_manage_users'), onOrganization('can_reset_2fa'));
    expect(mayActOn(everything, 'admin')).toBe(false);
  });
});

describe('holds', () => {
  test.each(['owner', 'admin'] as const)('an %s holds every permission', (role) => {
    expect(holds(caller(role), onOrganization('can_manage_users'))).toBe(true);
    expect(holds(caller(role), onTable('anything', 't', 'w'))).toBe(true);
  });

  test('a permission on the organization holds for everything in it', () => {
    const held = caller('member', onOrganization('read'));
    for (const wanted of [onOrganization('read'), onWorkspace('read', 'w'), onTable('read', 't', 'w')])
      expect(holds(held, wanted)).toBe(true);
    expect(holds(held, onOrganization('write'))).toBe(false);
  });

  test('a permission on a workspace holds for it and its tables', () => {
    const held = caller('member', onWorkspace('read', 'w'));
    expect(holds(held, onWorkspace('read', 'w'))).toBe(true);
    expect(holds(held, onTable('read', 't', 'w'))).toBe(true);
    expect(holds(held, onWorkspace('read', 'v'))).toBe(false);
    expect(holds(held, onTable('read', 't', 'v'))).toBe(false);
    expect(holds(held, onOrganization('read'))).toBe(false);
  });

  test('a permission on a table holds for that table alone', () => {
    const held = caller('member', onTable('read', 't', 'w'));
    expect(holds(held, onTable('read', 't', 'w'))).toBe(true);
    expect(holds(held, onTable('read', 'u', 'w'))).toBe(false);
    expect(holds(held, onWorkspace('read', 'w'))).toBe(false);
    expect(holds(held, onWorkspace('read', 't'))).toBe(false);
  });

  test('a permission on another organization holds for nothing', () => {
    const held = caller('member', onOrganization('read', 'another'));
    expect(holds(held, onOrganization('read'))).toBe(false);
    expect(holds(held, onWorkspace('read', 'w'))).toBe(false);
  });
});

describe('mayGrant', () => {
  const manager = caller('member', onWorkspace('can_manage_workspace_access', 'w'));

  test('includes every permission on the workspace and on objects in it', () => {
    expect(mayGrant(manager, 'w', [onWorkspace('anything', 'w'), onTable('anything', 't', 'w')])).toBe(true);
  });

  test.each([
    ['the organization', onOrganization('read')],
    ['another workspace', onWorkspace('read', 'v')],
    ['a table of another workspace', onTable('read', 't', 'v')],
    ['a table that is gone', onTable('read', 't', null)],
  ])('of a permission on %s requires the caller to hold it there', (_where, permission) => {
    expect(mayGrant(manager, 'w', [onWorkspace('read', 'w'), permission])).toBe(false);
    expect(mayGrant({ ...manager, permissions: [permission] }, 'w', [permission])).toBe(true);
    expect(mayGrant(caller('admin'), 'w', [permission])).toBe(true);
  });

  test('is not implied by managing another workspace', () => {
    const both = caller('member', onWorkspace('can_manage_workspace_access', 'v'));
    expect(mayGrant(both, 'w', [onWorkspace('can_manage_workspace_access', 'v')])).toBe(true);
    expect(mayGrant(both, 'w', [onWorkspace('read', 'v')])).toBe(false);
  });
});
