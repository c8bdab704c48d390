import { sql } from 'kysely';
import { isDiskFull, isRefused } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';
import type { ExecutionStatus } from './schema.ts';

/** How much there is to do in an environment, for metrics. */
export interface Workload {
  /** The executions that are running, and those that ended within the last minute. */
  executions: Partial<Record<ExecutionStatus, number>>;
  /**
   * Definitions with failures among the last executions of an hour: those with most failures, and the others as one
   * whose `definition` is `other`.
   */
  failingDefinitions: { definition: string; name: string; failed: number; ended: number }[];
  /** Events without deliveries. */
  unrelayedEvents: number;
  /** Deliveries whose next attempt is due, and those scheduled for later. */
  deliveries: { due: number; scheduled: number };
  /** Endpoints of which most of the last 20 attempts failed. */
  failingEndpoints: number;
}

/** Larger numbers are not counted further. */
const maxCount = 100_000;
/** How many executions of the last hour are looked at for failures: the number bounds what a scrape costs. */
const maxEnded = 10_000;
/** Each is a series of the metrics. */
const maxDefinitions = 20;

/** Counts over indexes of what is open or recent, so the cost does not grow with the tables. */
export async function readWorkload(database: Database, now: Date): Promise<Workload> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<Workload>`
    select
      (select coalesce(json_object_agg(status, count), '{}') from (
        select status, count(*) from (
          (select status from executions where status = 'RUNNING' limit ${maxCount})
          union all
          (select status from executions where kept and ended_at > ${minuteAgo} limit ${maxCount})) recent
        group by status) counted) as executions,
      (select coalesce(json_agg(json_build_object('definition', coalesce(id::text, 'other'),
          'name', coalesce(name, 'other'), 'failed', failed, 'ended', ended)), '[]') from (
        select id, name, sum(failed) as failed, sum(ended) as ended from (
          select workflow_definition_id, count(*) filter (where status = 'FAILED') as failed, count(*) as ended,
            row_number() over (order by count(*) filter (where status = 'FAILED') desc) as place
          from (select workflow_definition_id, status from executions
            where kept and ended_at > ${hourAgo} order by ended_at desc limit ${maxEnded}) recent
          group by workflow_definition_id having bool_or(status = 'FAILED')) failing
        left join workflow_definitions on id = workflow_definition_id and place <= ${maxDefinitions}
        group by id, name) counted) as "failingDefinitions",
      (select count(*) from (
        select from events where relayed_at is null limit ${maxCount}) open) as "unrelayedEvents",
      (select json_build_object(
          'due', count(*) filter (where next_attempt_at <= ${now}),
          'scheduled', count(*) filter (where next_attempt_at > ${now}))
        from (select next_attempt_at from webhook_deliveries
          where status in ('requested', 'pending') limit ${maxCount}) open) as deliveries,
      (select count(*) from webhook_endpoints
        where failing and disabled_at is null) as "failingEndpoints"`.execute(database);
  return rows[0] as Workload;
}

export type ChangesObstacle = 'disk-full' | 'read-only' | 'refused';

/**
 * Why the database accepts no changes: its disk is full, it is read-only, or it denies the login or changes of a table. On
 * a full disk some may succeed, because tables have room within.
 *
 * Rows of a function beyond `work_mem` go to a temporary file in the tablespace of the database: here about 256 KiB,
 * which neither the tables nor PostgreSQL's log see.
 *
 * @throws if the database cannot be reached
 */
export async function changesObstacle(database: Database): Promise<ChangesObstacle | undefined> {
  try {
    const { rows } = await database.transaction().execute(async (transaction) => {
      await sql`set local work_mem = '64kB'`.execute(transaction);
      return sql<{ readOnly: boolean; mayChange: boolean }>`
        select current_setting('transaction_read_only') = 'on' as "readOnly",
          current_schema() is not null and (
            select bool_and(has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
              and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
            from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
          ) as "mayChange",
          count(*)
        from generate_series(1, 8000)`.execute(transaction);
    });
    if (rows[0]?.readOnly) return 'read-only';
    return rows[0]?.mayChange ? undefined : 'refused';
  } catch (error) {
    if (isDiskFull(error)) return 'disk-full';
    if (isRefused(error)) return 'refused';
    throw error;
  }
}
