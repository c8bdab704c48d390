import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPackedClient } from '../../scripts/client/package.ts';
import { launchBrowser } from '../support/browser.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { browserBundle } from './bundle-size.ts';
import { platform } from './journeys/platform.ts';
import { instantiationLimit, typeCosts } from './type-costs.ts';

const run = promisify(execFile);
let application = '';
let packed: string[] = [];

beforeAll(async () => {
  application = await mkdtemp(join(tmpdir(), 'wrp-application-'));
  packed = await installPackedClient(application);
  await cp(join(import.meta.dirname, 'journeys/installed'), application, { recursive: true });
});
afterAll(() => rm(application, { recursive: true, force: true }));

describe('the packed client', () => {
  test('contains JavaScript with declarations, README and license, and no TypeScript', () => {
    expect(packed).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'generated/types.d.ts']),
    );
    expect(packed.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    for (const name of packed.filter((file) => file.endsWith('.js')))
      expect(packed, `${name} is declared`).toContain(name.replace(/\.js$/, '.d.ts'));
  });

  test('depends only on openapi-fetch and references only its own files', async () => {
    const installed = join(application, 'node_modules/@wrp/client');
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
    const named = JSON.stringify([manifest.exports, manifest.imports]).matchAll(/"\.\/([^"]+\.[a-z.]+)"/g);
    for (const [, file] of named) expect(packed).toContain(file);
    for (const name of packed.filter((file) => /\.(js|d\.ts)$/.test(file))) {
      const text = await readFile(join(installed, name), 'utf8');
      const imports = [...text.matchAll(/from ['"]([^'".][^'"]*)['"]/g)].map(([, from = '']) => from);
      for (const from of imports)
        expect(from, name).toMatch(peerOf(name) ?? /^(openapi-fetch|#files|#environment|node:.+)$/);
      expect(text, name).not.toMatch(/from ['"]\.[^'"]*\.ts['"]/);
    }
  });

  test.each([
    ['wrp-mcp', []],
    ['wrp-listen', ['--to', 'http://127.0.0.1:9/']],
  ])(
    'ends %s when the npx that started it ends, although its input stays open',
    async (program, args) => {
      const installed = join(application, 'node_modules/@wrp/client');
      const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
      const link = join(application, 'node_modules/.bin', program);
      await mkdir(dirname(link), { recursive: true });
      await chmod(join(installed, bin[program]), 0o755);
      await symlink(join(installed, bin[program]), link);
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const input = spawn('sleep', ['60']);
      const path = (process.env['PATH'] ?? '')
        .split(delimiter)
        .filter((one) => !one.includes('node_modules'));
      const npx = { PATH: path.join(delimiter), npm_config_update_notifier: 'false' };
      const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      const child = spawn('npx', ['--no', '--', program, ...args], {
        ...{ cwd: application, stdio: [input.stdout, 'ignore', 'ignore'] },
        env: { ...process.env, ...npx, WRP_BASE_URL: baseUrl, WRP_TOKEN: 'tot_any' },
      });
      onTestFinished(() => {
        child.kill('SIGKILL');
        input.kill();
        silent.close();
      });
      const isRunning = async () => (await run('ps', ['-eo', 'args='])).stdout.includes(`node ${link}`);
      await until(isRunning, { timeout: scaledTimeout(20_000) });
      await setTimeout(1000);
      expect(await isRunning()).toBe(true);
      child.kill('SIGTERM');
      await until(async () => !(await isRunning()), { timeout: scaledTimeout(10_000) });
    },
    scaledTimeout(40_000),
  );

  test('has the programs that it names', async () => {
    const installed = join(application, 'node_modules/@wrp/client');
    const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(bin).sort()).toEqual(['wrp-listen', 'wrp-mcp']);
    const { stdout } = await run(process.execPath, [join(installed, bin['wrp-listen']), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const file of Object.values(bin) as string[])
      expect(await readFile(join(installed, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  describe('has types', () => {
    let file = '';
    beforeAll(async () => {
      file = join(application, 'typed.ts');
      await writeFile(file, typed);
    });
    const messages = (options: ts.CompilerOptions) =>
      ts
        .getPreEmitDiagnostics(ts.createProgram([file], options))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));

    test('in a browser project', () => {
      expect(messages(readersOptions)).toEqual([]);
    });

    test('in a Node project without skipLibCheck', () => {
      const inNode = { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots: ['node_modules/@types'] };
      expect(messages({ ...readersOptions, ...inNode, skipLibCheck: false })).toEqual([]);
    });

    test('and code for the schemas, with Valibot installed', async () => {
      await symlink(join(process.cwd(), 'node_modules/valibot'), join(application, 'node_modules/valibot'));
      await writeFile(file, typedSchemas);
      expect(messages({ ...readersOptions, skipLibCheck: true })).toEqual([]);
      const program = join(application, 'schemas.mjs');
      const check = "is(requests.updateUserProfile, { title: 'Adjuster' }), is(responses.getUser, {})";
      const imports =
        "import { requests, responses } from '@wrp/client/schemas'; import { is } from 'valibot';";
      await writeFile(program, `${imports} console.log(${check});`);
      expect((await run(process.execPath, [program])).stdout).toBe('true false\n');
    });

    test('with bundler module resolution', () => {
      const moduleResolution = ts.ModuleResolutionKind.Bundler;
      const foundByBundler = (name: string, from: string) =>
        ts.resolveModuleName(name, from, { ...readersOptions, moduleResolution }, ts.sys).resolvedModule;
      const main = foundByBundler('@wrp/client', file)?.resolvedFileName ?? '';
      expect(main).toMatch(/index\.d\.ts$/);
      expect(foundByBundler('@wrp/client/testing', file)?.resolvedFileName).toMatch(/testing\.d\.ts$/);
      expect(foundByBundler('#files', main)?.resolvedFileName).toMatch(/web\/files\.d\.ts$/);
    });
  });
});

/** The optional peer that a module of an optional entry imports. */
function peerOf(name: string): RegExp | undefined {
  if (name.startsWith('msw')) return /^msw$/;
  return /-schemas\./.test(name) ? /^valibot$/ : undefined;
}

/** A missing type would become `any`, and the expected errors would not occur. */
const typed = `
  import { createClient, eachUser, fromPath, unwrap, waitForResult } from '@wrp/client';
  import { operations } from '@wrp/client/operations';
  import { webhookSigner } from '@wrp/client/testing';
  const client = createClient({ baseUrl: '' });
  const page = await unwrap(client.GET('/organizations/users'));
  export const status: 'ACTIVE' | 'TERMINATED' | undefined = page.content[0]?.profile.status;
  // @ts-expect-error
  client.GET('/organizations/teams');
  // @ts-expect-error
  page.content[0]?.profile.salary;
  export const email: string = (await operations(client).users.get('')).email;
  // @ts-expect-error
  operations(client).users.promote('');
  // @ts-expect-error
  fromPath(1);
  // @ts-expect-error
  (await webhookSigner()).forge();
  export const used = [eachUser(client), waitForResult(client, '')];`;

const typedSchemas = `
  import { responses } from '@wrp/client/schemas';
  import { parse } from 'valibot';
  export const name: string = parse(responses.getUser, {}).profile.firstName;
  // @ts-expect-error
  responses.getTeam;`;

const readersOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipDefaultLibCheck: true,
  noEmit: true,
};

describe('the journey through the packed client', async () => {
  const { baseUrl, given, world } = platform;
  const { key, secret } = await given.apiKey({ user: world.owner, homeWorkspace: world.workspace });
  const variables = {
    WRP_BASE_URL: baseUrl,
    WRP_TOKEN: world.owner.token,
    WRP_API_KEY: key,
    WRP_API_SECRET: secret,
    TABLE_ID: world.table.id,
    RECORD_ID: world.record.id,
    DEFINITION_ID: world.workflowDefinition.id,
  };

  test('runs in Node', async () => {
    const program = join(application, 'on-a-machine.mjs');
    const { stdout, stderr } = await run(process.execPath, [program], {
      env: { ...variables, TMPDIR: application },
      timeout: scaledTimeout(50_000),
    });
    const { actual, expected } = JSON.parse(stdout);
    expect(actual).toEqual(expected);
    // No warnings about experimental features.
    expect(stderr).toBe('');
    expect((await readdir(application)).filter((name) => name.startsWith('wrp-journey-'))).toEqual([]);
  });

  test('runs in a browser from one bundle', async () => {
    const entry = `import { journey, expected } from './journey.mjs';
      import { fromPath, saveTo } from '@wrp/client';
      const message = async (promise) => promise.catch((error) => error.message);
      globalThis.run = async (variables) => ({ actual: await journey(variables), expected });
      globalThis.paths = () => Promise.all([message(fromPath('a')), message(saveTo('a', {}))]);`;
    const code = await browserBundle(entry, join(application, 'entry.js'));
    const pages = createServer(({ url }, response) => {
      const script = url === '/page.js';
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
      response.end(
        script ? code : '<!doctype html><title>Journey</title><script type="module" src="/page.js"></script>',
      );
    });
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
      await page.waitForFunction('globalThis.run');
      const { actual, expected } = (await page.evaluate(`run(${JSON.stringify(variables)})`)) as Record<
        string,
        unknown
      >;
      expect(actual).toEqual(expected);
      expect(await page.evaluate('paths()')).toEqual([
        'fromPath() needs a file system. Upload a File or a Blob.',
        'saveTo() needs a file system. Read the stream of the download.',
      ]);
    } finally {
      await browser.close();
      pages.close();
    }
  });
});

test('the types of the packed client cost an application at most 10,000 instantiations in ten calls', async () => {
  const [none, byPath, named] = await typeCosts(application);
  expect(none?.instantiations).toBe(0);
  for (const calls of [byPath, named]) {
    expect(calls?.instantiations).toBeGreaterThan(0);
    expect(calls?.instantiations).toBeLessThanOrEqual(instantiationLimit);
  }
});
