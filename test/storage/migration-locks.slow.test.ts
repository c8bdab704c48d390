import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';

// A migration runs while the former release serves. It must not keep others from a table that has a million rows for
// longer than this.
const longestLock = 200;
const rows = 1_000_000;
/** The latest migration that is older than this rule. */
const exempt = '0016-lists';

/** The locks that writers wait for. */
const blocking = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

const migrations = new URL('../../server/src/store/migrations/', import.meta.url);
const later = (await readdir(migrations)).filter((file) => basename(file, '.ts') > exempt).sort();

let connection: string;
let administrator: Database;
const filled = new Set<string>();

beforeAll(async () => {
  ({ connectionString: connection } = await cloneDatabase());
  const url = new URL(inject('postgres'));
  url.pathname = new URL(connection).pathname;
  administrator = openDatabase({
    connection: url.href,
    schema: 'production',
    poolSize: 1,
    statementTimeout: 0,
  });
});

test.each([
  [
    'a column with a constant default',
    ['alter table cases add column constant int not null default 1'],
    'passes',
  ],
  [
    'an index that is built concurrently',
    ['create index concurrently online on cases (created_at)'],
    'passes',
  ],
  ['an index', ['create index blocking on cases (sha512(id::text::bytea))'], 'is refused'],
  [
    'a default that differs',
    ['alter table cases add column random uuid default gen_random_uuid()'],
    'is refused',
  ],
])(
  '%s',
  async (_, statements, verdict) => {
    const locked = await lockedFor(statements.join(), async (database) => {
      for (const statement of statements) await sql.raw(statement).execute(database);
    });
    if (verdict === 'passes') expect(locked).toBeLessThan(longestLock);
    else expect(locked).toBeGreaterThan(longestLock);
  },
  scaledTimeout(120_000),
);

test.runIf(later.length > 0).each(later)(
  'the migration %s keeps nobody from a table',
  async (file) => {
    const { up, isOnline } = await import(new URL(file, migrations).href);
    const source = await readFile(new URL(file, migrations), 'utf8');
    const locked = await lockedFor(source, (database) =>
      isOnline ? up(database) : database.transaction().execute(up),
    );
    expect(locked).toBeLessThan(longestLock);
  },
  scaledTimeout(600_000),
);

/**
 * The longest time, in milliseconds, for which others could not write to a table.
 *
 * @param source names the tables that it changes, which get a million rows first
 */
async function lockedFor(source: string, change: (database: Database) => Promise<unknown>): Promise<number> {
  await fillTables(source);
  const database = openDatabase({ connection, schema: 'production', poolSize: 1, statementTimeout: 0 });
  const since = new Map<string, number>();
  let longest = 0;
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const { rows: held } = await sql<{ table: string }>`
        select distinct relation::regclass::text as table from pg_locks join pg_class on pg_class.oid = relation
        where granted and relkind = 'r' and mode = any(${blocking})
          and database = (select oid from pg_database where datname = current_database())
          and relnamespace = 'production'::regnamespace`.execute(administrator);
      const now = performance.now();
      const tables = new Set(held.map(({ table }) => table));
      for (const table of since.keys()) if (!tables.has(table)) since.delete(table);
      for (const table of tables) {
        longest = Math.max(longest, now - (since.get(table) ?? now));
        if (!since.has(table)) since.set(table, now);
      }
      await sleep(5);
    }
  })();
  try {
    await change(database);
  } finally {
    ended.abort();
    await watching;
    await database.destroy();
  }
  return longest;
}

/** Rows that no check, reference or trigger sees: what matters is how many they are, and that indexes differ. */
async function fillTables(source: string): Promise<void> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string; kind: string }>`
    select relname as table, attname as column, format_type(atttypid, null) as type, typtype::text as kind
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
    where relkind = 'r' and relnamespace = 'production'::regnamespace and attnum > 0 and not attisdropped
      and attgenerated = '' and attidentity = ''`.execute(administrator);
  await sql`set session_replication_role = replica`.execute(administrator);
  for (const [table, itsColumns = []] of Object.entries(Object.groupBy(columns, ({ table }) => table))) {
    if (filled.has(table) || !new RegExp(`\\b${table}\\b`).test(source)) continue;
    filled.add(table);
    await sql`truncate ${sql.id(table)} cascade`.execute(administrator);
    const { rows: checks } = await sql<{ name: string }>`
      select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'c'`.execute(
      administrator,
    );
    for (const { name } of checks)
      await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(administrator);
    const names = itsColumns.map(({ column }) => `"${column}"`);
    const values = itsColumns.map(({ type, kind }) => expressionOf(type, kind));
    await sql
      .raw(`insert into ${table} (${names}) select ${values} from generate_series(1, ${rows}) as n`)
      .execute(administrator);
    await sql`analyze ${sql.id(table)}`.execute(administrator);
  }
}

/** An expression of `n`, the number of a row. */
function expressionOf(type: string, kind: string): string {
  if (kind === 'e') return `(enum_range(null::${type}))[1]`;
  if (type.endsWith('[]')) return `'{}'`;
  const expressions: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: 'n::text',
    boolean: 'true',
    json: `'{}'`,
    jsonb: `'{}'`,
    bytea: `decode(lpad(to_hex(n), 64, '0'), 'hex')`,
    'timestamp with time zone': `now() - n * interval '1 second'`,
  };
  return expressions[type] ?? `n::${type}`;
}
