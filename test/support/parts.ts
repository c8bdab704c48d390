import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { given } from './given.ts';
import { cloneDatabase } from './postgres.ts';
import { atEnd } from './temporary.ts';
import { scaledTimeout } from './timeout.ts';

const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');

/** A database with the world in it, and the settings of the processes that share it. */
export async function givenParts() {
  const cloned = await cloneDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'wrp-processes-'));
  atEnd(() => rm(directory, { recursive: true }));
  const ports = { production: await freePort(), sandbox: await freePort(), metrics: await freePort() };
  const shared = {
    PATH: process.env['PATH'],
    DATABASE_URL: cloned.connectionString,
    DATA_DIR: directory,
    SERVER_KEY: 'test'.repeat(11),
    PUBLIC_URL: `http://127.0.0.1:${ports.production}`,
    SANDBOX_PUBLIC_URL: `http://127.0.0.1:${ports.sandbox}`,
    LOG_LEVEL: 'error',
    PORT: `${ports.production}`,
    SANDBOX_PORT: `${ports.sandbox}`,
  };
  const database = openDatabase({ connection: cloned.connectionString, schema: 'production', poolSize: 2 });
  atEnd(() => database.destroy());
  const clock = { now: () => new Date(), forward: () => {} };
  const platform = await given(database, clock);
  return { cloned, directory, ports, shared, database, clock, given: platform, world: platform.world };
}

const readyLines = { serve: 'is ready', work: 'is working' };

/** Starts a part of the platform. Resolves when it prints that it is ready. */
export async function startPart(
  command: keyof typeof readyLines,
  env: NodeJS.ProcessEnv,
  node = process.execPath,
) {
  // In a process group of its own, with the program that it may launch.
  const child = spawn(node, [launcher, command], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${command} is not ready: ${output}`)),
      scaledTimeout(60_000),
    );
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
        if (!output.includes(readyLines[command])) return;
        clearTimeout(timer);
        resolve();
      });
    void exited.then((code) => reject(new Error(`${command} exited with ${code}: ${output}`)));
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  // If the test fails before it stops it.
  atEnd(() => void child.kill('SIGKILL'));
  return {
    output: () => output,
    stop: () => end('SIGTERM'),
    /** Stops the launcher and its program at once, as systemd does by default. */
    stopGroup() {
      process.kill(-(child.pid as number), 'SIGTERM');
      return exited;
    },
    kill: () => end('SIGKILL'),
  };
}
