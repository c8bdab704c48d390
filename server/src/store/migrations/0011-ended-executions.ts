import { type Kysely, sql } from 'kysely';

/**
 * An index for the newest executions that did not complete, which `wrp executions list --status` searched among all.
 * Running ones are in `executions_due`, and most others completed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create index executions_not_completed on executions (status, created_at)
        where status in ('FAILED', 'CANCELLED', 'EXPIRED')`,
    )
    .execute(db);
}
