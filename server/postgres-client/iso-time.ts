import { type RawBuilder, sql } from 'kysely';

/** A timestamptz column in the format of `Date.toISOString`. */
export function isoTime(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
