import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type DatabaseOptions,
  isUnavailable,
  statement,
  withNext,
} from '../../server/postgres-client/index.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { claimIdempotencyKey } from '../../server/src/store/idempotency-keys.ts';
import { MigrationError, migrate } from '../../server/src/store/migrate.ts';
import * as platformTables from '../../server/src/store/migrations/0001-platform.ts';
import * as workflowTables from '../../server/src/store/migrations/0002-workflows.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';

const clone = await cloneDatabase();
let opened: Database[] = [];

afterEach(async () => {
  for (const database of opened) await database.destroy();
  opened = [];
});

function open(options: Partial<DatabaseOptions> = {}): Database {
  const database = openDatabase({ connection: clone.connectionString, schema: 'production', ...options });
  opened.push(database);
  return database;
}

const organization = () => ({ id: crypto.randomUUID(), name: 'Åland & Sons' });
/** Every migration, by its file. */
const migrationNames = async () => {
  const files = await readdir(new URL('../../server/src/store/migrations', import.meta.url));
  return files.map((file) => file.replace(/\.ts$/, '')).sort();
};
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const backend = async (database: Database) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)).rows[0]?.pid;

/** Waits until a backend sleeps. */
const asleep = (pid: number | undefined) =>
  until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where pid = ${pid} and state = 'active' and wait_event = 'PgSleep'`.execute(open());
    return rows.length === 1;
  });

describe('statements', () => {
  test('are prepared once under a short name, with every round trip counted', async () => {
    const sent: string[] = [];
    const database = open({ poolSize: 1, onStatement: (text) => sent.push(text) });
    for (const name of ['a', 'b', 'c']) {
      await database.selectFrom('organizations').select('id').where('name', '=', name).execute();
    }
    expect(sent).toHaveLength(3);
    const { rows } = await sql<{ name: string; calls: number }>`
      select name, generic_plans + custom_plans as calls from pg_prepared_statements
      where statement like '%organizations%' and name <> ''`.execute(database);
    // The query itself is a prepared statement that names the table, too.
    expect(rows).toContainEqual({ name: 's1', calls: 3 });
  });

  test('of a constant text take every value as a parameter', async () => {
    const named = (name: string, size: number) =>
      statement<object>`select ${name}::text as name, ${size}::integer as size`;
    expect(named('a', 1).sql).toBe('select $1::text as name, $2::integer as size');
    expect(named('b', 2).sql).toBe(named('a', 1).sql);
    const { rows } = await open().executeQuery(named("'; drop table users", 2));
    expect(rows).toEqual([{ name: "'; drop table users", size: 2 }]);
  });

  describe('of a transaction', () => {
    const row = () => ({ ...organization(), created_at: new Date() });
    const insertLate = (transaction: Database, { id, name } = organization()) =>
      sql`insert into organizations (id, name) values (${id}, ${name}) ${sql.raw(withNext)}`.execute(
        transaction,
      );
    const insert = (transaction: Database, values: object) =>
      transaction
        .insertInto('organizations')
        .values(values as never)
        .execute();
    const exists = async (database: Database, { id }: { id: string }) => {
      const rows = await database.selectFrom('organizations').select('id').where('id', '=', id).execute();
      return rows.length === 1;
    };
    /** The first words of the statements of each round trip. */
    const counted = (sent: string[]) =>
      open({
        poolSize: 1,
        onStatement: (text) => sent.push(text.replaceAll(/(^|; )\s*(\w+)[^;]*/g, '$1$2')),
      });

    test('share a round trip: begin with the first, and those that end in withNext with the next', async () => {
      const sent: string[] = [];
      const database = counted(sent);
      const [first, late, last] = [row(), organization(), organization()];
      await database.transaction().execute(async (transaction) => {
        await insert(transaction, first);
        await insertLate(transaction, late);
        expect(await exists(transaction, late)).toBe(true);
        await insertLate(transaction, last);
      });
      expect(sent).toEqual(['begin; insert', 'insert; select', 'insert; commit']);
      for (const one of [first, late, last]) expect(await exists(database, one)).toBe(true);
    });

    test('take no round trip if the transaction is empty', async () => {
      const sent: string[] = [];
      const database = counted(sent);
      await database.transaction().execute(async () => {});
      await failureOf(database.transaction().execute(() => Promise.reject(new Error('no'))));
      expect(sent).toEqual([]);
      await database.transaction().execute((transaction) => insertLate(transaction));
      expect(sent).toEqual(['begin; insert; commit']);
    });

    test('are rolled back together: after an error of the caller, and of any statement', async () => {
      const database = open({ poolSize: 1 });
      const [first, late] = [row(), organization()];
      const fails = [
        (transaction: Database) => insert(transaction, first),
        (transaction: Database) => insertLate(transaction, first),
        () => Promise.reject(new Error('no')),
      ];
      for (const fail of fails) {
        const failed = database.transaction().execute(async (transaction) => {
          await insert(transaction, first);
          await insertLate(transaction, late);
          await fail(transaction);
        });
        await expect(failed).rejects.toThrow(/duplicate key|no/);
        expect(await exists(database, first)).toBe(false);
        expect(await exists(database, late)).toBe(false);
      }
      // Statements that the server skipped were not prepared.
      await database.transaction().execute(async (transaction) => {
        await insert(transaction, first);
        await insertLate(transaction, late);
      });
      expect(await exists(database, late)).toBe(true);
    });

    test('leave the connection without a transaction if the first one fails', async () => {
      const database = open({ poolSize: 1 });
      const failed = database.transaction().execute((transaction) => sql`select 1 / 0`.execute(transaction));
      await expect(failed).rejects.toThrow('division by zero');
      const transactionId = async () =>
        (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(database)).rows[0]?.id;
      expect(await transactionId()).not.toBe(await transactionId());
    });

    test('may be several in one text, and return their rows and counts', async () => {
      const database = open({ poolSize: 1 });
      await database.transaction().execute(async (transaction) => {
        await sql
          .raw('create table counted (at timestamptz); create index on counted (at)')
          .execute(transaction);
        const added = await sql`insert into counted values (now()), (now())`.execute(transaction);
        expect(added.numAffectedRows).toBe(2n);
      });
      const read = () =>
        database.transaction().execute((transaction) => sql`select * from counted`.execute(transaction));
      for (let times = 0; times < 2; times++) {
        const { rows } = await read();
        expect(rows).toEqual([{ at: expect.any(Date) }, { at: expect.any(Date) }]);
      }
    });

    test('may occur twice in a round trip', async () => {
      const database = open({ poolSize: 1 });
      const [first, second] = [organization(), organization()];
      await database.transaction().execute(async (transaction) => {
        await insertLate(transaction, first);
        await insertLate(transaction, second);
      });
      expect([await exists(database, first), await exists(database, second)]).toEqual([true, true]);
    });

    test('are sent at once outside of a transaction, even if they end in withNext', async () => {
      const database = open();
      const late = organization();
      await insertLate(database, late);
      expect(await exists(database, late)).toBe(true);
    });
  });

  test('may be several in one text, which is not prepared', async () => {
    await expect(sql.raw('select 1; select 2').execute(open())).resolves.toBeDefined();
  });

  test('work again after a value that the server refuses, or that cannot be sent', async () => {
    const database = open({ poolSize: 1 });
    const circular: { self?: object } = {};
    circular.self = circular;
    const find = (id: unknown) => sql`select ${id}::uuid as id`.execute(database);
    await expect(find('no UUID')).rejects.toThrow('invalid input syntax for type uuid');
    await expect(find(circular)).rejects.toThrow('circular');
    const { id } = organization();
    for (let times = 0; times < 2; times++) expect((await find(id)).rows).toEqual([{ id }]);
  });

  test('are bounded: the server keeps at most 500 of them', async () => {
    const database = open({ poolSize: 1 });
    for (let number = 0; number < 600; number += 1) await sql.raw(`select ${number}`).execute(database);
    const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(
      database,
    );
    expect(rows).toEqual([{ count: 500 }]);
  });

  test('are prepared anew when another process changed the table', async () => {
    const database = open({ poolSize: 1 });
    await sql`create table growing (id integer)`.execute(database);
    const read = () => sql`select * from growing`.execute(database);
    await read();
    await sql`alter table growing add column name text`.execute(open());
    await expect(read()).resolves.toMatchObject({ rows: [] });
  });
});

describe('values', () => {
  test('bigint arrives as a number, json as it was stored, a timestamp as a Date', async () => {
    const { rows } = await sql`select 5368709120::bigint as size, '{"b":1,"a":[null]}'::json as parameters,
      timestamptz '2026-11-05T10:00:00.123Z' as moment`.execute(open());
    const [row] = rows as { parameters: object }[];
    expect(row).toEqual({
      size: 5_368_709_120,
      parameters: { b: 1, a: [null] },
      moment: new Date('2026-11-05T10:00:00.123Z'),
    });
    expect(Object.keys(row?.parameters ?? {})).toEqual(['b', 'a']);
    expect(pg.types.getTypeParser(20)('1'), 'other users of the driver keep its defaults').toBe('1');
  });

  test('a Date is the same moment when it is read again, in any year and time zone of the session', async () => {
    const moments = ['2026-11-05T10:00:00.129Z', '0001-01-01T00:00:00.000Z', '-000043-03-15T10:00:00.000Z'];
    const database = open({ poolSize: 1 });
    for (const zone of ['UTC', 'Asia/Kolkata']) {
      await sql`select set_config('TimeZone', ${zone}, false)`.execute(database);
      for (const moment of [...moments, '+012026-01-01T00:00:00.000Z']) {
        const { rows } = await sql`select ${new Date(moment)}::timestamptz as moment`.execute(database);
        expect(rows).toEqual([{ moment: new Date(moment) }]);
      }
    }
    const { rows } = await sql`select timestamptz '2026-11-05T10:00:00.999999Z' as moment`.execute(open());
    expect(rows).toEqual([{ moment: new Date('2026-11-05T10:00:00.999Z') }]);
  });

  test('texts, bytes and nulls arrive as they were sent, also in a long statement', async () => {
    const text = 'Åland 😀'.repeat(10_000);
    const bytes = Buffer.from([0, 255, 128, 10]);
    const { rows } = await sql`select ${text}::text as text, ${''}::text as empty, ${bytes}::bytea as bytes,
      ${null}::text as none`.execute(open());
    expect(rows).toEqual([{ text, empty: '', bytes, none: null }]);
  });
});

describe('environments', () => {
  test('do not see each other', async () => {
    const production = open();
    await production.insertInto('organizations').values(organization()).execute();
    const rows = await open({ schema: 'sandbox' }).selectFrom('organizations').select('id').execute();
    expect(rows).toEqual([]);
  });

  test('can use the same idempotency key; within one it is in use', async () => {
    const request = { userId: crypto.randomUUID(), key: 'a', sha256: Buffer.alloc(32), now: new Date() };
    const claims = await open()
      .transaction()
      .execute(async (production) => [
        await claimIdempotencyKey(production, request),
        await open({ schema: 'sandbox' })
          .transaction()
          .execute((other) => claimIdempotencyKey(other, request)),
        await open()
          .transaction()
          .execute((second) => claimIdempotencyKey(second, request)),
      ]);
    expect(claims.map(({ kind }) => kind)).toEqual(['new', 'new', 'in_use']);
  });

  test('are found in addition to the options of a connection string', async () => {
    const database = open({ connection: `${clone.connectionString}&options=-c%20application_name%3Dtest` });
    const { rows } = await sql`select current_setting('application_name') as name,
      current_schema as schema, current_setting('statement_timeout') as timeout`.execute(database);
    expect(rows).toEqual([{ name: 'test', schema: 'production', timeout: '30s' }]);
  });
});

describe('migrate', () => {
  test('runs once when several processes start at the same moment', async () => {
    const options = { connection: clone.connectionString, schema: 'fresh' };
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(options)));
    expect(runs.flat()).toEqual(await migrationNames());
    expect(await migrate(options)).toEqual([]);
  });

  test('upgrades a database of the first release', async () => {
    const options = { connection: clone.connectionString, schema: 'older' };
    const older = open({ schema: 'older', poolSize: 1 });
    await sql`create schema older`.execute(older);
    for (const { up } of [platformTables, workflowTables]) await up(older as never);
    await sql`create table migrations (name text primary key, timestamp text not null)`.execute(older);
    await sql`insert into migrations values ('0001-platform', now()), ('0002-workflows', now())`.execute(
      older,
    );
    expect(await migrate(options)).toEqual((await migrationNames()).slice(2));
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = 'older'
        and indexname in ('links_execution', 'rate_leases_age', 'token_families_age', 'links_mailed_to')`.execute(
      older,
    );
    expect(rows).toHaveLength(4);
  });

  test('refuses a database that a newer release has migrated', async () => {
    const options = { connection: clone.connectionString, schema: 'newer' };
    await migrate(options);
    await sql`insert into migrations values ('9999-later', now())`.execute(open({ schema: 'newer' }));
    const failure = await failureOf(migrate(options));
    expect(failure).toBeInstanceOf(MigrationError);
    expect((failure as Error).message).toMatch(
      /^The database was migrated by a newer release \(schema newer: 9999-later\)/,
    );
  });
});

describe('isUnavailable', () => {
  test('is true if nothing listens', async () => {
    const select = (connection: string) => failureOf(sql`select 1`.execute(open({ connection })));
    expect(isUnavailable(await select('postgresql://wrp@127.0.0.1:1/wrp'))).toBe(true);
    expect(isUnavailable(await select('postgresql://wrp@localhost:1/wrp'))).toBe(true);
    expect(isUnavailable(await select('postgresql://wrp@localhost/wrp?host=/nowhere'))).toBe(true);
    expect(isUnavailable(await select('postgresql://wrp@no-such-host.invalid/wrp'))).toBe(true);
  });

  test('is true if the connection ends during a statement, and the next statement succeeds', async () => {
    const lost: Error[] = [];
    const database = open({ poolSize: 1, onConnectionLost: (error) => lost.push(error) });
    const pid = await backend(database);
    const failure = failureOf(sql`select pg_sleep(60)`.execute(database));
    await asleep(pid);
    await sql`select pg_terminate_backend(${pid})`.execute(open());
    expect(isUnavailable(await failure)).toBe(true);
    await expect(sql`select 1`.execute(database)).resolves.toBeDefined();
  });

  test('is true if the connection ends between two statements of a transaction', async () => {
    const database = open({ poolSize: 1 });
    const failure = await failureOf(
      database.transaction().execute(async (transaction) => {
        const pid = await backend(transaction);
        // With the time that its end may take.
        await sql`select pg_terminate_backend(${pid}, 20000)`.execute(open());
        await sql`select 1`.execute(transaction);
      }),
    );
    expect(isUnavailable(failure)).toBe(true);
    await expect(sql`select 1`.execute(database)).resolves.toBeDefined();
  });

  test('is true if no connection becomes free in time', async () => {
    const database = open({ poolSize: 1 });
    const pid = await backend(database);
    const busy = failureOf(sql`select pg_sleep(60)`.execute(database));
    expect(isUnavailable(await failureOf(sql`select 1`.execute(database)))).toBe(true);
    await sql`select pg_cancel_backend(${pid})`.execute(open());
    expect(await busy).toMatchObject({ code: '57014' });
  });

  test('is false for an invalid statement or a missing file', async () => {
    expect(isUnavailable(await failureOf(sql`select nothing`.execute(open())))).toBe(false);
    expect(isUnavailable(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    );
  });

  test('an idle connection that ends is replaced without an error', async () => {
    const lost: Error[] = [];
    const database = open({ poolSize: 1, onConnectionLost: (error) => lost.push(error) });
    const pid = await backend(database);
    await sql`select pg_terminate_backend(${pid})`.execute(open());
    await expect.poll(() => lost.length).toBe(1);
    await expect(sql`select 1`.execute(database)).resolves.toBeDefined();
  });
});
