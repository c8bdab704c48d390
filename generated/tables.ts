// Generated from server/src/store/migrations/ by `npm run generate`. Do not edit.
// 946964b65a6e04401af26a55fabc9bb8ceff870138a9c95eaae307d109be2fa9

import type { ColumnType } from 'kysely';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json = ColumnType<object, string, string>;
type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;
type Generated<Type> = Type extends ColumnType<infer Select, infer Insert, infer Update>
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<Type, Type | undefined, Type>;

/** The tables of an environment, column for column. */
export interface Tables {
  api_keys: {
    id: string;
    key: string;
    secret_sha256: Buffer;
    user_id: string;
    home_workspace_id: string;
    name: string;
    created_at: Generated<Timestamp>;
    revoked_at: NullableTimestamp;
  };
  attachments: {
    id: string;
    record_id: string;
    name: string;
    content_type: string;
    size: number;
    sha256: Buffer;
    tags: string[];
    blob_key: string;
    created_by: string;
    created_at: Generated<Timestamp>;
  };
  audit_entries: {
    at: Timestamp;
    id: Generated<number>;
    action: string;
    actor_kind: 'operator' | 'caller';
    actor: string;
    credential_id: string | null;
    source: string;
    request_id: string | null;
    organization_id: string | null;
    object_kind: string;
    object_id: string;
    details: Json;
  };
  blob_store: {
    single: Generated<boolean>;
    id: string;
    bound_at: NullableTimestamp;
  };
  cases: {
    id: string;
    workspace_id: string;
    record_id: string | null;
    name: string;
    contact_name: string | null;
    contact_email: string | null;
    created_at: Generated<Timestamp>;
  };
  definition_revisions: {
    id: string;
    workflow_definition_id: string;
    revision: string;
    document: Json;
    input_schema: Json;
    ui_options: Json;
    created_at: Generated<Timestamp>;
  };
  deleted_blobs: {
    blob_key: string;
  };
  events: {
    id: string;
    type: string;
    organization_id: string;
    workspace_id: string | null;
    data: Json;
    created_at: Generated<Timestamp>;
    relayed_at: NullableTimestamp;
    test: Generated<boolean>;
    traceparent: string | null;
    position: number | null;
  };
  execution_history: {
    execution_id: string;
    sequence: Generated<number>;
    thread_id: string;
    at: Timestamp;
    kind: string;
    state: string | null;
    detail: Json;
  };
  executions: {
    id: string;
    workspace_id: string;
    workflow_definition_id: string;
    definition_revision_id: string;
    name: string;
    revision: string;
    status: Generated<'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'>;
    locale: string;
    parameters: Json;
    record_id: string | null;
    execution_type: 'BACKGROUND' | 'INTERACTIVE';
    version: Generated<number>;
    origin: Json;
    result_origin: Json;
    started_by: string | null;
    expires_at: Timestamp;
    deadline_at: Timestamp;
    ended_at: NullableTimestamp;
    error: string | null;
    cause: string | null;
    result_bytes: Buffer | null;
    result_blob_key: string | null;
    result_size: number | null;
    result_sha256: Buffer | null;
    kept: Generated<boolean>;
    created_at: Generated<Timestamp>;
    history_entries: Generated<number>;
    traceparent: Generated<string | null>;
  };
  history_values: {
    execution_id: string;
    sha256: Buffer;
    blob_key: string;
    size: number;
  };
  idempotency_keys: {
    user_id: string;
    key: string;
    request_sha256: Buffer;
    status: number;
    body: NullableJson;
    created_at: Generated<Timestamp>;
  };
  links: {
    id: string;
    workspace_id: string;
    case_id: string;
    workflow_definition_id: string;
    parameters_id: string | null;
    secret_sha256: Buffer;
    created_by: string;
    expires_at: Timestamp;
    sent_at: NullableTimestamp;
    used_at: NullableTimestamp;
    used_by_view: Buffer | null;
    revoked_at: NullableTimestamp;
    execution_id: string | null;
    created_at: Generated<Timestamp>;
    mailed_to: string | null;
  };
  memberships: {
    workspace_id: string;
    user_id: string;
    role_id: string;
    created_at: Generated<Timestamp>;
  };
  mfa_factors: {
    id: string;
    user_id: string;
    type: string;
    enrolled_at: Generated<Timestamp>;
  };
  organization_roles: {
    id: string;
    organization_id: string;
    name: 'owner' | 'admin' | 'member';
    created_at: Generated<Timestamp>;
  };
  organization_storage: {
    organization_id: string;
    resources: Generated<number>;
    resource_bytes: Generated<number>;
    attachments: Generated<number>;
    attachment_bytes: Generated<number>;
  };
  organization_tokens: {
    id: string;
    sha256: Buffer;
    user_id: string;
    home_workspace_id: string;
    name: string;
    created_at: Generated<Timestamp>;
    revoked_at: NullableTimestamp;
  };
  organizations: {
    id: string;
    name: string;
    created_at: Generated<Timestamp>;
  };
  parameter_sets: {
    id: string;
    workflow_definition_id: string;
    parameters: Json;
    created_by: string;
    created_at: Generated<Timestamp>;
    last_used_at: Generated<Timestamp>;
  };
  rate_leases: {
    subject: string;
    window_start: Timestamp;
    used: number;
  };
  records: {
    id: string;
    table_id: string;
    name: string;
    created_at: Generated<Timestamp>;
    attachment_count: Generated<number>;
  };
  resources: {
    id: string;
    workspace_id: string;
    name: string;
    content_type: string;
    size: number;
    sha256: Buffer;
    blob_key: string;
    created_by: string;
    created_at: Generated<Timestamp>;
  };
  role_permissions: {
    id: string;
    role_id: string;
    resource_type: 'organization' | 'workspace' | 'table';
    relation: string;
    resource_id: string;
  };
  schedules: {
    id: string;
    workspace_id: string;
    name: string;
    workflow_definition_id: string;
    user_id: string;
    cron: string;
    time_zone: string;
    overlap: 'skip' | 'queue' | 'allow';
    catch_up: 'none' | 'latest' | 'all';
    jitter_seconds: number;
    expires_after_seconds: number | null;
    parameters: Json;
    created_at: Generated<Timestamp>;
    paused_at: NullableTimestamp;
    run_requested_at: NullableTimestamp;
    next_due_at: Timestamp;
    last_due_at: NullableTimestamp;
    waiting: Generated<Date[]>;
    last_outcome: 'started' | 'queued' | 'skipped' | 'missed' | 'refused' | null;
    last_outcome_at: NullableTimestamp;
    last_reason: string | null;
    last_execution_id: string | null;
  };
  server_key: {
    single: Generated<boolean>;
    fingerprint: Buffer;
  };
  tables: {
    id: string;
    workspace_id: string;
    name: string;
    created_at: Generated<Timestamp>;
  };
  threads: {
    id: string;
    execution_id: string;
    parent_id: string | null;
    position: Generated<number>;
    scope: Json;
    frame: Json;
    step: Generated<number>;
    turn: Generated<number>;
    status: string;
    awaiting: 'wait' | 'retry' | 'call' | 'callback' | 'fork' | null;
    outcome: NullableJson;
    label: Generated<string>;
    task: NullableJson;
    callback_step: number | null;
    timeout_at: NullableTimestamp;
    heartbeat_seconds: number | null;
    heartbeat_until: NullableTimestamp;
    fork_open: Generated<number>;
    fork_failed: Generated<number>;
    fork_tolerated: Generated<number>;
    fork_next: Generated<number>;
    output: NullableJson;
    error: string | null;
    cause: string | null;
    fork_concurrency: Generated<number>;
    parked_for: string | null;
  };
  token_families: {
    id: string;
    api_key_id: string;
    generation: Generated<number>;
    rotated_at: Timestamp;
    created_at: Generated<Timestamp>;
    revoked_at: NullableTimestamp;
  };
  user_positions: {
    organization_id: string;
    position: number;
    user_id: string;
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
    status: Generated<'ACTIVE' | 'TERMINATED'>;
    last_signed_in_at: NullableTimestamp;
    created_at: Generated<Timestamp>;
  };
  webhook_attempts: {
    id: string;
    delivery_id: string;
    number: number;
    at: Timestamp;
    milliseconds: number;
    status: number | null;
    error: string | null;
  };
  webhook_deliveries: {
    id: string;
    event_id: string;
    endpoint_id: string;
    status: 'requested' | 'pending' | 'delivered' | 'failed' | 'cancelled';
    attempts: Generated<number>;
    attempts_before: Generated<number>;
    next_attempt_at: NullableTimestamp;
    created_at: Generated<Timestamp>;
  };
  webhook_endpoints: {
    id: string;
    organization_id: string;
    url: string;
    event_types: string[] | null;
    disabled_at: NullableTimestamp;
    disabled_by: 'receiver' | 'operator' | null;
    failing_since: NullableTimestamp;
    created_at: Generated<Timestamp>;
    recent_failures: Generated<string>;
    failing: Generated<boolean>;
  };
  webhook_keys: {
    id: string;
    public_key_der: Buffer;
    private_key_encrypted: Buffer;
    created_at: Generated<Timestamp>;
    retired_at: NullableTimestamp;
  };
  workflow_definitions: {
    id: string;
    workspace_id: string;
    name: string;
    revision: string;
    default_locale: Generated<string>;
    created_at: Generated<Timestamp>;
    paused_at: NullableTimestamp;
    paused_reason: string | null;
    archived_at: NullableTimestamp;
  };
  workspace_roles: {
    id: string;
    workspace_id: string;
    name: string;
    description: string;
    type: 'WORKSPACE' | 'CUSTOM';
    created_at: Generated<Timestamp>;
  };
  workspaces: {
    id: string;
    organization_id: string;
    name: string;
    description: string;
    type: 'LIVE' | 'SANDBOX';
    created_at: Generated<Timestamp>;
    member_count: Generated<number>;
  };
}
