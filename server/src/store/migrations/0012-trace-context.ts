import { type Kysely, sql } from 'kysely';

/** The W3C `traceparent` of the request that caused an event or started an execution. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table events add column traceparent text',
  'alter table executions add column traceparent text',
  // Set by the transaction of a request; see store/events.ts.
  `alter table executions alter column traceparent
    set default nullif(current_setting('wrp.traceparent', true), '')`,
];
