import { type Kysely, sql } from 'kysely';

/** Schedules, which start executions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schedules).execute(db);
}

const schedules = `create table if not exists schedules (
    id uuid primary key,
    workspace_id uuid not null references workspaces,
    name text not null,
    workflow_definition_id uuid not null references workflow_definitions,
    -- On whose behalf the executions act.
    user_id uuid not null references users,
    cron text not null,
    time_zone text not null,
    overlap text not null check (overlap in ('skip', 'queue', 'allow')),
    catch_up text not null check (catch_up in ('none', 'latest', 'all')),
    jitter_seconds integer not null check (jitter_seconds >= 0),
    expires_after_seconds integer check (expires_after_seconds > 0),
    parameters json not null,
    created_at timestamptz(3) not null default now(),
    paused_at timestamptz(3),
    run_requested_at timestamptz(3),
    next_due_at timestamptz(3) not null,
    -- The last due time that was decided on.
    last_due_at timestamptz(3),
    -- Due times that wait for the end of a running execution.
    waiting timestamptz(3)[] not null default '{}',
    last_outcome text check (last_outcome in ('started', 'queued', 'skipped', 'missed', 'refused')),
    last_outcome_at timestamptz(3),
    -- Why it was not started.
    last_reason text,
    -- Retention may have deleted it.
    last_execution_id uuid,
    unique (workspace_id, name),
    -- Each due time is decided on once.
    check (next_due_at > last_due_at)
  )`;
