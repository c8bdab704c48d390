import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The `traceparent` of the transaction; null if there is none. */
export const currentTraceparent = sql<string | null>`nullif(current_setting('wrp.traceparent', true), '')`;

/** Stores a `traceparent` with every event and execution that the transaction adds. */
export async function setTraceparent(transaction: Database, traceparent: string): Promise<void> {
  await sql`select set_config('wrp.traceparent', ${traceparent}, true)`.execute(transaction);
}
