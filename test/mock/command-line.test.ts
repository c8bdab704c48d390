import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readMockOptions } from '../../scripts/mock/command-line.ts';
import { savedText } from '../../scripts/mock/messages.ts';
import { durationOf } from '../../scripts/mock/stateful/clock.ts';
import { type Saved, watchContract } from '../../scripts/mock/watch-contract.ts';
import { hangBound } from '../support/hang-bound.ts';
import { until } from '../support/waiting.ts';

type Run = { child: ChildProcess; out(): string; error(): string; ended: Promise<number | null> };

function run(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, ['scripts/mock/main.ts', ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const text = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.error += chunk;
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, out: () => text.out, error: () => text.error, ended };
}

describe('npm run mock', () => {
  test(
    'with --stateful answers, and leaves nothing behind when Ctrl-C ends it',
    async () => {
      const temporary = await mkdtemp(join(tmpdir(), 'mock-cli-'));
      // Run by root, PostgreSQL is another user, who must find its way.
      await chmod(temporary, 0o755);
      onTestFinished(() => rm(temporary, { recursive: true, force: true }));
      const { child, out, error, ended } = run(['--stateful', '--port', '0', '--json'], {
        TMPDIR: temporary,
      });
      await until(() => out().includes('\n') || error().includes('mock:'), { timeout: hangBound(100_000) });
      expect(out(), error()).toContain('\n');
      const { baseUrl, tokens } = JSON.parse(out().split('\n', 1).join());
      const answer = await fetch(`${baseUrl}/organizations/workspaces`, {
        headers: { Authorization: tokens.viewer },
      });
      expect(answer.status).toBe(200);
      expect((await readdir(temporary)).filter((name) => name.startsWith('wrp-mock-'))).toHaveLength(1);
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect((await readdir(temporary)).filter((name) => name.startsWith('wrp-'))).toEqual([]);
    },
    hangBound(120_000),
  );

  test('with a port in use says so in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { error, out, ended } = run([], { MOCK_PORT: String(port) });
    expect(await ended).toBe(1);
    expect(error()).toMatch(
      /^mock: port \d+ on 127\.0\.0\.1 is in use; choose another with --port or MOCK_PORT\.\n$/,
    );
    expect(out()).toBe('');
  });

  test.each([
    [['--port', 'x'], '"x" is not a port'],
    [['--webhook-url', 'http://x'], '--webhook-url needs --stateful'],
    [['--stateful', '--webhook-url', 'x'], '--webhook-url must be'],
    [['--state'], 'Unknown option'],
    [['extra'], 'Unexpected argument'],
  ])('does not take %j', (args, message) => {
    expect(() => readMockOptions(args, {})).toThrow(message);
  });

  test('takes its port from --port, else MOCK_PORT, else it is 4010', () => {
    const env = { MOCK_PORT: '4020' };
    expect(readMockOptions(['--port', '4030'], env).port).toBe(4030);
    expect(readMockOptions([], env).port).toBe(4020);
    expect(readMockOptions([], {}).port).toBe(4010);
  });
});

describe('a save under spec/', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mock-watch-'));
  await cp('spec', join(root, 'spec'), { recursive: true });
  await cp('redocly.yaml', join(root, 'redocly.yaml'));
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  const saved: Saved[] = [];
  const watching = await watchContract(pathToFileURL(`${root}/`), (one) => void saved.push(one));
  afterAll(async () => {
    watching.close();
    await rm(root, { recursive: true, force: true });
  });
  const file = join(root, 'spec/examples/users.yaml');
  const good = await readFile(file, 'utf8');
  /** Replaces the file in one step, as an editor does: half a file is never seen. */
  const save = async (text: string) => {
    await writeFile(`${root}/saved`, text);
    await rename(`${root}/saved`, file);
  };

  test('of a broken file that another one refers to is a finding with file and line, and no contract', async () => {
    await save(`${good}\nbroken: [`);
    const [outcome] = await until(() => saved.length > 0 && saved);
    const { findings } = outcome as { findings: string[] };
    expect(findings[0]).toMatch(/^spec\/examples\/users\.yaml:\d+:\d+ \S+ .+/);
    expect(savedText(findings, 900)).toContain('Keeping the last contract: 1 finding (900 ms).');
  });

  test('of a good one is the contract with what was saved', async () => {
    const before = saved.length;
    await save(good.replaceAll('Managing director', 'Chief executive'));
    const outcome = await until(() => saved[before]);
    const { contract } = outcome as { contract: object };
    expect(JSON.stringify(contract)).toContain('Chief executive');
    expect(savedText([], 900)).toContain('answering from the new one (900 ms)');
  });
});

test.each([
  ['PT1H', 3_600_000],
  ['P1DT2H30M', 95_400_000],
  ['P2W', 1_209_600_000],
  ['PT0.5S', 500],
  ['P1M', undefined],
  ['P', undefined],
  ['PT', undefined],
  ['1h', undefined],
])('the duration %s is %s milliseconds', (text, milliseconds) => {
  expect(durationOf(text)).toBe(milliseconds);
});
