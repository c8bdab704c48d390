import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/*
 * What nothing needs any more is deleted batch by batch, each out of a range of an index. What something else still
 * refers to stays until that is gone; rows that another transaction holds wait for the next time. All of these give
 * how many rows they deleted.
 */

/** Deletes links that expired or were used before, but none whose execution can still be followed. */
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

/** Deletes executions that ended before, whose results are forgotten and which no link has started. */
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

/** Deletes parameter sets last used before that no link has. */
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

/** Deletes resources uploaded before; the sweeper collects their bytes. */
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
