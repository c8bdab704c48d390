import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isDue } from './schedules.ts';

/** What is to be done now that no job knows of. */
export interface DueWork {
  /** Executions whose deadline has passed. */
  executions: boolean;
  /** Ids of definitions that were resumed and have threads that were suspended before. */
  resumed: string[];
  schedules: boolean;
}

/** Looks for it in one statement, because an idle platform does so every two seconds. Each part reads an index. */
export async function dueWork(database: Database, now: Date): Promise<DueWork> {
  const { rows } = await sql<DueWork>`
    with recursive suspended as (
      (select parked_for as id from threads where parked_for is not null order by parked_for limit 1)
      union all
      select (select t.parked_for from threads t where t.parked_for > suspended.id order by t.parked_for limit 1)
      from suspended where suspended.id is not null
    )
    select exists (select from executions where status = 'RUNNING' and deadline_at <= ${now}) as executions,
      array(select d.id from suspended join workflow_definitions d on d.id = suspended.id where d.paused_at is null) as resumed,
      exists (select from schedules where ${isDue(now)}) as schedules`.execute(database);
  return rows[0] as DueWork;
}
