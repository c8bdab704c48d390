import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import {
  foreignFetches,
  foreignHosts,
  foreignOrigins,
  malformedHosts,
  send,
} from '../support/local-servers.ts';
import { openConsole, tokenOf } from './support.ts';

const platform = await api({ clock: 'running' });
const { owner, world, given } = platform;
const executions = executionsOf(owner);
const definition = await given.workflowDefinition({
  workspace: world.workspace,
  name: 'resting',
  definition: definitionOf({ Rest: { Type: 'Wait', Seconds: 3600, End: true } }),
});
const { id } = await executions.start({ workflowDefinitionId: definition.id });
const page = `/executions/${id}`;
const cancel = `${page}/cancel`;
const statusOf = async () => (await executions.read(id)).status;

const sameSiteImage = {
  'Sec-Fetch-Site': 'same-site',
  'Sec-Fetch-Mode': 'no-cors',
  'Sec-Fetch-Dest': 'image',
};

const open = await openConsole(platform);
const readOnly = await openConsole(platform, { actions: false });
const other = await openConsole(platform);
const token = tokenOf((await open.get(page)).body, cancel);
const own = { method: 'POST', path: cancel, body: `token=${token}` };
const formHeaders = {
  Cookie: open.cookie,
  Origin: open.base,
  'Content-Type': 'application/x-www-form-urlencoded',
};

const at = (text: string) => text.replaceAll('port', new URL(open.base).port);
const reading = (headers: Record<string, string | undefined>, method = 'GET') =>
  send(open.base, { method, path: page, headers: { Cookie: open.cookie, ...headers } });

describe('decision 45: the console refuses, to a browser that is signed in,', () => {
  test.each(foreignHosts)('the host %j', async (host) => {
    const headers = { Host: at(host), Origin: `http://${at(host)}` };
    expect((await reading({ Host: at(host) })).status).toBe(403);
    expect((await send(open.base, { ...own, headers: { ...formHeaders, ...headers } })).status).toBe(403);
    expect(await statusOf()).toBe('RUNNING');
  });

  test.each(malformedHosts)('the malformed host %j', async (host) => {
    expect((await reading({ Host: at(host) })).status).toBe(400);
  });

  // The last two are served by other servers of this machine: cookies do not know ports.
  test.each([...foreignOrigins, 'http://localhost:5173', 'http://127.0.0.1:3000'])(
    'the origin %j',
    async (origin) => {
      expect((await reading({ Origin: at(origin) })).status).toBe(403);
      const headers = { ...formHeaders, Origin: at(origin) };
      expect((await send(open.base, { ...own, headers })).status).toBe(403);
      expect(await statusOf()).toBe('RUNNING');
    },
  );

  test.each(Object.entries({ ...foreignFetches, 'an image of the same site': sameSiteImage }))(
    '%s',
    async (_what, headers) => {
      expect((await reading(headers)).status).toBe(403);
      expect((await reading(headers, 'HEAD')).status).toBe(403);
    },
  );
});

describe('the link of a console', async () => {
  const fresh = await openConsole(platform, { isOpened: false });
  const visit = (path: string, headers = {}) => send(fresh.base, { path, headers });

  test('works once, for a cookie that scripts and other sites do not get', async () => {
    expect((await visit(`${fresh.linkPath}x`)).status).toBe(403);
    expect((await visit('/open/')).status).toBe(403);
    expect((await send(fresh.base, { method: 'HEAD', path: fresh.linkPath })).status).toBe(403);
    expect((await visit('/executions')).status).toBe(403);
    const first = await visit(fresh.linkPath);
    expect([first.status, first.headers.location]).toEqual([303, '/executions']);
    const [set = ''] = first.headers['set-cookie'] ?? [];
    expect(set).toMatch(
      /^wrp-console-[\da-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    expect(set).not.toContain(fresh.linkPath.slice('/open/'.length));
    const again = await visit(fresh.linkPath);
    expect([again.status, again.headers['set-cookie']]).toEqual([403, undefined]);
    expect(again.body).toContain('A link works once');
    expect((await visit('/executions', { Cookie: set.split(';', 1).join() })).status).toBe(200);
  });

  test('works for one of many browsers that open it at once', async () => {
    const raced = await openConsole(platform, { isOpened: false });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await send(raced.base, { path: raced.linkPath })).status),
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });
});

/** Requests that must be refused, although their browser is signed in. Each is a change of one that cancels the execution. */
const attacks: Record<string, [number, Parameters<typeof send>[1]]> = {
  'without a cookie': [403, { ...own, headers: { ...formHeaders, Cookie: undefined } }],
  'with the cookie of another console': [403, { ...own, headers: { ...formHeaders, Cookie: other.cookie } }],
  'with a cookie that is cut': [
    403,
    { ...own, headers: { ...formHeaders, Cookie: open.cookie.slice(0, -1) } },
  ],
  'with the name of the cookie only': [
    403,
    { ...own, headers: { ...formHeaders, Cookie: `${open.cookie.split('=', 1)}=` } },
  ],
  'of another port of this machine': [
    403,
    { ...own, headers: { ...formHeaders, Origin: 'http://127.0.0.1:1' } },
  ],
  'of localhost, called by address': [
    403,
    { ...own, headers: { ...formHeaders, Origin: open.base.replace('127.0.0.1', 'localhost') } },
  ],
  'of another scheme': [
    403,
    { ...own, headers: { ...formHeaders, Origin: open.base.replace('http:', 'https:') } },
  ],
  'of a page without an origin': [403, { ...own, headers: { ...formHeaders, Origin: 'null' } }],
  'without Origin': [403, { ...own, headers: { ...formHeaders, Origin: undefined } }],
  'of the same site': [403, { ...own, headers: { ...formHeaders, 'Sec-Fetch-Site': 'same-site' } }],
  'to a name that resolves to this machine': [
    403,
    {
      ...own,
      headers: { ...formHeaders, Host: 'console.evil.example', Origin: 'http://console.evil.example' },
    },
  ],
  'without the token of its form': [403, { ...own, headers: formHeaders, body: '' }],
  'with an empty token': [403, { ...own, headers: formHeaders, body: 'token=' }],
  'with the token of another form': [
    403,
    { ...own, headers: formHeaders, body: `token=${tokenOf((await other.get(page)).body, cancel)}` },
  ],
  'with its token in the query': [
    403,
    { ...own, path: `${cancel}?token=${token}`, headers: formHeaders, body: '' },
  ],
  'as GET': [404, { ...own, method: 'GET', headers: { Cookie: open.cookie }, body: undefined }],
  'as GET with its token': [
    404,
    { method: 'GET', path: `${cancel}?token=${token}`, headers: { Cookie: open.cookie } },
  ],
  'as PUT': [405, { ...own, method: 'PUT', headers: formHeaders }],
  'as DELETE of the page': [405, { method: 'DELETE', path: page, headers: formHeaders }],
  'as JSON': [415, { ...own, headers: { ...formHeaders, 'Content-Type': 'application/json' } }],
  'as text': [415, { ...own, headers: { ...formHeaders, 'Content-Type': 'text/plain' } }],
  'as multipart': [
    415,
    { ...own, headers: { ...formHeaders, 'Content-Type': 'multipart/form-data; boundary=x' } },
  ],
  'with a large form': [413, { ...own, headers: formHeaders, body: `${own.body}&x=${'x'.repeat(20_000)}` }],
  'with a compressed form': [415, { ...own, headers: { ...formHeaders, 'Content-Encoding': 'gzip' } }],
  'to an unknown action': [404, { ...own, path: `${page}/delete`, headers: formHeaders }],
  'to a property of objects': [404, { ...own, path: `${page}/constructor`, headers: formHeaders }],
  'to another object': [
    403,
    {
      ...own,
      path: cancel.replace(/\d(?=\/cancel)/, '0').replace(id, '00000000-0000-4000-8000-000000000000'),
      headers: formHeaders,
    },
  ],
};

test.each(Object.entries(attacks))('a change %s is refused', async (_what, [status, request]) => {
  const response = await send(open.base, request);
  expect([response.status, await statusOf()]).toEqual([status, 'RUNNING']);
  expect(response.headers['set-cookie']).toBeUndefined();
});

test('a change without --actions is refused, and its page has no form', async () => {
  const { body } = await readOnly.get(page);
  expect(body).toContain('RUNNING');
  expect(body).not.toContain('<form');
  const refused = await readOnly.post(cancel, { token });
  expect([refused.status, await statusOf()]).toEqual([403, 'RUNNING']);
  expect(refused.body).toContain('--actions');
});

test.each([
  ['/executions/../../etc/passwd', 404],
  ['/executions/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
  ['/executions/..', 303],
  ['//evil.example/executions', 404],
  ['/\\evil.example', 404],
  [`/executions/${id.toUpperCase()}`, 404],
  [`/executions/${id}/`, 404],
  [`/executions/${id}%00`, 404],
  ['/executions/constructor', 404],
  ['/__proto__', 404],
  ['/favicon.ico', 404],
  [`/executions?text=${'x'.repeat(5_000)}`, 414],
  ['/executions?text=%00', 400],
  ['/executions?text=%ff%fe', 200],
  [`/executions?text=${encodeURIComponent("' or 1=1 --")}`, 200],
  ['/executions?definition=%25&error=%25&workspace=%25', 200],
  ['/executions?record=none', 200],
  ['/executions?since=yesterday&until=999999d', 200],
  ['/executions?after=x&after=y', 200],
  [`/executions?${'a=1&'.repeat(400)}`, 200],
  ['/audit?actor=%27&object=x&since=x&after=1-x', 200],
  ['/audit?after=99999999999999-999999999999999', 200],
  ['/deliveries?endpoint=x&status=x&type=x&after=AAAA', 200],
  ['/deliveries/00000000-0000-4000-8000-000000000000', 404],
  ['/links?show=%3Cscript%3E', 200],
])('GET %s has the status %i', async (path, status) => {
  const response = await open.get(path);
  expect(response.status).toBe(status);
  expect(response.body).not.toMatch(/root:|<script>alert|at .*\.ts:\d/);
  expect(open.reports).toEqual([]);
});

test('every response forbids caches, frames, other origins and scripts that are not its own', async () => {
  const responses = [
    await open.get('/executions'),
    await open.get(page),
    await open.get('/none'),
    await open.post(cancel, {}),
    await send(open.base, { path: '/executions' }),
  ];
  for (const { headers, body } of responses) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+'; script-src 'sha256-[^;]+';/,
    );
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(body).not.toMatch(/<[^>]+ (style|on\w+)=/);
    expect(body).not.toMatch(/(?:src|href|action)="(?:https?:|\/\/|javascript:)/);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a console of one execution serves nothing else', async () => {
  const one = await openConsole(platform, { only: id, actions: false });
  expect((await one.get(page)).status).toBe(200);
  expect((await one.get('/')).headers.location).toBe(page);
  const { id: another } = await executions.start({ workflowDefinitionId: definition.id });
  for (const path of ['/executions', '/usage', `/executions/${another}`])
    expect((await one.get(path)).status).toBe(404);
});

test('a form goes back to pages of the console only', async () => {
  const { id: another } = await executions.start({ workflowDefinitionId: definition.id });
  const path = `/executions/${another}`;
  const token = tokenOf((await open.get(path)).body, `${path}/cancel`);
  const hrefAfter = async (back: string) => {
    const { body } = await open.post(`${path}/cancel`, { token, back });
    return /<a class="button" href="([^"]*)">Continue/.exec(body)?.[1];
  };
  for (const back of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
    '/"><x>',
    '',
  ])
    expect(await hrefAfter(back), back).toBe('/executions');
  expect(await hrefAfter(path)).toBe(path);
});
