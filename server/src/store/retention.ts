import { type RawBuilder, sql } from 'kysely';
import { deleteInBatches } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';

/*
 * Each function deletes rows in batches, using an index range, and returns the number of deleted rows. Rows that others
 * refer to, or that another transaction has locked, are left for a later run.
 */

interface Old {
  table: 'links' | 'executions' | 'parameter_sets' | 'resources';
  /** The time that decides, in columns of the index. */
  time: RawBuilder<unknown>;
  before: Date;
  /** What else must be true of the row `o`. */
  only?: RawBuilder<unknown>;
}

function deleteOld(database: Database, { table, time, before, only = sql`true` }: Old): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from ${sql.table(table)} o where ${time} <= ${before} and ${only}
        order by ${time} limit ${limit} for update skip locked)
      delete from ${sql.table(table)} t using old where t.id = old.id`,
  );
}

/** Deletes links that expired or were used before a time, except those whose execution still has its result. */
export function deleteLinks(database: Database, before: Date): Promise<number> {
  const only = sql`not exists (select from executions e where e.id = o.execution_id and e.kept)`;
  return deleteOld(database, { table: 'links', time: sql`least(used_at, expires_at)`, before, only });
}

/** Deletes executions that ended before a time, whose results are deleted and to which no link refers. */
export function deleteExecutions(database: Database, before: Date): Promise<number> {
  const only = sql`not kept and not exists (select from links l where l.execution_id = o.id)`;
  return deleteOld(database, { table: 'executions', time: sql`ended_at`, before, only });
}

/** Deletes parameter sets last used before a time, to which no link refers. */
export function deleteParameterSets(database: Database, before: Date): Promise<number> {
  const only = sql`not exists (select from links l where l.parameters_id = o.id)`;
  return deleteOld(database, { table: 'parameter_sets', time: sql`last_used_at`, before, only });
}

/** Deletes resources uploaded before a time; the sweeper removes their bytes. */
export function deleteResources(database: Database, before: Date): Promise<number> {
  return deleteOld(database, { table: 'resources', time: sql`created_at`, before });
}
