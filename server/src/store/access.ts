import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../domain/caller.ts';
import { type AddressableObject, addressableObjects, type ObjectName } from './addressable-objects.ts';
import type { Database } from './database.ts';

/** The object that a request targets, on which its permission is checked. */
export type TargetObject =
  | { name: CommonObject }
  | {
      name: ObjectName;
      id: string;
      /** Undefined if the object has no parts; null if the request names none. */
      part: string | null | undefined;
      /** Whether to read its row, too. */
      withRow: boolean;
    };

/** What every caller has, without naming it. */
type CommonObject = 'none' | 'organization' | 'home_workspace';

export type Credential =
  | { scheme: 'organizationToken'; sha256: Buffer }
  | { scheme: 'accessToken'; family: string };

/**
 * - `unknown_caller`: no such credential, or it is revoked, or its user is terminated
 * - `missing`: the caller's organization has no such object
 * - `denied`: it has, and the caller does not hold the permission on it
 * - `part_missing`: permitted, but the object has no such part, such as the record of a table
 */
export type Access =
  | { kind: 'unknown_caller' }
  | { kind: 'missing' | 'denied' | 'part_missing'; caller: Caller }
  | { kind: 'granted'; caller: Caller; row?: object | undefined };

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
 * Determines in one round trip who calls, whether the target object exists in the caller's organization,
 * and whether the caller holds the permission on it. Without a permission, identity is enough. The row of an object is
 * returned only to a caller who holds the permission.
 */
export async function decideAccess(
  database: Database,
  credential: Credential,
  object: TargetObject,
  permission: string | null,
): Promise<Access> {
  const withRow = 'withRow' in object && object.withRow;
  const check = permission === null ? 'identity' : 'permission';
  const { [object.name]: text } = statements[credential.scheme][check][withRow ? 'withRow' : 'alone'];
  const { rows } = await database.executeQuery<AccessRow>(
    CompiledQuery.raw(text, [
      credential.scheme === 'organizationToken' ? credential.sha256 : credential.family,
      permission,
      ...('id' in object ? [object.id] : []),
      ...('part' in object && object.part !== undefined ? [object.part] : []),
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
  if (!row.part_present) return { kind: 'part_missing', caller };
  return { kind: 'granted', caller, row: withRow ? row : undefined };
}

/**
 * The condition that the caller holds `can_view_workspace` on the workspace `w`. Owners and admins hold it everywhere in
 * their organization.
 *
 * @param table the alias of a table in `w`, on which a role can grant it, too
 */
export function isViewable(caller: Caller, table?: string): RawBuilder<boolean> {
  const inOrganization = sql<boolean>`w.organization_id = ${caller.organizationId}`;
  if (caller.organizationRole !== 'member') return inOrganization;
  const onTable = table
    ? sql`or (p.resource_type = 'table' and p.resource_id = ${sql.ref(`${table}.id`)})`
    : sql``;
  return sql`${inOrganization} and exists (
    select from memberships m join role_permissions p on p.role_id = m.role_id
    where m.user_id = ${caller.userId} and p.relation = 'can_view_workspace' and (
      (p.resource_type = 'workspace' and p.resource_id = w.id) ${onTable}
      or (p.resource_type = 'organization' and p.resource_id = w.organization_id)))`;
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

/** Each selects the object's organization, and its workspace and table if it has one. */
const common: Record<CommonObject, Partial<AddressableObject>> = {
  none: { select: 'select organization_id, null::uuid as workspace_id, null::uuid as table_id from caller' },
  organization: {
    select: 'select organization_id, null::uuid as workspace_id, null::uuid as table_id from caller',
  },
  home_workspace: {
    select: 'select organization_id, home_workspace_id as workspace_id, null::uuid as table_id from caller',
  },
};

/** What a statement checks: the identity of the caller alone, or the permission `$2`, too. */
type Check = 'identity' | 'permission';

/**
 * Owners and admins hold every permission. A member holds what its workspace roles grant: on the table itself, on the
 * workspace (then for everything in it), or on the organization. Columns of the row come first, so that those of the
 * caller replace their namesakes.
 *
 * Two statements, not one with an optional permission: PostgreSQL would plan that one at every execution, which takes ten
 * times as long as executing it.
 */
function statement(
  scheme: Credential['scheme'],
  check: Check,
  { select = '', part }: Partial<AddressableObject>,
  withRow: boolean,
): string {
  const permitted =
    check === 'identity'
      ? '$2::text is null'
      : `case when c.organization_role in ('owner', 'admin') then true else exists (
      select from memberships m join role_permissions p on p.role_id = m.role_id
      where m.user_id = c.user_id and p.relation = $2::text and (
        (p.resource_type = 'workspace' and p.resource_id = o.workspace_id)
        or (p.resource_type = 'table' and p.resource_id = o.table_id)
        or (p.resource_type = 'organization' and p.resource_id = c.organization_id))) end`;
  return `
  with caller as (${caller[scheme]}), object as (${select})
  select ${withRow ? 'o.*, ' : ''}c.*, o.organization_id is not null as present, ${part ? 'coalesce(o.part_present, false)' : 'true'} as part_present,
    ${permitted} as permitted
  from caller c left join object o on o.organization_id = c.organization_id`;
}

const statements = {
  organizationToken: {
    identity: statementsFor('organizationToken', 'identity'),
    permission: statementsFor('organizationToken', 'permission'),
  },
  accessToken: {
    identity: statementsFor('accessToken', 'identity'),
    permission: statementsFor('accessToken', 'permission'),
  },
};

type Statements = Record<TargetObject['name'], string>;

function statementsFor(scheme: Credential['scheme'], check: Check): Record<'alone' | 'withRow', Statements> {
  const objects: Record<string, Partial<AddressableObject>> = { ...common, ...addressableObjects };
  const found = Object.entries(objects).filter(([, { select }]) => select);
  const all = (withRow: boolean) =>
    Object.fromEntries(found.map(([name, object]) => [name, statement(scheme, check, object, withRow)]));
  return { alone: all(false) as Statements, withRow: all(true) as Statements };
}
