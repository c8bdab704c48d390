import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { accountFor, findBinaries } from '../../../../server/embedded-postgres/index.ts';
import { freePort, host } from '../../../command-line/local-server.ts';
import { openClient } from '../stored.ts';

const run = promisify(execFile);
const settings = [
  'fsync=off',
  'wal_keep_size=1GB',
  'wal_retrieve_retry_interval=200ms',
  'max_connections=150',
];

const longestStart = 30_000;

/** A PostgreSQL server of the embedded binaries, which an installation connects to like to any other. */
export interface Cluster {
  port: number;
  /** Runs statements of the superuser, one after another, in the database `postgres` if no other is named. */
  administer(statements: readonly string[], database?: string): Promise<void>;
  /** Starts it again after `end`. */
  start(): Promise<void>;
  /** SIGINT: ends connections and shuts down. SIGKILL, SIGQUIT: it has to recover. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** A streaming copy, which every commit waits for from now on. */
  addStandby(directory: string): Promise<Cluster>;
}

/**
 * Creates a server with the role and database `wrp`.
 *
 * @param directory is created; its parent becomes accessible
 * @param programs the directory of PostgreSQL's programs; empty: those of the embedded PostgreSQL
 */
export async function openCluster(directory: string, programs: string): Promise<Cluster> {
  const { account } = accountFor(directory, undefined);
  const { initdb, postgres } = programs
    ? { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') }
    : await findBinaries(account);
  await chmod(dirname(directory), 0o711);
  await mkdir(directory);
  if (account) await run('chown', [`${account.uid}:${account.gid}`, directory]);
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(initdb, [`--pgdata=${directory}`, ...options], { ...account, cwd: '/' });
  const cluster = await startCluster(directory, postgres);
  await cluster.administer(['create role wrp login', 'create database wrp owner wrp']);
  return cluster;
}

async function startCluster(directory: string, postgres: string): Promise<Cluster> {
  const { account } = accountFor(directory, undefined);
  const port = await freePort();
  const open = (database = 'postgres') => openClient(`postgres://postgres@${host}:${port}/${database}`);
  let server: ChildProcess;
  const listening = [`listen_addresses=${host}`, `port=${port}`, 'unix_socket_directories='];
  const options = [...settings, ...listening].flatMap((setting) => ['-c', setting]);
  /** @returns why it has ended; undefined: it accepts connections */
  const tryStart = async (): Promise<string | undefined> => {
    server = spawn(postgres, ['-D', directory, ...options], {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-2_000);
    });
    const failed = once(server, 'exit').then(() => log || 'without a reason');
    const accepted = open().then((client) => client.end());
    accepted.catch(() => {});
    return await Promise.race([accepted.then(() => undefined), failed]);
  };
  const start = async () => {
    const since = performance.now();
    for (;;) {
      const problem = await tryStart();
      if (problem === undefined) return;
      // Processes of one that was killed may still use its memory.
      if (!/shared memory|lock file/.test(problem) || performance.now() - since > longestStart)
        throw new Error(`PostgreSQL has ended: ${problem}`);
      await sleep(200);
    }
  };
  await start();
  const administer: Cluster['administer'] = async (statements, database) => {
    const client = await open(database);
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    port,
    administer,
    start,
    async end(signal) {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    },
    async addStandby(copy) {
      const client = await open();
      await client.query("select pg_backup_start('standby', fast => true)");
      await run('cp', ['-a', directory, copy]);
      const { rows } = await client.query('select labelfile from pg_backup_stop()');
      await client.end();
      await rm(join(copy, 'postmaster.pid'));
      await writeFile(join(copy, 'backup_label'), rows[0].labelfile);
      await writeFile(join(copy, 'standby.signal'), '');
      await writeFile(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=${host} port=${port} user=postgres'\n`,
      );
      const { uid, gid } = await stat(copy);
      await run('chown', ['-R', `${uid}:${gid}`, copy]);
      const standby = await startCluster(copy, postgres);
      // Only now: the copy would wait for a standby of its own.
      await administer(["alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()']);
      return standby;
    },
  };
}
