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
  /** What an organization keeps: a row for each, kept by triggers. */
  organization_storage: {
    organization_id: string;
    resources: Generated<number>;
    resource_bytes: Generated<Bytes>;
    attachments: Generated<number>;
    attachment_bytes: Generated<Bytes>;
  };
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
    /** Direct memberships; kept by triggers. */
    member_count: Generated<number>;
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
  records: {
    id: string;
    table_id: string;
    name: string;
    /** Kept by triggers. */
    attachment_count: Generated<number>;
    created_at: Moment;
  };
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
  /** One row at most. */
  blob_store: { single: Generated<boolean>; id: string; bound_at: OptionalMoment };
  /** Blobs whose rows this database deleted, until they are removed. */
  deleted_blobs: { blob_key: string };
  parameter_sets: {
    id: string;
    workflow_definition_id: string;
    parameters: JSONColumnType<object | null, string, string>;
    created_by: string;
    created_at: Moment;
    /** To the day: an execution or link was made with it, or it was read. */
    last_used_at: Moment;
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
    /** When deliveries were made of it; null until then. */
    relayed_at: OptionalMoment;
    test: Generated<boolean>;
  };
  definition_revisions: {
    id: string;
    workflow_definition_id: string;
    revision: string;
    document: JSONColumnType<object, string, string>;
    input_schema: JSONColumnType<object, string, string>;
    ui_options: JSONColumnType<object, string, string>;
    created_at: Moment;
  };
  executions: {
    id: string;
    workspace_id: string;
    workflow_definition_id: string;
    definition_revision_id: string;
    name: string;
    revision: string;
    status: Generated<ExecutionStatus>;
    locale: string;
    parameters: JSONColumnType<object, string, string>;
    record_id: string | null;
    execution_type: 'BACKGROUND' | 'INTERACTIVE';
    version: Generated<number>;
    origin: JSONColumnType<object, string, string>;
    result_origin: JSONColumnType<object, string, string>;
    started_by: string | null;
    expires_at: Moment;
    deadline_at: Moment;
    history_entries: Generated<number>;
    ended_at: OptionalMoment;
    error: string | null;
    cause: string | null;
    result_bytes: Buffer | null;
    result_blob_key: string | null;
    result_size: Bytes | null;
    result_sha256: Buffer | null;
    kept: Generated<boolean>;
    created_at: Moment;
  };
  threads: {
    id: string;
    execution_id: string;
    parent_id: string | null;
    position: Generated<number>;
    scope: JSONColumnType<object, string, string>;
    frame: JSONColumnType<object, string, string>;
    step: Generated<number>;
    turn: Generated<number>;
    status: 'ready' | 'waiting' | 'queued' | 'ended' | 'failed';
    awaiting: Awaiting | null;
    outcome: JSONColumnType<object | null, string | null, string | null>;
    label: Generated<string>;
    task: JSONColumnType<object | null, string | null, string | null>;
    callback_step: number | null;
    timeout_at: OptionalMoment;
    heartbeat_seconds: number | null;
    heartbeat_until: OptionalMoment;
    fork_open: Generated<number>;
    fork_failed: Generated<number>;
    fork_tolerated: Generated<number>;
    fork_next: Generated<number>;
    output: JSONColumnType<object | null, string | null, string | null>;
    error: string | null;
    cause: string | null;
  };
  execution_history: {
    execution_id: string;
    sequence: Generated<number>;
    thread_id: string;
    at: Moment;
    kind: string;
    state: string | null;
    detail: JSONColumnType<object, string, string>;
  };
  links: {
    id: string;
    workspace_id: string;
    case_id: string;
    workflow_definition_id: string;
    parameters_id: string | null;
    secret_sha256: Buffer;
    created_by: string;
    expires_at: Moment;
    /** In lower case; null for a link that was not mailed. */
    mailed_to: string | null;
    sent_at: OptionalMoment;
    used_at: OptionalMoment;
    used_by_view: Buffer | null;
    revoked_at: OptionalMoment;
    execution_id: string | null;
    created_at: Moment;
  };
  webhook_endpoints: {
    id: string;
    organization_id: string;
    url: string;
    event_types: string[] | null;
    disabled_at: OptionalMoment;
    disabled_by: 'receiver' | 'operator' | null;
    failing_since: OptionalMoment;
    created_at: Moment;
  };
  webhook_keys: {
    id: string;
    public_key_der: Buffer;
    private_key_encrypted: Buffer;
    created_at: Moment;
    retired_at: OptionalMoment;
  };
  webhook_deliveries: {
    id: string;
    event_id: string;
    endpoint_id: string;
    status: DeliveryStatus;
    attempts: Generated<number>;
    attempts_before: Generated<number>;
    next_attempt_at: OptionalMoment;
    created_at: Moment;
  };
  webhook_attempts: {
    id: string;
    delivery_id: string;
    number: number;
    at: Moment;
    milliseconds: number;
    status: number | null;
    error: string | null;
  };
}

/** `call`: work outside the database that a job of its own does. */
export type Awaiting = 'wait' | 'retry' | 'call' | 'callback' | 'fork';
/** `requested`: to be attempted as soon as possible, and no job knows of it yet. */
export type DeliveryStatus = 'requested' | 'pending' | 'delivered' | 'failed' | 'cancelled';
export type ExecutionStatus = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

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
