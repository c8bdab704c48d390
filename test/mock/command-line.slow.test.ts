import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import type { MockOptions } from '../../scripts/mock/listener.ts';
import { mockCommand } from '../../scripts/mock/main.ts';
import { savedText } from '../../scripts/mock/messages.ts';
import { durationOf } from '../../scripts/mock/stateful/clock.ts';
import { type Saved, watchContract } from '../../scripts/mock/watch-contract.ts';
import { send } from '../support/local-servers.ts';
import { scaledTimeout } from '../support/timeout.ts';
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
    'with --stateful serves requests, and leaves no files when Ctrl-C ends it',
    async () => {
      const temporary = await mkdtemp(join(tmpdir(), 'mock-cli-'));
      // If root runs the test, PostgreSQL runs as another user, who needs access.
      await chmod(temporary, 0o755);
      onTestFinished(() => rm(temporary, { recursive: true, force: true }));
      const port = await freePort();
      const { child, out, error, ended } = run(['--stateful', '--port', String(port), '--json'], {
        TMPDIR: temporary,
        PUBLIC_URL: 'https://mock.example',
      });
      await until(() => out().includes('\n') || error().includes('mock:'), {
        timeout: scaledTimeout(100_000),
      });
      expect(out(), error()).toContain('\n');
      const { baseUrl, tokens } = JSON.parse(out().split('\n', 1).join());
      expect(baseUrl).toBe('https://mock.example');
      const statusAt = async (Host: string) => {
        const headers = { Host, Origin: baseUrl, Authorization: tokens.viewer };
        const sent = { path: '/organizations/workspaces', headers };
        return (await send(`http://127.0.0.1:${port}`, sent)).status;
      };
      expect([await statusAt('mock.example'), await statusAt('other.example')]).toEqual([200, 403]);
      // Printed by another process than the one that responds.
      await until(() => error().includes('--allow-host other.example'));
      expect((await readdir(temporary)).filter((name) => name.startsWith('wrp-mock-'))).toHaveLength(1);
      child.kill('SIGINT');
      expect(await ended).toBe(0);
      expect((await readdir(temporary)).filter((name) => name.startsWith('wrp-'))).toEqual([]);
    },
    scaledTimeout(120_000),
  );

  test(
    'ends at once, and leaves no files, when Ctrl-C interrupts its start',
    async () => {
      const temporary = await mkdtemp(join(tmpdir(), 'mock-cli-'));
      await chmod(temporary, 0o755);
      onTestFinished(() => rm(temporary, { recursive: true, force: true }));
      const { child, out, error, ended } = run(['--stateful', '--port', '0'], { TMPDIR: temporary });
      const left = async () => (await readdir(temporary)).filter((name) => name.startsWith('wrp-'));
      await until(() => error().includes('filling the database'), { timeout: scaledTimeout(60_000) });
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      expect([out(), error()]).toEqual(['', expect.not.stringContaining('mock:')]);
      // The shell that PostgreSQL runs under shuts it down.
      await until(async () => (await left()).length === 0, { timeout: scaledTimeout(10_000) });
    },
    scaledTimeout(90_000),
  );

  test('reports a port in use in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { error, out, ended } = run([], { MOCK_PORT: String(port) });
    expect(await ended).toBe(1);
    expect(error()).toMatch(/^mock: Port \d+ is in use\. Set --port or MOCK_PORT to a free one\.\n$/);
    expect(out()).toBe('');
  });

  /** Parses a command line. Commander prints its errors. */
  async function read(...args: string[]): Promise<MockOptions | undefined> {
    let options: MockOptions | undefined;
    const cli = mockCommand(async (parsed) => {
      options = parsed;
    }).configureOutput({ writeErr() {} });
    await cli.parseAsync(args, { from: 'user' });
    return options;
  }

  test.each([
    [['--port', 'x'], 'A port is a number'],
    [['--webhook-url', 'http://x'], '--webhook-url needs --stateful'],
    [['--stateful', '--webhook-url', 'x'], 'It takes an http or https URL'],
    [['--allow-target', 'http://localhost:3000'], '--allow-target needs --stateful'],
    [['--stateful', '--allow-target', 'localhost:3000'], 'It takes an origin such as http://localhost:3000'],
    [['--stateful', '--allow-target', 'capacitor://localhost'], 'It takes an origin'],
    [['--allow-host', 'mock:4010'], 'It takes a host name without a port'],
    [['--allow-host', 'http://mock'], 'It takes a host name without a port'],
    [['--allow-origin', 'app.example'], 'It takes an origin such as https://app.example'],
    [['--allow-origin', 'null'], 'It takes an origin'],
    [['--allow-origin', '*'], 'It takes an origin'],
    [['--state'], 'unknown option'],
    [['extra'], 'too many arguments'],
  ])('rejects %j', async (args, message) => {
    await expect(read(...args)).rejects.toThrow(message);
  });

  test('takes names and origins as browsers send them, as often as they are given', async () => {
    expect(
      await read(
        '--allow-host',
        'Mock',
        '--allow-host',
        '[::1]',
        '--allow-host',
        'münchen.example.',
        '--allow-origin',
        'https://App.example:443/',
        '--allow-origin',
        'Capacitor://localhost',
        '--stateful',
        '--allow-target',
        'http://LOCALHOST:3000',
      ),
    ).toMatchObject({
      allowHost: ['mock', '[::1]', 'xn--mnchen-3ya.example'],
      allowOrigin: ['https://app.example', 'capacitor://localhost'],
      allowTarget: ['http://localhost:3000'],
    });
  });

  test('takes its port from --port, then MOCK_PORT; default: 4010', async () => {
    vi.stubEnv('MOCK_PORT', '4020');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await read('--port', '4030')).toMatchObject({ port: 4030 });
    expect(await read()).toMatchObject({ port: 4020 });
    vi.stubEnv('MOCK_PORT', '');
    expect(await read()).toMatchObject({ port: 4010, stateful: false, host: '127.0.0.1' });
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
  /** Replaces the file atomically, as editors do. */
  const save = async (text: string) => {
    await writeFile(`${root}/saved`, text);
    await rename(`${root}/saved`, file);
  };

  test('of a referenced file that is broken reports file and line', async () => {
    await save(`${good}\nbroken: [`);
    const [outcome] = await until(() => saved.length > 0 && saved);
    const { findings } = outcome as { findings: string[] };
    expect(findings[0]).toMatch(/^spec\/examples\/users\.yaml:\d+:\d+ \S+ .+/);
    expect(savedText(findings, 900)).toContain('Keeping the last contract: 1 finding (900 ms).');
  });

  test('of a valid file provides the new contract', async () => {
    const before = saved.length;
    await save(good.replaceAll('Managing director', 'Chief executive'));
    const outcome = await until(() => saved[before]);
    const { contract } = outcome as { contract: object };
    expect(JSON.stringify(contract)).toContain('Chief executive');
    expect(savedText([], 900)).toContain('serving the new one (900 ms)');
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
])('durationOf reads %s as %s milliseconds', (text, milliseconds) => {
  expect(durationOf(text)).toBe(milliseconds);
});
