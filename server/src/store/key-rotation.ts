import { sql } from 'kysely';
import type { Database } from './database.ts';

/** When the last of each kind ends that was made with the present keys; null: there is none. */
export interface LastEnds {
  /** Single-use links that can be used. */
  links: Date | null;
  /** Steps that wait for a callback. */
  callbacks: Date | null;
  /** Results on the pages that show the progress of an execution started by a link. */
  progressPages: Date | null;
}

/** @param resultMilliseconds how long results are kept */
export async function lastEnds(database: Database, now: Date, resultMilliseconds: number): Promise<LastEnds> {
  const ended = new Date(now.getTime() - resultMilliseconds);
  const { rows } = await sql<LastEnds>`
    select
      (select max(expires_at) from links
        where used_at is null and revoked_at is null and expires_at > ${now}) as links,
      (select max(e.deadline_at) from threads t join executions e on e.id = t.execution_id
        where t.callback_step is not null and t.outcome is null and e.status = 'RUNNING') as callbacks,
      (select max(coalesce(e.ended_at, e.deadline_at)) + ${resultMilliseconds} * interval '1 millisecond'
        from links l join executions e on e.id = l.execution_id
        where e.ended_at is null or e.ended_at > ${ended}) as "progressPages"`.execute(database);
  return rows[0] as LastEnds;
}

/** The processes of the platform, as the names of their connections tell. */
export async function processesOf(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select application_name || coalesce(' (from ' || host(client_addr) || ')', '') as name
    from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name like 'wrp %, keys %'
    group by application_name, client_addr`.execute(database);
  return rows.map(({ name }) => name);
}
