import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../../../server/src/store/database.ts';
import type { Api } from '../../support/api.ts';
import { storedFiles } from '../../support/files.ts';
import { scaledTimeout } from '../../support/timeout.ts';

/** What counts requests, not what requests change. */
const counters = ['rate_leases', 'idempotency_keys'];
/** Columns that workers set at any time. */
const notes = ['relayed_at', 'position'];
/** Scheduled by the time of day. */
const scheduled = ['maintenance', 'blob-sweep'];
/** Jobs that change nothing here. */
const outward = [...scheduled, 'identity-provider-mfa-reset'];
/** Queues that delete a finished job after ten minutes: its effects are in the tables. */
const shortLived = ['execution-step', 'execution-slow-step', 'execution-call', 'webhook-delivery'];
/** Jobs of the queue itself, for its schedules. */
const ofTheQueue = `name like '\\_\\_pgboss\\_\\_%'`;

/**
 * Everything that production stores: a digest of each table's rows, the jobs, and the files. Two results are equal if
 * nothing was stored, changed or deleted in between.
 */
export async function stored({ database, dataDirectory }: Api): Promise<Record<string, unknown>> {
  await idle(database);
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'production' and table_type = 'BASE TABLE' order by table_name`.execute(database);
  const row = notes.reduce((json, column) => `${json} - '${column}'`, 'to_jsonb(o)');
  const digest = (name: string, from: string) =>
    `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(row, '' order by row), '')) as rows
     from (select (${row})::text as row from ${from} o) all_rows`;
  const kept = tables.map(({ name }) => name).filter((name) => !counters.includes(name));
  const jobs = `(select id, name, data from production_jobs.job where name <> all ('{${scheduled}}') and not ${ofTheQueue}
    and (state < 'completed' or name <> all ('{${shortLived}}')))`;
  const digests = [...kept.map((name) => digest(name, `production."${name}"`)), digest('jobs', jobs)];
  const { rows } = await sql<{ name: string; rows: string }>`${sql.raw(digests.join(' union all '))}`.execute(
    database,
  );
  return {
    ...Object.fromEntries(rows.map((row) => [row.name, row.rows])),
    files: await storedFiles(dataDirectory),
  };
}

/** All rows of production and its job queue, as text; bytes in hexadecimal. */
export async function storedText(database: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('production', 'production_jobs')`.execute(database);
  const texts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
      database,
    );
    return rows.map(({ row }) => row);
  });
  return (await Promise.all(texts)).flat().join('\n');
}

/** Waits until the workers have no due jobs. */
export async function idle(database: Database): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql<{ due: number }>`
      select count(*) as due from production_jobs.job
      where state in ('created', 'retry', 'active') and start_after <= now() and name <> all (${outward})
        and not ${sql.raw(ofTheQueue)}`.execute(database);
    if (rows[0]?.due) throw new Error(`${rows[0].due} jobs are still to be done`);
  }, scaledTimeout(30_000));
}
