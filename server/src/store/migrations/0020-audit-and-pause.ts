import { type Kysely, sql } from 'kysely';

export const isOnline = true;

/** The audit log, and definitions that are paused. Every statement can run twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table if not exists audit_entries (
    at timestamptz(3) not null,
    id bigint generated always as identity,
    -- The operation of the API, or the command.
    action text not null,
    actor_kind text not null check (actor_kind in ('operator', 'caller')),
    -- The name of an operator's system user, or the id of the caller's user.
    actor text not null,
    -- Of a caller: its organization token or API key.
    credential_id uuid,
    -- The address of the caller, or the operator's machine.
    source text not null,
    request_id text,
    organization_id uuid,
    object_kind text not null,
    object_id text not null,
    details jsonb not null,
    primary key (at, id)
  )`,
  'create index if not exists audit_entries_actor on audit_entries (actor, at, id)',
  'create index if not exists audit_entries_action on audit_entries (action, at, id)',
  'create index if not exists audit_entries_object on audit_entries (object_id, at, id)',

  // Only the statement of the retention sets this, for its own transaction.
  `create or replace function keep_audit_entries() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('wrp.audit_retention', true) = 'on' then return old; end if;
      raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
    end $$`,
  `create or replace trigger audit_entries_append_only before update or delete on audit_entries
    for each row execute function keep_audit_entries()`,
  `create or replace trigger audit_entries_not_truncated before truncate on audit_entries
    for each statement execute function keep_audit_entries()`,

  `alter table workflow_definitions
    add column if not exists paused_at timestamptz(3),
    add column if not exists paused_reason text`,
  // Of a thread that a job has found paused: its definition. A job for it is added again when the definition resumes.
  'alter table threads add column if not exists parked_for uuid',
  'drop index concurrently if exists threads_parked',
  'create index concurrently threads_parked on threads (parked_for, id) where parked_for is not null',
];
