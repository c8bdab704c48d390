import { CompiledQuery } from 'kysely';
import type { Caller } from '../domain/caller.ts';
import type { Database } from './database.ts';

/** What a request addresses: the object on which its permission is asked. */
export type AddressedObject =
  | { kind: 'none' }
  | { kind: 'organization' }
  | { kind: 'home_workspace' }
  | { kind: 'workspace'; id: string }
  | { kind: 'user'; id: string }
  | { kind: 'resource'; id: string }
  | { kind: 'parameter_set'; id: string }
  | { kind: 'workflow_definition'; id: string }
  | { kind: 'execution'; id: string }
  | { kind: 'table'; id: string; recordId: string };

export type Credential =
  | { scheme: 'organizationToken'; sha256: Buffer }
  | { scheme: 'accessToken'; family: string };

/**
 * - `unknown_caller`: no such credential, or it is revoked, or its user is terminated
 * - `missing`: the caller's organization has no such object
 * - `denied`: it has, and the caller does not hold the permission on it
 * - `part_missing`: permitted, but the record is not one of the table
 */
export type Access =
  | { kind: 'unknown_caller' }
  | { kind: 'missing' | 'denied' | 'part_missing' | 'granted'; caller: Caller };

interface AccessRow {
  credential_id: string;
  user_id: string;
  organization_id: string;
  home_workspace_id: string;
  organization_role: Caller['organizationRole'];
  present: boolean;
  part_present: boolean;
  permitted: boolean;
}

/**
 * Settles in one round trip who calls, whether the addressed object exists in the caller's organization,
 * and whether the caller holds the permission on it. No permission asked means that identity is enough.
 */
export async function decideAccess(
  database: Database,
  credential: Credential,
  object: AddressedObject,
  permission: string | null,
): Promise<Access> {
  const { rows } = await database.executeQuery<AccessRow>(
    CompiledQuery.raw(statements[credential.scheme][object.kind], [
      credential.scheme === 'organizationToken' ? credential.sha256 : credential.family,
      permission,
      ...('id' in object ? [object.id] : []),
      ...('recordId' in object ? [object.recordId] : []),
    ]),
  );
  const row = rows[0];
  if (!row) return { kind: 'unknown_caller' };
  const caller: Caller = {
    userId: row.user_id,
    organizationId: row.organization_id,
    homeWorkspaceId: row.home_workspace_id,
    organizationRole: row.organization_role,
    credentialId: row.credential_id,
    scheme: credential.scheme,
  };
  if (!row.present) return { kind: 'missing', caller };
  if (!row.permitted) return { kind: 'denied', caller };
  return { kind: row.part_present ? 'granted' : 'part_missing', caller };
}

const caller = {
  organizationToken: `
    select t.id as credential_id, t.home_workspace_id, u.id as user_id, u.organization_id, r.name as organization_role
    from organization_tokens t join users u on u.id = t.user_id join organization_roles r on r.id = u.role_id
    where t.sha256 = $1 and t.revoked_at is null and u.status = 'ACTIVE'`,
  accessToken: `
    select k.id as credential_id, k.home_workspace_id, u.id as user_id, u.organization_id, r.name as organization_role
    from token_families f join api_keys k on k.id = f.api_key_id
      join users u on u.id = k.user_id join organization_roles r on r.id = u.role_id
    where f.id = $1 and f.revoked_at is null and k.revoked_at is null and u.status = 'ACTIVE'`,
};

/** Each gives the object's organization, its workspace and table where it has one; no row: no such object. */
const objects: Record<AddressedObject['kind'], string> = {
  none: 'select c.organization_id, null::uuid as workspace_id, null::uuid as table_id, true as part_present from caller c',
  organization:
    'select c.organization_id, null::uuid as workspace_id, null::uuid as table_id, true as part_present from caller c',
  home_workspace:
    'select c.organization_id, c.home_workspace_id as workspace_id, null::uuid as table_id, true as part_present from caller c',
  workspace: `select organization_id, id as workspace_id, null::uuid as table_id, true as part_present
    from workspaces where id = $3`,
  user: `select organization_id, null::uuid as workspace_id, null::uuid as table_id, true as part_present
    from users where id = $3`,
  resource: `select w.organization_id, w.id as workspace_id, null::uuid as table_id, true as part_present
    from resources o join workspaces w on w.id = o.workspace_id where o.id = $3`,
  parameter_set: `select w.organization_id, w.id as workspace_id, null::uuid as table_id, true as part_present
    from parameter_sets o join workflow_definitions d on d.id = o.workflow_definition_id
      join workspaces w on w.id = d.workspace_id where o.id = $3`,
  workflow_definition: `select w.organization_id, w.id as workspace_id, null::uuid as table_id, true as part_present
    from workflow_definitions o join workspaces w on w.id = o.workspace_id where o.id = $3`,
  execution: `select w.organization_id, w.id as workspace_id, null::uuid as table_id, true as part_present
    from executions o join workspaces w on w.id = o.workspace_id where o.id = $3`,
  table: `select w.organization_id, w.id as workspace_id, o.id as table_id, r.id is not null as part_present
    from tables o join workspaces w on w.id = o.workspace_id
      left join records r on r.table_id = o.id and r.id = $4 where o.id = $3`,
};

/**
 * Owners and admins hold every permission. A member holds what its workspace roles grant: on the table
 * itself, on the workspace (then for everything in it), or on the organization.
 */
function statement(scheme: Credential['scheme'], kind: AddressedObject['kind']): string {
  return `
  with caller as (${caller[scheme]}), object as (${objects[kind]})
  select c.*, o.organization_id is not null as present, coalesce(o.part_present, false) as part_present,
    $2::text is null or c.organization_role in ('owner', 'admin') or exists (
      select from memberships m join role_permissions p on p.role_id = m.role_id
      where m.user_id = c.user_id and p.relation = $2::text and (
        (p.resource_type = 'workspace' and p.resource_id = o.workspace_id)
        or (p.resource_type = 'table' and p.resource_id = o.table_id)
        or (p.resource_type = 'organization' and p.resource_id = c.organization_id))
    ) as permitted
  from caller c left join object o on o.organization_id = c.organization_id`;
}

const kinds = Object.keys(objects) as AddressedObject['kind'][];
const statements = {
  organizationToken: Object.fromEntries(kinds.map((kind) => [kind, statement('organizationToken', kind)])),
  accessToken: Object.fromEntries(kinds.map((kind) => [kind, statement('accessToken', kind)])),
} as Record<Credential['scheme'], Record<AddressedObject['kind'], string>>;
