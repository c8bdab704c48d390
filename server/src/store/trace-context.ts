import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Stores a `traceparent` with every event and execution that the transaction adds. */
export async function setTraceparent(transaction: Database, traceparent: string): Promise<void> {
  await sql`select set_config('wrp.traceparent', ${traceparent}, true)`.execute(transaction);
}
