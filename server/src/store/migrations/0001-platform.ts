import { type Kysely, sql } from 'kysely';

/**
 * The initial schema. Every environment has its own PostgreSQL schema, selected by `search_path`, so names are not
 * qualified. Times have millisecond precision, as JavaScript dates do, so that a time from a response matches the
 * stored one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table organizations (
    id uuid primary key,
    name text not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table organization_roles (
    id uuid primary key,
    organization_id uuid not null references organizations,
    name text not null check (name in ('owner', 'admin', 'member')),
    created_at timestamptz(3) not null default now(),
    unique (organization_id, name),
    unique (organization_id, id)
  )`,
  `create table users (
    id uuid primary key,
    organization_id uuid not null references organizations,
    email text not null,
    idp_id uuid not null,
    role_id uuid not null,
    profile_id uuid not null unique,
    first_name text not null,
    last_name text not null,
    title text not null,
    status text not null default 'ACTIVE' check (status in ('ACTIVE', 'TERMINATED')),
    last_signed_in_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, role_id) references organization_roles (organization_id, id)
  )`,
  'create unique index users_email on users (organization_id, lower(email))',
  'create index users_in_order on users (organization_id, created_at, id)',
  `create table mfa_factors (
    id uuid primary key,
    user_id uuid not null references users,
    type text not null,
    enrolled_at timestamptz(3) not null default now()
  )`,
  'create index mfa_factors_user on mfa_factors (user_id)',
  `create table workspaces (
    id uuid primary key,
    organization_id uuid not null references organizations,
    name text not null,
    description text not null,
    type text not null check (type in ('LIVE', 'SANDBOX')),
    created_at timestamptz(3) not null default now()
  )`,
  'create index workspaces_in_order on workspaces (organization_id, created_at, id)',
  `create table workspace_roles (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    name text not null,
    description text not null,
    type text not null check (type in ('WORKSPACE', 'CUSTOM')),
    created_at timestamptz(3) not null default now(),
    unique (workspace_id, name),
    unique (workspace_id, id)
  )`,
  `create table role_permissions (
    id uuid primary key,
    role_id uuid not null references workspace_roles on delete cascade,
    resource_type text not null check (resource_type in ('organization', 'workspace', 'table')),
    relation text not null,
    resource_id uuid not null,
    unique (role_id, resource_type, relation, resource_id)
  )`,
  `create table memberships (
    workspace_id uuid not null references workspaces,
    user_id uuid not null references users,
    role_id uuid not null,
    created_at timestamptz(3) not null default now(),
    primary key (workspace_id, user_id),
    foreign key (workspace_id, role_id) references workspace_roles (workspace_id, id)
  )`,
  'create index memberships_user on memberships (user_id)',
  `create table tables (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    name text not null,
    created_at timestamptz(3) not null default now()
  )`,
  `create table records (
    id uuid primary key,
    table_id uuid not null references tables,
    name text not null,
    created_at timestamptz(3) not null default now()
  )`,
  'create index records_table on records (table_id)',
  `create table cases (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    record_id uuid references records,
    name text not null,
    contact_name text,
    contact_email text,
    created_at timestamptz(3) not null default now()
  )`,
  `create table workflow_definitions (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    name text not null,
    revision text not null,
    default_locale text not null default 'en',
    created_at timestamptz(3) not null default now()
  )`,
  `create table resources (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    name text not null,
    content_type text not null,
    size bigint not null check (size >= 0),
    sha256 bytea not null,
    blob_key text not null unique,
    created_by uuid not null references users,
    created_at timestamptz(3) not null default now()
  )`,
  `create table attachments (
    id uuid primary key,
    record_id uuid not null references records,
    name text not null,
    content_type text not null,
    size bigint not null check (size >= 0),
    sha256 bytea not null,
    tags text[] not null,
    blob_key text not null unique,
    created_by uuid not null references users,
    created_at timestamptz(3) not null default now()
  )`,
  'create index attachments_in_order on attachments (record_id, created_at, id)',
  // json, not jsonb, which would not preserve the order of keys.
  `create table parameter_sets (
    id uuid primary key,
    workflow_definition_id uuid not null references workflow_definitions,
    parameters json not null,
    created_by uuid not null references users,
    created_at timestamptz(3) not null default now()
  )`,
  `create table organization_tokens (
    id uuid primary key,
    sha256 bytea not null unique,
    user_id uuid not null references users,
    home_workspace_id uuid not null references workspaces,
    name text not null,
    created_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3)
  )`,
  'create index organization_tokens_user on organization_tokens (user_id)',
  `create table api_keys (
    id uuid primary key,
    key text not null unique,
    secret_sha256 bytea not null,
    user_id uuid not null references users,
    home_workspace_id uuid not null references workspaces,
    name text not null,
    created_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3)
  )`,
  'create index api_keys_user on api_keys (user_id)',
  // One row for each sign-in. Access and refresh tokens are signed, not stored; the row has the generation of the
  // current refresh token, so a rotation is one compare-and-set.
  `create table token_families (
    id uuid primary key,
    api_key_id uuid not null references api_keys,
    generation integer not null default 1,
    rotated_at timestamptz(3) not null,
    created_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3)
  )`,
  'create index token_families_key on token_families (api_key_id)',
  `create table idempotency_keys (
    user_id uuid not null references users,
    key text not null,
    request_sha256 bytea not null,
    status integer not null,
    body json,
    created_at timestamptz(3) not null default now(),
    primary key (user_id, key)
  )`,
  'create index idempotency_keys_age on idempotency_keys (created_at)',
  `create table rate_leases (
    subject text not null,
    window_start timestamptz(3) not null,
    used integer not null,
    primary key (subject, window_start)
  )`,
  // The outbox: rows are inserted in the transaction of the change.
  `create table events (
    id uuid primary key,
    type text not null,
    organization_id uuid not null references organizations,
    workspace_id uuid references workspaces,
    data jsonb not null,
    created_at timestamptz(3) not null default now()
  )`,
  'create index events_in_order on events (created_at, id)',
];
