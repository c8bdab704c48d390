import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';

/** Tables of the job queue, in the order of their references. The others are settings and statistics. */
const jobTables = ['queue', 'job', 'job_dependency'];
/** Tables that the migrations write. */
const migrationTables = ['migrations', 'migration_lock'];

/** Bytes of rows that are fetched together. */
const batchBytes = 4 << 20;
const maxBatchRows = 2_000;

/** The schemas of an environment, and the tables in them whose rows are dumped. */
export interface DumpedTable {
  schema: string;
  table: string;
  /** Columns with a value of their own, in their order. Equal in all databases with the same migrations. */
  columns: string[];
}

export interface DumpedSequence {
  schema: string;
  sequence: string;
  value: string;
  isCalled: boolean;
}

/** What must be equal for a dump to fit: the migrations of an environment, and the version of its job queue. */
export interface SchemaVersion {
  migrations: string[];
  jobs: number;
}

export async function schemaVersion(database: Database, environment: string): Promise<SchemaVersion> {
  const { rows: migrations } = await sql<{ name: string }>`
    select name from ${sql.table(`${environment}.migrations`)} order by name`.execute(database);
  const { rows: versions } = await sql<{ version: number }>`
    select version from ${sql.table(`${environment}_jobs.version`)}`.execute(database);
  return { migrations: migrations.map(({ name }) => name), jobs: versions[0]?.version ?? 0 };
}

/** Whether the database has the schema of an environment. */
export async function hasSchema(database: Database, schema: string): Promise<boolean> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(database);
  return rows.length > 0;
}

/** The tables of an environment whose rows are dumped. */
export async function dumpedTables(database: Database, environment: string): Promise<DumpedTable[]> {
  const { rows } = await sql<DumpedTable>`
    select n.nspname as schema, c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition
      and (n.nspname = ${environment} and c.relname <> all(${migrationTables})
        or n.nspname = ${`${environment}_jobs`} and c.relname = any(${jobTables}))
    group by 1, 2 order by 1, array_position(${jobTables}::text[], c.relname::text), 2`.execute(database);
  return rows;
}

export async function dumpedSequences(database: Database, environment: string): Promise<DumpedSequence[]> {
  const { rows: names } = await sql<{ schema: string; sequence: string }>`
    select schemaname as schema, sequencename as sequence from pg_sequences
    where schemaname = ${environment} order by 2`.execute(database);
  const sequences: DumpedSequence[] = [];
  for (const { schema, sequence } of names) {
    const { rows } = await sql<{ value: string; isCalled: boolean }>`
      select last_value::text as value, is_called as "isCalled"
      from ${sql.table(`${schema}.${sequence}`)}`.execute(database);
    sequences.push({ schema, sequence, ...(rows[0] as { value: string; isCalled: boolean }) });
  }
  return sequences;
}

/** Makes the text of values independent of the settings of the server, and lets statements take their time. */
export async function prepareDump(transaction: Transaction): Promise<void> {
  await sql`
    select set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true),
      set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
      set_config('statement_timeout', '0', true), set_config('bytea_output', 'hex', true)`.execute(
    transaction,
  );
}

const nameOf = ({ schema, table }: DumpedTable) => sql.table(`${schema}.${table}`);
const columnsOf = ({ columns }: DumpedTable) => sql.join(columns.map((column) => sql.ref(column)));

/** Reads a table in batches, each row as PostgreSQL's text for it, which holds every value exactly. */
export async function* dumpRows(transaction: Transaction, table: DumpedTable): AsyncIterable<string[]> {
  await sql`declare dumped no scroll cursor for
    select "a row"::text as line from ${nameOf(table)} as "a row"`.execute(transaction);
  for (let limit = 100; ; ) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(limit)} from dumped`.execute(transaction);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    limit = Math.max(1, Math.min(maxBatchRows, Math.floor((batchBytes * lines.length) / length)));
  }
  await sql`close dumped`.execute(transaction);
}

/** Inserts rows that `dumpRows` has read. A start has created the queues already. */
export async function insertRows(
  transaction: Transaction,
  table: DumpedTable,
  lines: string[],
): Promise<void> {
  await sql`insert into ${nameOf(table)} (${columnsOf(table)}) overriding system value
    select ${columnsOf(table)} from unnest(${lines}::${nameOf(table)}[])
    on conflict do nothing`.execute(transaction);
}

export async function setSequence(
  transaction: Transaction,
  { schema, sequence, value, isCalled }: DumpedSequence,
): Promise<void> {
  const name = `${schema}.${sequence}`;
  await sql`select setval(${name}::regclass, ${value}::bigint, ${isCalled})`.execute(transaction);
}

/**
 * Empties the tables of an environment, and lets them be filled in any order: without triggers and references.
 *
 * @returns a function that puts them back, which checks all references
 */
export async function suspendConstraints(
  transaction: Transaction,
  environment: string,
  tables: DumpedTable[],
): Promise<() => Promise<void>> {
  const { rows: references } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = ${environment}::regnamespace and conparentid = 0
    order by 1, 2`.execute(transaction);
  const run = (statement: string) => sql.raw(statement).execute(transaction);
  const own = tables
    .filter(({ schema }) => schema === environment)
    .map(({ table }) => `"${environment}"."${table}"`);
  for (const { table, name } of references) await run(`alter table ${table} drop constraint ${name}`);
  for (const table of own) await run(`alter table ${table} disable trigger user`);
  await run(`truncate ${own.join(', ')}`);
  return async () => {
    for (const table of own) await run(`alter table ${table} enable trigger user`);
    for (const { table, name, definition } of references)
      await run(`alter table ${table} add constraint ${name} ${definition}`);
  };
}
