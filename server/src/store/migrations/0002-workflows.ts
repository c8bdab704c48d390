import { type Kysely, sql } from 'kysely';

/** Executions, single-use links, webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // An execution keeps the revision that it was started with.
  `create table definition_revisions (
    id uuid primary key,
    workflow_definition_id uuid not null references workflow_definitions,
    revision text not null,
    document json not null,
    input_schema json not null,
    ui_options json not null,
    created_at timestamptz(3) not null default now(),
    unique (workflow_definition_id, revision)
  )`,
  `create table executions (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    workflow_definition_id uuid not null references workflow_definitions,
    definition_revision_id uuid not null references definition_revisions,
    name text not null,
    revision text not null,
    status text not null default 'RUNNING'
      check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED')),
    locale text not null,
    parameters json not null,
    record_id uuid references records,
    execution_type text not null check (execution_type in ('BACKGROUND', 'INTERACTIVE')),
    version bigint not null default 1,
    origin json not null,
    -- Who the result says started it.
    result_origin json not null,
    started_by uuid references users,
    expires_at timestamptz(3) not null,
    -- When the clock ends it: the definition's TimeoutSeconds if that is sooner than its expiry.
    deadline_at timestamptz(3) not null,
    ended_at timestamptz(3),
    error text,
    cause text,
    -- The result's bytes: here if they are few, else in the blob store.
    result_bytes bytea,
    result_blob_key text unique,
    result_size bigint,
    result_sha256 bytea,
    -- False once its result and history were forgotten.
    kept boolean not null default true,
    created_at timestamptz(3) not null default now(),
    check ((status = 'RUNNING') = (ended_at is null)),
    check (num_nonnulls(result_bytes, result_blob_key) = num_nonnulls(result_size))
  )`,
  `create index executions_due on executions (deadline_at) where status = 'RUNNING'`,
  'create index executions_created on executions (created_at, id)',
  'create index executions_to_forget on executions (ended_at) where kept',
  // A thread of an execution at its checkpoint; the root has no parent. Only running executions have threads.
  // Deleting a thread deletes its child threads, so parents are locked first.
  `create table threads (
    id uuid primary key,
    execution_id uuid not null references executions on delete cascade,
    parent_id uuid references threads on delete cascade,
    -- Which branch or item of its parent's fork.
    position integer not null default 0,
    scope json not null,
    frame json not null,
    -- Grows with every checkpoint: what was done elsewhere meanwhile is not done again.
    step bigint not null default 0,
    -- Grows whenever a new job takes the thread on: older jobs do nothing any more.
    turn bigint not null default 0,
    status text not null check (status in ('ready', 'waiting', 'queued', 'ended', 'failed')),
    -- What a waiting thread waits for, and what a ready one did wait for.
    awaiting text check (awaiting in ('wait', 'retry', 'call', 'callback', 'fork')),
    -- How that came out.
    outcome json,
    -- Shown to people: which branch or item this is, below which.
    label text not null default '',
    -- The work that it waits for, and the step whose token answers it.
    task json,
    callback_step bigint,
    timeout_at timestamptz(3),
    -- Seconds, and the end of the present interval.
    heartbeat_seconds integer,
    heartbeat_until timestamptz(3),
    -- Of a fork: threads that have not ended, that failed, that may fail, and the first that is still queued.
    fork_open integer not null default 0,
    fork_failed integer not null default 0,
    fork_tolerated integer not null default 0,
    fork_next integer not null default 0,
    output json,
    error text,
    cause text
  ) with (fillfactor = 70)`,
  'create index threads_execution on threads (execution_id)',
  'create unique index threads_parent on threads (parent_id, position)',
  `create table execution_history (
    execution_id uuid not null references executions on delete cascade,
    sequence bigint generated always as identity,
    thread_id uuid not null,
    at timestamptz(3) not null,
    kind text not null,
    state text,
    detail json not null,
    primary key (execution_id, sequence)
  )`,
  `create table links (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    case_id uuid not null references cases,
    workflow_definition_id uuid not null references workflow_definitions,
    parameters_id uuid references parameter_sets,
    -- The token itself is made of the id and the server's key, and stored nowhere.
    secret_sha256 bytea not null,
    created_by uuid not null references users,
    expires_at timestamptz(3) not null,
    -- When the mail server took its message.
    sent_at timestamptz(3),
    used_at timestamptz(3),
    -- SHA-256 of what told the page apart on which it was confirmed.
    used_by_view bytea,
    revoked_at timestamptz(3),
    execution_id uuid references executions,
    created_at timestamptz(3) not null default now(),
    check ((used_at is null) = (execution_id is null))
  )`,
  `alter table events add column relayed_at timestamptz(3),
    -- Made up by an operator to try an endpoint out.
    add column test boolean not null default false`,
  // Events from before webhooks existed are not delivered.
  'update events set relayed_at = created_at',
  'create index events_to_relay on events (created_at, id) where relayed_at is null',
  `create table webhook_endpoints (
    id uuid primary key,
    organization_id uuid not null references organizations,
    url text not null,
    -- Null: every kind, those to come as well.
    event_types text[],
    disabled_at timestamptz(3),
    disabled_by text check (disabled_by in ('receiver', 'operator')),
    -- Since when no attempt has been answered well; null while all is well.
    failing_since timestamptz(3),
    created_at timestamptz(3) not null default now(),
    unique (organization_id, url),
    check ((disabled_at is null) = (disabled_by is null))
  )`,
  // Private keys are kept encrypted with a key derived from the server key.
  `create table webhook_keys (
    id uuid primary key,
    public_key_der bytea not null,
    private_key_encrypted bytea not null,
    created_at timestamptz(3) not null default now(),
    -- From then on nothing is signed with it; it is served until every signature is out of its window.
    retired_at timestamptz(3)
  )`,
  `create table webhook_deliveries (
    id uuid primary key,
    event_id uuid not null references events,
    endpoint_id uuid not null references webhook_endpoints,
    -- requested: to be attempted as soon as possible, and no job knows of it yet
    status text not null check (status in ('requested', 'pending', 'delivered', 'failed', 'cancelled')),
    attempts integer not null default 0,
    -- How many attempts had been made when it was last delivered anew: the schedule counts from there.
    attempts_before integer not null default 0,
    next_attempt_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    unique (event_id, endpoint_id)
  )`,
  'create index webhook_deliveries_created on webhook_deliveries (created_at, id)',
  'create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, created_at)',
  `create index webhook_deliveries_open on webhook_deliveries (endpoint_id, next_attempt_at)
    where status in ('requested', 'pending')`,
  `create index webhook_deliveries_requested on webhook_deliveries (created_at) where status = 'requested'`,
  `create table webhook_attempts (
    id uuid primary key,
    delivery_id uuid not null references webhook_deliveries on delete cascade,
    number integer not null,
    at timestamptz(3) not null,
    milliseconds integer not null,
    status integer,
    error text
  )`,
  'create index webhook_attempts_delivery on webhook_attempts (delivery_id, number)',
];
