import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../server/embedded-postgres/server.ts';

// Only root can run PostgreSQL as another user, and only Linux has /proc.
describe.runIf(process.getuid?.() === 0)('data of another account', () => {
  const idOf = (name: string) => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
  const ownersIn = (directory: string) => [
    ...new Set([
      statSync(directory).uid,
      ...readdirSync(directory, { recursive: true, encoding: 'utf8' }).flatMap(
        // A running server renames and deletes files meanwhile.
        (name) => lstatSync(join(directory, name), { throwIfNoEntry: false })?.uid ?? [],
      ),
    ]),
  ];
  /** Undefined if the process has ended meanwhile. */
  const parentOf = (pid: number) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    } catch {
      return undefined;
    }
  };
  let made: string;
  let home: string;
  let dataDirectory: string;
  let cluster: string;
  let server: PostgresServer | undefined;

  const start = async (runAs: string) => {
    server = await startPostgres({ dataDirectory, runAs, fsync: false });
    return server.connectionString;
  };
  const query = async (connectionString: string, text: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    made = mkdtempSync(join(tmpdir(), 'wrp-test-'));
    const first = await startPostgres({ dataDirectory: made, runAs: 'nobody', fsync: false });
    await query(first.connectionString, 'create table kept as select 1 as number');
    await first.stop();
    expect(ownersIn(join(made, 'postgres'))).toEqual([idOf('nobody')]);
  });
  afterAll(() => rmSync(made, { recursive: true, force: true }));
  beforeEach(() => {
    // Closed to everybody except root, like /root.
    home = mkdtempSync(join(tmpdir(), 'wrp-test-'));
    dataDirectory = join(home, 'data');
    cluster = join(dataDirectory, 'postgres');
    mkdirSync(dataDirectory);
    execFileSync('cp', ['-a', join(made, 'postgres'), dataDirectory]);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    rmSync(home, { recursive: true, force: true });
  });

  test('is given to RUN_AS, and kept', async () => {
    expect(await query(await start('daemon'), 'select number from kept')).toEqual([{ number: 1 }]);
    expect(ownersIn(cluster)).toEqual([idOf('daemon')]);
  });

  test('is completely given away after an interruption', async () => {
    chownSync(cluster, 0, 0);
    chownSync(join(cluster, 'base'), idOf('daemon'), 0);
    expect(await query(await start('daemon'), 'select number from kept')).toEqual([{ number: 1 }]);
    expect(ownersIn(cluster)).toEqual([idOf('daemon')]);
  });

  test('keeps the owner of targets of symbolic links', async () => {
    const outside = join(home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), '');
    symlinkSync(join(outside, 'file'), join(cluster, 'base', 'file'));
    symlinkSync(outside, join(cluster, 'base', 'directory'));
    await start('daemon');
    expect(ownersIn(outside)).toEqual([0]);
    expect(lstatSync(join(cluster, 'base', 'directory')).uid).toBe(idOf('daemon'));
  });

  test('is refused if a file has a hard link outside of it', async () => {
    const outside = join(home, 'outside');
    writeFileSync(outside, '');
    linkSync(outside, join(cluster, 'base', 'file'));
    await expect(start('daemon')).rejects.toThrow(
      `${cluster}/base/file has more than one hard link, so its owner is not changed: inspect it, then run chown -R yourself.`,
    );
    expect(statSync(outside).uid).toBe(0);
    unlinkSync(join(cluster, 'base', 'file'));
    await start('daemon');
  });

  test('is refused if it contains a pipe or a device', async () => {
    execFileSync('mkfifo', [join(cluster, 'base', 'pipe')]);
    await expect(start('daemon')).rejects.toThrow(`${cluster}/base/pipe is neither a file nor a directory,`);
  });

  test('is refused if it is a symbolic link of another user than root', async () => {
    execFileSync('mv', [cluster, join(home, 'elsewhere')]);
    symlinkSync(join(home, 'elsewhere'), cluster);
    execFileSync('chown', ['-h', 'daemon', cluster]);
    await expect(start('daemon')).rejects.toThrow(`${cluster} is a symbolic link, `);
    expect(ownersIn(join(home, 'elsewhere'))).toEqual([idOf('nobody')]);
    execFileSync('chown', ['-h', 'root', cluster]);
    await start('daemon');
  });

  test('is not changed if it is not a PostgreSQL directory', async () => {
    rmSync(join(cluster, 'PG_VERSION'));
    await expect(start('daemon')).rejects.toThrow(/contains files but no PostgreSQL data/);
    expect(ownersIn(cluster)).toEqual([idOf('nobody')]);
  });

  test.runIf(process.platform === 'linux')(
    'is taken from a server that still runs as that account',
    async () => {
      const program = fileURLToPath(new URL('platform-process.ts', import.meta.url));
      const platform = spawn(process.execPath, [program, dataDirectory, 'nobody'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(createInterface({ input: platform.stdout }), 'line');
      const postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const supervisor = parentOf(postmaster) as number;
      // Stopped first, so that neither reacts to the end of the other process.
      for (const pid of [platform.pid as number, supervisor]) process.kill(pid, 'SIGSTOP');
      const others = readdirSync('/proc')
        .map(Number)
        .filter((pid) => pid > 0 && pid !== postmaster);
      for (const pid of others.filter((pid) => parentOf(pid) === supervisor)) process.kill(pid, 'SIGKILL');
      process.kill(supervisor, 'SIGKILL');
      platform.kill('SIGKILL');
      await once(platform, 'close');
      expect(existsSync(`/proc/${postmaster}`), 'the server is an orphan now').toBe(true);
      expect(await query(await start('daemon'), 'select number from kept')).toEqual([{ number: 1 }]);
      expect(ownersIn(cluster)).toEqual([idOf('daemon')]);
    },
  );
});
