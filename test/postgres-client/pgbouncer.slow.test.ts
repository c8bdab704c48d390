import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { checkDatabase } from '../../server/postgres-client/index.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';
import { spawnWrp } from '../support/wrp.ts';
import { overTcp } from './startup-proxy.ts';

/** Debian has it outside of the PATH of users. */
const PATH = `${process.env['PATH']}:/usr/sbin`;
const isInstalled = (() => {
  try {
    return /PgBouncer/.test(execFileSync('pgbouncer', ['--version'], { env: { PATH } }).toString());
  } catch {
    return false;
  }
})();

const ignored = 'extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout';

/** PgBouncer in front of a database. @returns the connection string through it */
async function bouncer(connectionString: string, settings: string[], size = 20): Promise<string> {
  const { searchParams } = new URL(connectionString);
  // That of PostgreSQL, as PgBouncer does not run as root.
  const { uid, gid } = statSync(String(searchParams.get('host')));
  const { port: upstream, username, pathname } = new URL(await overTcp(connectionString));
  const directory = mkdtempSync(join(tmpdir(), 'wrp-pgbouncer-'));
  const file = join(directory, 'pgbouncer.ini');
  const port = await freePort();
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${upstream} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `default_pool_size = ${size}`,
    ...settings,
  ];
  writeFileSync(file, lines.join('\n'));
  if (process.getuid?.() === 0) for (const path of [directory, file]) chownSync(path, uid, gid);
  const child = spawn('pgbouncer', ['-q', file], { env: { PATH }, uid, gid, stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true });
  });
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await until(async () => {
    const client = new pg.Client(url);
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    return connected || undefined;
  });
  return url;
}

/** The schemas, and the tables outside of the platform's. */
async function objectsIn(connectionString: string): Promise<unknown[]> {
  const client = new pg.Client(connectionString);
  await client.connect();
  const { rows } = await client.query(
    "select schemaname, count(*) from pg_tables where schemaname !~ '^(pg_|information)' group by 1 order by 1",
  );
  await client.end();
  return rows;
}

const ignoring = `ignore_startup_parameters = ${ignored}`;

describe.skipIf(!isInstalled)('PgBouncer, which is not on every machine', () => {
  test.each([
    [
      'in transaction mode',
      ['pool_mode = transaction'],
      /^DATABASE_URL leads to a pooler that refuses the startup parameter /,
    ],
    [
      'in session mode',
      ['pool_mode = session'],
      /^DATABASE_URL leads to a pooler that refuses the startup parameter /,
    ],
    [
      'in transaction mode that ignores parameters',
      ['pool_mode = transaction', ignoring],
      /a pooler that drops startup parameters/,
    ],
    [
      'in session mode that ignores parameters',
      ['pool_mode = session', ignoring],
      /a pooler that drops startup parameters/,
    ],
  ])('%s is refused in one line, before anything is written', async (_mode, settings, line) => {
    const { connectionString } = await cloneDatabase();
    const before = await objectsIn(connectionString);
    const env = {
      DATABASE_URL: await bouncer(connectionString, settings),
      SERVER_KEY: 'test'.repeat(11),
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      PUBLIC_URL: 'http://127.0.0.1:1',
      SANDBOX_PUBLIC_URL: 'http://127.0.0.1:2',
    };
    for (const command of ['serve', 'work', 'usage']) {
      const { status, stderr } = await spawnWrp([command], { env });
      expect([command, status, stderr.trimEnd().split('\n')]).toEqual([
        command,
        1,
        [expect.stringMatching(line)],
      ]);
    }
    expect(await objectsIn(connectionString)).toEqual(before);
  });

  test.each([1, 20])(
    'in transaction mode is refused although it has the search path, with %i connections',
    async (size) => {
      const { connectionString } = await cloneDatabase();
      const name = new URL(connectionString).pathname.slice(1);
      const client = new pg.Client(connectionString);
      await client.connect();
      await client.query(`alter role wrp in database ${name} set search_path = wrp_probe`);
      await client.end();
      const url = await bouncer(connectionString, ['pool_mode = transaction', ignoring], size);
      await expect(checkDatabase(url)).rejects.toThrow(
        /^DATABASE_URL leads to a pooler that gives one session to several clients \(transaction mode\)\. /,
      );
      await checkDatabase(await bouncer(connectionString, ['pool_mode = session', ignoring], 20));
    },
  );
});
