import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A moment: read as a date, written as a date or left to the database's clock. */
type Moment = ColumnType<Date, Date | string | undefined, Date | string>;
type OptionalMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** bigint comes from the driver as a number: sizes stay below 2^53 (the driver is told so once). */
type Bytes = number;

export type OrganizationRoleName = 'owner' | 'admin' | 'member';
export type UserStatus = 'ACTIVE' | 'TERMINATED';
export type WorkspaceType = 'LIVE' | 'SANDBOX';
export type WorkspaceRoleType = 'WORKSPACE' | 'CUSTOM';
export type PermissionResourceType = 'organization' | 'workspace' | 'table';

/** The tables, column for column as the migrations make them. */
export interface Schema {
  organizations: { id: string; name: string; created_at: Moment };
  organization_roles: {
    id: string;
    organization_id: string;
    name: OrganizationRoleName;
    created_at: Moment;
  };
  users: {
    id: string;
    organization_id: string;
    email: string;
    idp_id: string;
    role_id: string;
    profile_id: string;
    first_name: string;
    last_name: string;
    title: string;
    status: Generated<UserStatus>;
    last_signed_in_at: OptionalMoment;
    created_at: Moment;
  };
  mfa_factors: { id: string; user_id: string; type: string; enrolled_at: Moment };
  workspaces: {
    id: string;
    organization_id: string;
    name: string;
    description: string;
    type: WorkspaceType;
    created_at: Moment;
  };
  workspace_roles: {
    id: string;
    workspace_id: string;
    name: string;
    description: string;
    type: WorkspaceRoleType;
    created_at: Moment;
  };
  role_permissions: {
    id: string;
    role_id: string;
    resource_type: PermissionResourceType;
    relation: string;
    resource_id: string;
  };
  memberships: { workspace_id: string; user_id: string; role_id: string; created_at: Moment };
  tables: { id: string; workspace_id: string; name: string; created_at: Moment };
  records: { id: string; table_id: string; name: string; created_at: Moment };
  cases: {
    id: string;
    workspace_id: string;
    record_id: string | null;
    name: string;
    contact_name: string | null;
    contact_email: string | null;
    created_at: Moment;
  };
  workflow_definitions: {
    id: string;
    workspace_id: string;
    name: string;
    revision: string;
    default_locale: Generated<string>;
    created_at: Moment;
  };
  resources: StoredFile & { workspace_id: string };
  attachments: StoredFile & { record_id: string; tags: string[] };
  parameter_sets: {
    id: string;
    workflow_definition_id: string;
    parameters: JSONColumnType<object | null, string, string>;
    created_by: string;
    created_at: Moment;
  };
  organization_tokens: {
    id: string;
    sha256: Buffer;
    user_id: string;
    home_workspace_id: string;
    name: string;
    created_at: Moment;
    revoked_at: OptionalMoment;
  };
  api_keys: {
    id: string;
    key: string;
    secret_sha256: Buffer;
    user_id: string;
    home_workspace_id: string;
    name: string;
    created_at: Moment;
    revoked_at: OptionalMoment;
  };
  token_families: {
    id: string;
    api_key_id: string;
    generation: Generated<number>;
    rotated_at: Moment;
    created_at: Moment;
    revoked_at: OptionalMoment;
  };
  idempotency_keys: {
    user_id: string;
    key: string;
    request_sha256: Buffer;
    status: number;
    body: JSONColumnType<object | null, string | null, string | null>;
    created_at: Moment;
  };
  rate_leases: { subject: string; window_start: Moment; used: number };
  events: {
    id: string;
    type: string;
    organization_id: string;
    workspace_id: string | null;
    data: JSONColumnType<object, string, string>;
    created_at: Moment;
  };
}

interface StoredFile {
  id: string;
  name: string;
  content_type: string;
  size: Bytes;
  sha256: Buffer;
  blob_key: string;
  created_by: string;
  created_at: Moment;
}
