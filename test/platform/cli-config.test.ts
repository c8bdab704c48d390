import { readdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../server/src/config-checks.ts';
import { givenDirectory } from '../files/support.ts';
import { overTcp, withoutOptions } from '../postgres-client/startup-proxy.ts';
import { openClone } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';

const key = 'test'.repeat(11);

async function check(env: NodeJS.ProcessEnv) {
  const free = { PORT: '0', SANDBOX_PORT: '0' };
  const { status, stdout, stderr } = await runWrp(['config', 'check', '--json'], {
    env: { ...free, ...env },
  });
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: CheckResult[] };
  expect([status, ok]).toEqual(checks.some(({ outcome }) => outcome === 'failed') ? [1, false] : [0, true]);
  if (ok) expect(stderr).toBe('');
  for (const { message } of checks) expect(message).toMatch(/^.+$/);
  return Object.fromEntries(checks.map((each) => [each.check, each]));
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('wrp config check', () => {
  test('reports that everything is in order, and changes nothing', async () => {
    const { database, connectionString } = await openClone();
    const directory = await givenDirectory();
    const tables = async () => {
      const { rows } = await sql`select relname, n_tup_ins, n_tup_upd, n_tup_del
        from pg_stat_user_tables order by schemaname, relname`.execute(database);
      return rows;
    };
    const before = await tables();
    const checks = await check({
      DATABASE_URL: connectionString,
      DATA_DIR: join(directory, 'data'),
      SERVER_KEY: key,
    });
    expect(Object.values(checks).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(checks['production tables']?.message).toBe('are up to date');
    expect(await tables()).toEqual(before);
    expect(await readdir(directory)).toEqual([]);
  });

  test('does not start or create the embedded PostgreSQL', async () => {
    const directory = await givenDirectory();
    const { database } = await check({ DATA_DIR: directory });
    expect(database).toMatchObject({
      outcome: 'ok',
      message: 'the embedded PostgreSQL is created at the first start',
    });
    expect(await readdir(directory)).toEqual([]);
  });

  test('migrates nothing, and says what the next start does', async () => {
    const { database, connectionString } = await openClone();
    await sql`drop schema sandbox cascade`.execute(database);
    const checks = await check({ DATABASE_URL: connectionString, DATA_DIR: await givenDirectory() });
    expect(checks['sandbox tables']).toMatchObject({
      outcome: 'ok',
      message: 'are created at the next start',
    });
    const { rows } = await sql`select from pg_namespace where nspname = 'sandbox'`.execute(database);
    expect(rows).toEqual([]);
  });

  test.each<[string, () => Promise<NodeJS.ProcessEnv>, string, RegExp]>([
    ['an invalid value', async () => ({ PORT: 'x' }), 'settings', /^PORT must be a whole number/],
    [
      'a port in use',
      async () => ({ PORT: String(await listening(createServer((socket) => socket.destroy()))) }),
      'PORT',
      /^Port \d+ is in use\. Set PORT to a free one\.$/,
    ],
    ['a host that is not here', async () => ({ HOST: '192.0.2.1' }), 'PORT', /^This machine has no address/],
    [
      'a dead mail server',
      async () => ({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' }),
      'mail',
      /^The mail server of SMTP_URL cannot be used: ESOCKET$/,
    ],
    [
      'a missing key file',
      async () => ({ SERVER_KEY_FILE: '/no/such/key' }),
      'server key',
      /does not exist\.$/,
    ],
    [
      'equal public URLs',
      async () => ({ PUBLIC_URL: 'https://a.invalid', SANDBOX_PUBLIC_URL: 'https://a.invalid' }),
      'PUBLIC_URL',
      /are both https:\/\/a\.invalid: each environment needs its own\.$/,
    ],
    [
      'a database that is away',
      async () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }),
      'database',
      /^The database 127\.0\.0\.1:1\/x cannot be reached: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/,
    ],
    [
      'a database without TLS',
      async () => {
        const { connectionString } = await openClone();
        return { DATABASE_URL: `${await overTcp(connectionString)}?sslmode=require` };
      },
      'database',
      /^The database \S+ cannot be reached: The server does not support SSL connections\./,
    ],
    [
      'a pooler',
      async () => ({ DATABASE_URL: await overTcp((await openClone()).connectionString, withoutOptions) }),
      'database',
      /^DATABASE_URL leads to a pooler/,
    ],
    [
      'a newer database',
      async () => {
        const { database, connectionString } = await openClone();
        await sql`insert into migrations values ('9999-later', now())`.execute(database);
        return { DATABASE_URL: connectionString };
      },
      'production tables',
      /^The database was migrated by a newer release/,
    ],
    [
      'a role without rights',
      async () => {
        const { database, connectionString } = await openClone();
        await sql`revoke insert on users from wrp`.execute(database);
        return { DATABASE_URL: connectionString };
      },
      'production tables',
      /^The role may not read or change all tables/,
    ],
    [
      "another database's key",
      async () => {
        const { database, connectionString } = await openClone();
        await sql`insert into server_key (fingerprint) values ('x')`.execute(database);
        return { DATABASE_URL: connectionString, SERVER_KEY: key };
      },
      'production key',
      /^The server key is not the one of this database/,
    ],
    [
      'https on an http port',
      async () => ({
        S3_BUCKET: 'files',
        S3_ENDPOINT: `https://127.0.0.1:${await listening(createHttpServer())}`,
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'b',
      }),
      'production files',
      /S3_ENDPOINT may have to begin with http:\/\/\.$/,
    ],
  ])('reports %s in one line', async (_what, settings, name, line) => {
    const checks = await check({ DATA_DIR: await givenDirectory(), ...(await settings()) });
    expect(checks[name]).toMatchObject({ outcome: 'failed', message: expect.stringMatching(line) });
  });

  test.each<[string, NodeJS.ProcessEnv, string, RegExp]>([
    ['a misspelt variable', { DATABSE_URL: 'x' }, 'settings', /: DATABASE_URL is one\.$/],
    ['a public URL without TLS', { PUBLIC_URL: 'http://a.invalid' }, 'PUBLIC_URL', /is not https/],
    [
      'a public URL that leads nowhere',
      { PUBLIC_URL: 'https://a.invalid' },
      'PUBLIC_URL',
      /leads to no platform/,
    ],
  ])('warns of %s', async (_what, settings, name, line) => {
    const { stdout, status } = await runWrp(['config', 'check', '--json'], {
      env: { PORT: '0', SANDBOX_PORT: '0', DATA_DIR: await givenDirectory(), ...settings },
    });
    const { checks } = JSON.parse(stdout) as { checks: CheckResult[] };
    expect(status).toBe(0);
    expect(checks).toContainEqual({ check: name, outcome: 'warning', message: expect.stringMatching(line) });
  });
});
