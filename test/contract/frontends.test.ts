/** The samples in the guide to frontends, run as they are shown. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../support/api.ts';
import { snippetsOfPage } from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';

const { baseUrl, world } = await api({ clock: 'running' });
const blocks = await snippetsOfPage('scripts/portal/pages/frontends.md');
// Where it finds the packages that it imports.
const directory = await mkdtemp(join(import.meta.dirname, '.frontend-'));
/** Imports the block with a text. @param more code after it */
async function imported(name: string, part: string, more = '') {
  const file = join(directory, `${name}.mts`);
  const block = blocks.find(({ language, code }) => language === 'ts' && code.includes(part));
  await writeFile(file, `${block?.code}${more}`);
  return { file, exports: await import(/* @vite-ignore */ pathToFileURL(file).href) };
}
const { app, sessions } = (await imported('server', 'platformProxy(')).exports;
sessions.set('owner', world.owner.token);
vi.stubEnv('WRP_BASE_URL', baseUrl);
const server = createServer(app);
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true, force: true });
});

const own = { Cookie: 'theme=dark; sid=owner; language=de', 'Sec-Fetch-Site': 'same-origin' };
const call = (path: string, headers: Record<string, string> = own, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api${path}`, { ...init, headers });

test.each([
  ['without a session', '/organizations/users', { 'Sec-Fetch-Site': 'same-origin' }, 401],
  ['of an unknown session', '/organizations/users', { ...own, Cookie: 'sid=x; theme=owner' }, 401],
  ['of another site', '/organizations/users', { ...own, 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['without Sec-Fetch-Site', '/organizations/users', { Cookie: own.Cookie }, 403],
  ['for a path that is not allowed', '/organizations/roles', own, 404],
  ['for one behind an encoded ..', '/organizations/users/%2e%2e/roles', own, 404],
])('refuses a request %s', async (_, path, headers, status) => {
  expect((await call(path, headers)).status).toBe(status);
});

test('passes the rest on with the token: lists, errors and files', async () => {
  const users = await call('/organizations/users?size=1', { ...own, Authorization: 'tot_ofThePage' });
  expect([users.status, (await users.json()).content.length]).toEqual([200, 1]);
  expect((await (await call('/organizations/users?size=x')).json()).errors[0].code).toBe('parameter_invalid');
  const form = new FormData();
  form.set('file', new File([new Uint8Array(300_000)], 'photo.jpg'));
  const stored = await call('/resources', own, { method: 'POST', body: form });
  expect([stored.status, (await stored.json()).resourceName]).toEqual([201, 'photo.jpg']);
});

/** The operations that the samples of the page call, and those of what else it says that the page calls. */
const calls = [
  ...blocks.flatMap(({ code }) =>
    [...code.matchAll(/(?:\.(GET|POST|PUT|DELETE)\(|'(get|post|put|delete)',)\s*'(\/[^']+)'/g)].map(
      ([, verb, lower, path = '']) => [verb ?? lower?.toUpperCase() ?? '', path] as const,
    ),
  ),
  ['GET', '/workflow-definitions'],
  ['POST', '/workflows'],
  ['GET', '/workflows/{workflowId}'],
  ['GET', '/workflows/{workflowId}/result'],
] as const;

test('the samples call operations', () => {
  expect(calls.length).toBeGreaterThan(7);
});

test.each(calls)('passes on %s %s, which the page calls', async (method, path) => {
  const received = await call(path.replaceAll(/\{\w+\}/g, crypto.randomUUID()), own, { method });
  // The platform's errors are JSON, and the proxy's are not.
  expect(received.headers.get('Content-Type')).toMatch(/^application\/json/);
});

test('responds 502 while the platform is away', async () => {
  vi.stubEnv('WRP_BASE_URL', 'http://127.0.0.1:9');
  expect((await call('/organizations/users')).status).toBe(502);
});

test.each(['GET', 'POST'])(
  'responds 502 at once to a %s whose connection the platform drops',
  async (method) => {
    const dropping = createServer((request) => {
      request.resume().on('end', () => request.socket.destroy());
    });
    await new Promise<void>((listening) => dropping.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void dropping.close());
    vi.stubEnv('WRP_BASE_URL', `http://127.0.0.1:${(dropping.address() as AddressInfo).port}`);
    const body = method === 'POST' ? new Uint8Array(300_000) : null;
    const path = method === 'POST' ? '/resources' : '/organizations/users';
    const signal = AbortSignal.timeout(scaledTimeout(5_000));
    expect((await call(path, own, { method, body, signal })).status).toBe(502);
  },
);

test('people read a text for people, whatever the error is', async () => {
  const { textOf, client } = (
    await imported('errors', 'textOf', "\nexport * as client from '@wrp/client';\n")
  ).exports;
  const body = { fingerprint: 'f', errors: [{ code: 'user_not_found', message: 'There is no such user.' }] };
  const ofProxy = { fingerprint: '', errors: [] };
  const response = new Response(null, { status: 404 });
  const [unreachable, later] = [
    /^The service cannot be reached\. .* try again\.$/,
    'Please try again later.',
  ];
  for (const [error, text] of [
    [body, 'There is no such user.'],
    [ofProxy, later],
    [new client.NotFoundError(response, body), 'There is no such user.'],
    [new client.ApiError(new Response(null, { status: 502 }), '<html>'), later],
    [new client.ResponseParseError(response, new SyntaxError('Unexpected token')), later],
    [new client.ConnectionError(new TypeError('fetch failed'), 'http://127.0.0.1'), unreachable],
    [new client.TimeoutError('attempt', 30_000, 'GET /workflows'), unreachable],
    [new client.ExecutionEndedError({ id: 'e', status: 'FAILED' }, 'FAILED'), /^The workflow has ended/],
    [new TypeError('x is not a function'), later],
  ])
    expect(textOf(error)).toMatch(text);
});

test('the page exchanges a key again after a 401, once for all calls of the same token', async () => {
  vi.stubEnv('WRP_BASE_URL', 'http://platform.invalid');
  let exchanges = 0;
  const exchange = async () => Response.json({ accessToken: `t${++exchanges}` });
  const refused = new Set(['Bearer t1']);
  vi.stubGlobal('fetch', async (sent: Request | string) => {
    if (typeof sent === 'string') return exchange();
    const status = refused.has(sent.headers.get('Authorization') ?? '') ? 401 : 200;
    return Response.json(status === 200 ? [] : { fingerprint: 'f', errors: [] }, { status });
  });
  const { direct } = (await imported('tokens', 'exchange()', '\nexport { direct };\n')).exports;
  const statuses = async () => {
    const results = await Promise.all([1, 2, 3].map(() => direct.GET('/organizations/roles')));
    return results.map(({ response }) => response.status);
  };
  expect([await statuses(), exchanges]).toEqual([[200, 200, 200], 2]);
  refused.add('Bearer t2');
  expect([await statuses(), exchanges]).toEqual([[200, 200, 200], 3]);
  expect([await statuses(), exchanges]).toEqual([[200, 200, 200], 3]);
});

test('a form is checked with the pointers of the platform, in another language, and compiles', async () => {
  const { file, exports } = await imported('form', 'ajv-i18n');
  const properties = { cause: { enum: ['theft'] }, vehicles: { type: 'integer', minimum: 1 } };
  const inputSchema = { required: ['place'], additionalProperties: false, properties };
  const parameters = { cause: 'rain', vehicles: 0, 'a/b': 1 };
  const found: Map<string, string> = exports.invalidFields(inputSchema, parameters);
  expect(found.get('/parameters/place')).toBe('muss das erforderliche Attribut place enthalten');
  expect([...found.keys()].sort()).toEqual(
    ['a~1b', 'cause', 'place', 'vehicles'].map((name) => `/parameters/${name}`),
  );
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2024', '--types', 'node'];
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--ignoreConfig'];
  const compiler = 'node_modules/typescript-7/bin/tsc';
  await promisify(execFile)(process.execPath, [compiler, ...options, ...bundler, file]);
});
