import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/*
 * Each function deletes rows in batches, using an index range, and returns the number of deleted rows. Rows that others
 * refer to, or that another transaction has locked, are left for a later run.
 */

/** Deletes links that expired or were used before a time, except those whose execution still has its result. */
export async function deleteLinks(database: Database, endedBefore: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from links l where least(used_at, expires_at) <= ${endedBefore}
          and not exists (select from executions e where e.id = l.execution_id and e.kept)
        order by least(used_at, expires_at) limit ${limit} for update skip locked)
      delete from links l using old where l.id = old.id`,
  );
}

/** Deletes executions that ended before a time, whose results are deleted and to which no link refers. */
export async function deleteExecutions(database: Database, endedBefore: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from executions e where not kept and ended_at <= ${endedBefore}
          and not exists (select from links l where l.execution_id = e.id)
        order by ended_at limit ${limit} for update skip locked)
      delete from executions e using old where e.id = old.id`,
  );
}

/** Deletes parameter sets last used before a time, to which no link refers. */
export async function deleteParameterSets(database: Database, usedBefore: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from parameter_sets p where last_used_at <= ${usedBefore}
          and not exists (select from links l where l.parameters_id = p.id)
        order by last_used_at limit ${limit} for update skip locked)
      delete from parameter_sets p using old where p.id = old.id`,
  );
}

/** Deletes resources uploaded before a time; the sweeper removes their bytes. */
export async function deleteResources(database: Database, createdBefore: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from resources where created_at <= ${createdBefore}
        order by created_at limit ${limit} for update skip locked)
      delete from resources r using old where r.id = old.id`,
  );
}
