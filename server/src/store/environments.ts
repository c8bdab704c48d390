import { sql } from 'kysely';
import { isUuid } from '../domain/identifiers.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** A table, and the column with the names of its objects, if commands accept names. */
export interface NamedTable {
  table: keyof Schema;
  name?: 'name' | 'email' | 'key';
}

/**
 * Whether another environment of the same database has an object with this name or identifier. An environment without
 * tables has none.
 *
 * @param database of any environment
 */
export async function isStoredIn(
  database: Database,
  environment: string,
  { table, name }: NamedTable,
  reference: string,
): Promise<boolean> {
  const stored = `${environment}.${table}`;
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${stored}) is not null as exists`.execute(database);
  if (!rows[0]?.exists) return false;
  // Not both in one condition: it would read a whole table.
  if (isUuid(reference)) {
    const { rows: found } = await sql`select from ${sql.table(stored)} where id = ${reference}::uuid`.execute(
      database,
    );
    if (found.length > 0) return true;
  }
  if (name === undefined) return false;
  const isNamed =
    name === 'email' ? sql`lower(email) = ${reference.toLowerCase()}` : sql`${sql.ref(name)} = ${reference}`;
  const { rows: found } = await sql`
    select from ${sql.table(stored)} where ${isNamed} limit 1`.execute(database);
  return found.length > 0;
}
