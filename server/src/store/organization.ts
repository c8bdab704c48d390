import { sql } from 'kysely';
import type { OrganizationRole, Workspace, WorkspaceRole } from '../../../generated/types.ts';
import { isoTime } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';

export async function listRoles(database: Database, organizationId: string): Promise<OrganizationRole[]> {
  return database
    .selectFrom('organization_roles')
    .select(['id', 'name', 'organization_id as organizationId'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The workspaces in which the caller holds can_view_workspace. */
export async function listWorkspaces(database: Database, caller: Caller): Promise<Workspace[]> {
  const { rows } = await sql<Workspace>`
    select w.id, w.name, w.description, w.type as "workspaceType" from workspaces w
    where ${isViewable(caller)}
    order by w.created_at, w.id
  `.execute(database);
  return rows;
}

/** Mail from a SANDBOX workspace is marked as such. */
export async function isSandboxWorkspace(database: Database, id: string): Promise<boolean> {
  const workspace = await database
    .selectFrom('workspaces')
    .select('type')
    .where('id', '=', id)
    .executeTakeFirst();
  return workspace?.type === 'SANDBOX';
}

/** The roles of a workspace with their permission objects, in one round trip. */
export async function listWorkspaceRoles(database: Database, workspaceId: string): Promise<WorkspaceRole[]> {
  const { rows } = await sql<WorkspaceRole>`
    select r.id, r.name, r.workspace_id as "workspaceId", r.description, r.type,
      ${isoTime('r.created_at')} as "createdDateTime", coalesce(
      (select json_agg(json_build_object('id', p.id, 'resourceType', p.resource_type, 'relation', p.relation,
        'resourceId', p.resource_id) order by p.id) from role_permissions p where p.role_id = r.id), '[]') as permissions
    from workspace_roles r where r.workspace_id = ${workspaceId}
    order by r.created_at, r.id
  `.execute(database);
  return rows;
}
