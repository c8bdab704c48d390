import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
  usePostgres,
} from '../../server/embedded-postgres/server.ts';
import { PostgresStartError } from '../../server/embedded-postgres/start-error.ts';

const isRoot = process.getuid?.() === 0;
let dataDirectory: string;
let servers: PostgresServer[];
let platforms: ChildProcess[];

/** Creating a database takes a second of CPU time: most tests copy this one. */
let made: string;
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'wrp-test-'));
  await (await startPostgres({ dataDirectory: made, fsync: false })).stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** Keeps its owner, who is not root. */
function copyDatabase(): void {
  if (!existsSync(join(dataDirectory, 'postgres')))
    execFileSync('cp', ['-a', join(made, 'postgres'), dataDirectory]);
}

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'wrp-test-'));
  servers = [];
  platforms = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  for (const platform of platforms) platform.kill('SIGKILL');
  await expect.poll(() => serverPid(dataDirectory) === undefined).toBe(true);
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function start(directory = dataDirectory): Promise<PostgresServer> {
  if (directory === dataDirectory) copyDatabase();
  const server = await startPostgres({ dataDirectory: directory, fsync: false });
  servers.push(server);
  return server;
}

async function query<Row extends object>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const refusal = (directory: string) =>
  startPostgres({ dataDirectory: directory }).then(
    async (server) => {
      await server.stop();
      throw new Error('started');
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(PostgresStartError);
      return error as PostgresStartError;
    },
  );

/** The platform in a process of its own, and the first word that it prints. */
async function platform(identity: { uid?: number; gid?: number } = {}) {
  const program = fileURLToPath(new URL('platform-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  });
  platforms.push(child);
  const state = { word: '', rest: '', written: 0, child };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const [word = '', ...rest] = line.split(' ');
    if (word === 'written') state.written = Number(rest[0]);
    else Object.assign(state, { word, rest: rest.join(' ') });
  });
  // It prints a word or ends, however long that takes.
  await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  expect(state.word).not.toBe('');
  return state;
}

/** The process id of the server that runs on the directory. */
function serverPid(directory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    return runs(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function runs(pid: number): boolean {
  try {
    return parentOf(pid) !== undefined;
  } catch {
    return false;
  }
}

/** From /proc; a zombie has no parent here. */
function parentOf(pid: number): number | undefined {
  const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return state === 'Z' ? undefined : Number(parent);
}

const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .map(Number)
    .filter((child) => runs(child) && parentOf(child) === pid);

describe('startPostgres', () => {
  test('creates a database, and finds it again', async () => {
    const first = await startPostgres({ dataDirectory, fsync: false });
    servers.push(first);
    await query(first.connectionString, 'create table kept as select 1 as number');
    await first.stop();
    expect(existsSync(new URL(first.connectionString).searchParams.get('host') ?? '')).toBe(false);
    const second = await start();
    expect(await query(second.connectionString, 'select number from kept')).toEqual([{ number: 1 }]);
    expect(readdirSync(dataDirectory).sort()).toEqual(['postgres', 'postgres.lock', 'postgres.owner']);
  });

  test('gives the platform a role that is not a superuser, and UTF-8', async () => {
    const server = await start();
    expect(
      await query(
        server.connectionString,
        `select rolsuper, lower('ÉΣ') as lower, current_setting('server_encoding') as encoding,
          current_setting('listen_addresses') as addresses from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ rolsuper: false, lower: 'éσ', encoding: 'UTF8', addresses: '' }]);
  });

  test.runIf(isRoot)('refuses other users, even the one that the server runs as', async () => {
    const server = await start();
    process.seteuid?.(statSync(join(dataDirectory, 'postgres')).uid);
    try {
      await expect(query(server.connectionString, 'select 1')).rejects.toThrow(/Peer authentication failed/);
    } finally {
      process.seteuid?.(0);
    }
  });

  test.runIf(isRoot)('works under a closed directory, even for data of root', async () => {
    const closed = join(dataDirectory, 'closed');
    mkdirSync(join(closed, 'data'), { recursive: true, mode: 0o700 });
    const server = await start(join(closed, 'data'));
    await query(server.connectionString, 'create table kept as select 1 as number');
    await query(server.administratorConnectionString, 'vacuum');
    await query(server.administratorConnectionString, 'checkpoint');
    await server.stop();
    const cluster = join(closed, 'data', 'postgres');
    for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
      chownSync(join(cluster, name), 0, 0);
    chownSync(cluster, 0, 0);
    const again = await start(join(closed, 'data'));
    expect(await query(again.connectionString, 'select number from kept')).toEqual([{ number: 1 }]);
    expect(statSync(cluster).uid).not.toBe(0);
    await again.stop();
  });

  test('accepts a long path', async () => {
    const long = join(dataDirectory, 'long '.repeat(40), "it's".repeat(40));
    const server = await start(long);
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('refuses a directory that is in use, naming it and the process', async () => {
    const { child } = await platform();
    const { failure, message } = await refusal(dataDirectory);
    expect({ failure, message }).toEqual({
      failure: 'in_use',
      message: `The data directory ${dataDirectory} is in use by process ${child.pid}: stop it first, or choose another directory.`,
    });
  });

  test('lets exactly one of several concurrent starts win', async () => {
    const words = (await Promise.all([platform(), platform(), platform()])).map(({ word }) => word);
    expect(words.sort()).toEqual(['ready', 'refused', 'refused']);
  });

  test('keeps every acknowledged write when the platform is killed, and leaves no server behind', async () => {
    for (let round = 1; round <= 4; round += 1) {
      const killed = await platform();
      const before = killed.written;
      await expect.poll(() => killed.written, { interval: 5 }).toBeGreaterThan(before + 20 * round);
      const server = serverPid(dataDirectory) ?? 0;
      killed.child.kill('SIGKILL');
      await once(killed.child, 'close');
      // Half of the rounds happen during a shutdown of the server.
      if (round % 2 === 0) await expect.poll(() => runs(server)).toBe(false);
      const restarted = await startPostgres({ dataDirectory });
      const rows = await query<{ last: number; count: number }>(
        restarted.connectionString,
        'select max(number) as last, count(*)::int as count from written',
      );
      await restarted.stop();
      expect(rows[0]?.last).toBeGreaterThanOrEqual(killed.written);
      expect(rows[0]?.count).toBe(rows[0]?.last);
      expect(runs(server)).toBe(false);
    }
  });

  test('takes over from a server whose platform and supervisor were killed', async () => {
    const killed = await platform();
    await expect.poll(() => killed.written).toBeGreaterThan(20);
    const server = serverPid(dataDirectory) as number;
    const supervisor = parentOf(server) as number;
    // Stopped first, so that neither reacts to the end of the other process.
    for (const pid of [killed.child.pid as number, supervisor]) process.kill(pid, 'SIGSTOP');
    for (const pid of childrenOf(supervisor)) if (pid !== server) process.kill(pid, 'SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    expect(runs(server), 'the server is an orphan now').toBe(true);
    const restarted = await start();
    expect(runs(server)).toBe(false);
    const rows = await query<{ last: number }>(
      restarted.connectionString,
      'select max(number) as last from written',
    );
    expect(rows[0]?.last).toBeGreaterThanOrEqual(killed.written);
  });

  test('restarts a killed server or supervisor at the same address', async () => {
    const { connectionString } = await start();
    const victims = [
      { signal: 'SIGKILL', of: (server: number) => server },
      { signal: 'SIGQUIT', of: (server: number) => server },
      { signal: 'SIGKILL', of: (server: number) => parentOf(server) ?? 0 },
    ] as const;
    for (const { signal, of } of victims) {
      const server = serverPid(dataDirectory) ?? 0;
      process.kill(of(server), signal);
      const responses = () => query(connectionString, 'select 1 as one').catch(() => []);
      await expect.poll(() => serverPid(dataDirectory) ?? server).not.toBe(server);
      await expect.poll(responses).toEqual([{ one: 1 }]);
    }
  });

  test('does not mistake another process for the server of a stale pid file', async () => {
    await (await start()).stop();
    const cluster = join(dataDirectory, 'postgres');
    const { uid, gid } = statSync(cluster);
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    const lines = [other.pid, '/proc/self/fd/3', 1_700_000_000, 5432, '/tmp/gone', '', '  1  1', 'ready   '];
    writeFileSync(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`, { mode: 0o600 });
    chownSync(join(cluster, 'postmaster.pid'), uid, gid);
    const server = await start();
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(other.exitCode).toBeNull();
    other.kill();
  });

  test('refuses data of another major version', async () => {
    mkdirSync(join(dataDirectory, 'postgres'));
    writeFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), '14\n');
    const { failure, message } = await refusal(dataDirectory);
    expect(failure).toBe('version');
    expect(message).toMatch(
      /^\S+postgres contains data of PostgreSQL 14, but this release uses PostgreSQL \d+: dump /,
    );
  });

  test('refuses a directory that it cannot create', async () => {
    writeFileSync(join(dataDirectory, 'file'), '');
    const underFile = await refusal(join(dataDirectory, 'file', 'data'));
    expect(underFile.message).toBe(
      `The data directory ${dataDirectory}/file/data cannot be used: not a directory.`,
    );
    mkdirSync(join(dataDirectory, 'postgres'));
    writeFileSync(join(dataDirectory, 'postgres', 'letter.txt'), '');
    const foreign = await refusal(dataDirectory);
    expect(foreign.message).toMatch(/contains files but no PostgreSQL data/);
  });

  test.runIf(isRoot)('refuses a directory that it cannot write', async () => {
    chmodSync(dataDirectory, 0o755);
    const { word, rest } = await platform({ uid: 65534, gid: 65534 });
    expect(word).toBe('refused');
    expect(rest).toMatch(/^The data directory \S+ cannot be used: /);
  });

  test.runIf(isRoot)('refuses a user without a name', async () => {
    chownSync(dataDirectory, 12345, 12345);
    const { rest } = await platform({ uid: 12345, gid: 12345 });
    expect(rest).toMatch(/^PostgreSQL does not run for user id 12345, which has no name: /);
  });

  test.runIf(isRoot)('refuses data of another user', async () => {
    await (await start()).stop();
    const { uid, gid } = statSync(join(dataDirectory, 'postgres'));
    for (const name of ['', 'postgres.lock', 'postgres.owner'])
      chownSync(join(dataDirectory, name), uid, gid);
    chownSync(join(dataDirectory, 'postgres'), 12345, 12345);
    const { rest } = await platform({ uid, gid });
    expect(rest).toMatch(
      /postgres belongs to user id \d+: start as that user or as root, or change its owner to user id \d+ with chown -R/,
    );
  });
});

describe('findPostgres', () => {
  test('finds nothing if no process has the directory open', async () => {
    expect(await findPostgres({ dataDirectory })).toBeUndefined();
    await (await start()).stop();
    expect(await findPostgres({ dataDirectory })).toBeUndefined();
  });

  test("finds another process's server, and does not stop it", async () => {
    const { rest } = await platform();
    const found = await usePostgres({ dataDirectory });
    expect(found.connectionString).toBe(rest);
    await found.stop();
    expect(await query(found.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('ignores the files of a killed process', async () => {
    const { child } = await platform();
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await findPostgres({ dataDirectory })).toBeUndefined();
  });
});
