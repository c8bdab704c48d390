import { type Kysely, sql } from 'kysely';

/**
 * A failed execution keeps its threads, so that it can be retried: they are `stopped`. A fork also keeps how many of its
 * threads run at once; 0 for a fork from before this migration. The rows from before were checked more strictly, so
 * nothing reads them all now.
 */
const statements = [
  `alter table threads add column if not exists fork_concurrency integer not null default 0,
    drop constraint if exists threads_status_check,
    add constraint threads_status_check
      check (status in ('ready', 'waiting', 'queued', 'ended', 'failed', 'stopped')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
