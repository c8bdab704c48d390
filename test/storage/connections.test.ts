import { connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { parse } from 'pg-connection-string';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  administer,
  awaitDatabase,
  DatabaseConnectionError,
  isUnavailable,
} from '../../server/postgres-client/index.ts';
import {
  type ConnectionShare,
  connectionShares,
  leastConnections,
} from '../../server/src/store/connections.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';

describe('the connections of a process', () => {
  test.each(['all', 'serve', 'work'] as const)('are all distributed: %s', (role) => {
    for (const budget of [leastConnections, 20, 21, 52, 1000]) {
      const counts = Object.values(connectionShares(role, budget)).flatMap((share: ConnectionShare) =>
        Object.values(share),
      );
      expect(counts.reduce((sum, count) => sum + count)).toBe(budget);
    }
  });

  test('are distributed by what the process does', () => {
    expect(connectionShares('serve', 20)).toMatchObject({ production: { executions: 0, webhooks: 0 } });
    const { production, sandbox } = connectionShares('all', 20);
    for (const purpose of ['requests', 'executions', 'webhooks', 'jobs'] as const)
      expect(production[purpose]).toBeGreaterThanOrEqual(sandbox[purpose]);
  });
});

describe('a starting platform waits for the database', () => {
  test('until it accepts connections', async () => {
    const cloned = await cloneDatabase();
    const { host = '', port } = parse(cloned.connectionString);
    let refused = 0;
    // As a database that starts: it closes the first connections.
    const proxy = createServer((socket) => {
      socket.on('error', () => {});
      if (refused++ < 3) return socket.destroy();
      const target = connect(`${host}/.s.PGSQL.${port || 5432}`).on('error', () => socket.destroy());
      socket.pipe(target).pipe(socket);
    });
    const url = new URL(cloned.connectionString);
    url.hostname = '127.0.0.1';
    url.port = String(await listening(proxy));
    url.search = '';
    await awaitDatabase(url.href, () => {});
    expect(refused).toBe(4);
  });

  test('and gives up after the timeout with one line, without the password', async () => {
    const sockets = new Set<Socket>();
    // It accepts connections and closes them, as PostgreSQL does while it starts behind a proxy.
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.destroy();
    });
    const port = await listening(server);
    const lines: string[] = [];
    const waiting = awaitDatabase(
      `postgres://ada:secret@127.0.0.1:${port}/wrp`,
      (line) => lines.push(line),
      2_600,
    );
    const error = await waiting.catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(DatabaseConnectionError);
    expect((error as Error).message).toMatch(
      /^The database 127\.0\.0\.1:\d+\/wrp cannot be reached within 3 s: .+\. Check DATABASE_URL\.$/,
    );
    expect(sockets.size).toBeGreaterThan(3);
    expect(lines).toEqual([
      expect.stringMatching(/^waiting for the database 127\.0\.0\.1:\d+\/wrp: .+ \(2 s\)$/),
    ]);
    expect([...lines, (error as Error).message].join()).not.toContain('secret');
  });

  test('while it is read-only, such as a standby', async () => {
    const cloned = await cloneDatabase();
    const { database = '' } = parse(cloned.connectionString);
    const readOnly = `alter database ${database} set default_transaction_read_only = on`;
    await administer(inject('postgres'), readOnly);
    const waiting = awaitDatabase(cloned.connectionString, () => {}, 600);
    await expect(waiting).rejects.toThrow(/cannot be reached within 1 s: it is read-only/);
  });

  test.each([
    ['#', 'postgres://ada:sec#ret@127.0.0.1/wrp', /^DATABASE_URL cannot be used: it is no valid URL; /],
    ['no certificate', 'postgres://ada:sec@127.0.0.1/wrp?sslrootcert=/none.pem', /no such file.*none\.pem/],
  ])('but not with a URL that cannot be read: %s', async (_what, url, message) => {
    const error = await awaitDatabase(url, () => {}).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(DatabaseConnectionError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toMatch(/sec|ret@|\n/);
  });

  test('but not if waiting cannot help', async () => {
    const missing = new URL((await cloneDatabase()).connectionString);
    missing.pathname = 'missing';
    await expect(awaitDatabase(missing.href, () => {})).rejects.toThrow(/does not exist\.$/);
  });
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

test('a connection whose server has vanished is closed, and the next one leads to the new server', async () => {
  const { connectionString } = await cloneDatabase();
  const { host = '', port } = parse(connectionString);
  const vanished = new Set<Socket>();
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const target = connect(`${host}/.s.PGSQL.${port || 5432}`);
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('data', (data) => vanished.has(socket) || to.write(data));
    }
  });
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String(await listening(proxy));
  url.search = '';
  const options = { connection: url.href, schema: 'production', poolSize: 1, statementTimeout: 500 };
  const database = openDatabase(options);
  onTestFinished(async () => {
    await database.destroy();
    for (const socket of sockets) socket.destroy();
  });
  const one = () => sql`select 1 as one`.execute(database);
  await one();
  for (const socket of sockets) vanished.add(socket);
  const failed = await one().catch((error) => error);
  expect(isUnavailable(failed)).toBe(true);
  expect((await one()).rows).toEqual([{ one: 1 }]);
});
