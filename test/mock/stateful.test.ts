import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createAttachment, createClient, downloadAttachment, unwrap, webhookVerifier } from '@wrp/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '../../scripts/mock/stateful/mailbox.ts';
import { mockUsers } from '../../scripts/mock/stateful/mock-users.ts';
import { isOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { confirm, destination, formTokenOf, page } from '../links/support.ts';
import { snippetsOfPage } from '../support/snippets.ts';
import { until } from '../support/waiting.ts';
import { controlOf, inbox, statefulMock, theBundle, verifyingReceiver } from './support.ts';

const contract = await theBundle();
const [receiver, called] = [await inbox(), await inbox()];
const { mock, baseUrl, warnings } = await statefulMock(receiver.url, called.url);
const { ids } = mock.description();
const client = createClient({ baseUrl, token: 'anything' });
const as = (token: string) => createClient({ baseUrl, token });
const send = (path: string, init: RequestInit = {}) =>
  fetch(baseUrl + path, { ...init, headers: { Authorization: 'anything', ...init.headers } });
const control = controlOf(baseUrl);
const advance = (duration: string) => control('/clock', { advance: duration });
const start = (workflowDefinitionId: string, body: object = {}) =>
  unwrap(client.POST('/workflows', { body: { workflowDefinitionId, ...body } }));
const read = (workflowId: string) =>
  unwrap(client.GET('/workflows/{workflowId}', { params: { path: { workflowId } } }));
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const user = () => unwrap(client.GET('/organizations/users/{userId}', { params: { path: { userId } } }));

describe('the caller', () => {
  test.each(['anything', 'Bearer made.up.token', 'tot_0123456789'])(
    'with %s is the owner of the demo organization',
    async (authorization) => {
      const response = await send('/organizations/users?size=1', {
        headers: { Authorization: authorization },
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ totalElements: 64 });
    },
  );

  test('with a JWT without Bearer explains that it needs Bearer', async () => {
    const headers = { Authorization: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl' };
    expect(await (await send('/organizations/users', { headers })).text()).toContain('with \\"Bearer\\"');
  });

  test('without a token is refused: 401 credentials_missing', async () => {
    const response = await fetch(`${baseUrl}/organizations/users`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ code: 'credentials_missing' }] });
  });

  test('with a token of the mock has the permissions of its person', async () => {
    for (const { token } of Object.values(mockUsers)) expect(isOrganizationToken(token)).toBe(true);
    expect((await as(mockUsers.admin.token).GET('/organizations/users')).response.status).toBe(200);
    expect((await as(mockUsers.viewer.token).GET('/organizations/users')).response.status).toBe(403);
  });

  test('as an admin cannot grant the role owner: 403 beyond_own_permissions', async () => {
    const roles = await unwrap(client.GET('/organizations/roles'));
    const roleId = roles.find(({ name }) => name === 'owner')?.id ?? '';
    const params = { path: { userId } };
    const call = as(mockUsers.admin.token).PUT('/organizations/users/{userId}/role', {
      params,
      body: { roleId },
    });
    const { response, error } = await call;
    expect(response.status).toBe(403);
    expect(error).toMatchObject({ errors: [{ code: 'beyond_own_permissions' }] });
  });

  test('with the API key of the example signs in until the token expires', async () => {
    const { apiKey } = mock.description();
    const { accessToken, refreshToken } = await unwrap(client.POST('/auth/authorize', { body: apiKey }));
    const bearer = { headers: { Authorization: `Bearer ${accessToken}` } };
    expect((await send('/organizations/roles', bearer)).status).toBe(200);
    await advance('PT6M');
    const late = await send('/organizations/roles', bearer);
    expect(await late.json()).toMatchObject({ errors: [{ code: 'token_expired' }] });
    const renewed = await unwrap(client.POST('/auth/refresh', { body: { refreshToken } }));
    const again = { headers: { Authorization: `Bearer ${renewed.accessToken}` } };
    expect((await send('/organizations/roles', again)).status).toBe(200);
  });
});

describe('state', () => {
  test('is initially that of the demo and the examples', async () => {
    expect(await user()).toMatchObject({ email: 'ines.moreau@alderfinch.example' });
    const file = await send('/resources/c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01');
    expect((await file.text()).slice(0, 5)).toBe('%PDF-');
    const set = await send('/parameters/8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101');
    expect(await set.json()).toMatchObject({ parameters: { claimNumber: '2026-0147' } });
  });

  test('is kept until a reset', async () => {
    const { profile } = await user();
    const params = { path: { userId } };
    const body = { firstName: 'Ines', lastName: 'Moreau', title: 'Team lead' };
    await unwrap(client.PUT('/organizations/users/{userId}/profile', { params, body }));
    expect((await user()).profile.title).toBe('Team lead');
    const record = { tableId: ids.tableId, recordId: ids.recordId };
    const { id } = await createAttachment(
      client,
      record,
      new File(['hello'], 'hello.txt', { type: 'text/plain' }),
    );
    const download = await downloadAttachment(client, { ...record, attachmentId: id });
    expect(await new Response(download.stream).text()).toBe('hello');

    const reset = await control('/reset', {});
    expect(reset.body).toMatchObject({ mode: 'stateful', clock: { aheadSeconds: 0 } });
    expect((await user()).profile).toEqual(profile);
    expect((await send(`/tables/${ids.tableId}/records/${ids.recordId}/attachments`)).status).toBe(200);
    const gone = await downloadAttachment(client, { ...record, attachmentId: id }).catch((error) => error);
    expect(gone).toMatchObject({ status: 404 });
  });
});

describe('the clock', () => {
  beforeAll(async () => {
    await control('/reset', {});
  });

  test('ends a wait of an hour after an hour, and no earlier', async () => {
    const { id } = await start(ids.definitions.wait);
    await advance('PT59M');
    expect((await read(id)).status).toBe('RUNNING');
    await advance('PT61S');
    expect((await read(id)).status).toBe('COMPLETED');
    expect((await control('/clock')).body).toMatchObject({ aheadSeconds: 3601 });
  });

  test('keeps the order of events: a wait of an hour ends before a deadline in a week', async () => {
    const now = Date.parse((await control('/clock')).body['now'] ?? '');
    const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    const done = await start(ids.definitions.wait, { expiresAt: inMinutes(7 * 1440) });
    const late = await start(ids.definitions.wait, { expiresAt: inMinutes(45) });
    await control('/clock', { to: inMinutes(8 * 1440) });
    expect(Date.parse((await control('/clock')).body['now'] ?? '')).toBeGreaterThan(now + 8 * 86_400_000);
    expect([(await read(done.id)).status, (await read(late.id)).status]).toEqual(['COMPLETED', 'EXPIRED']);
  });

  test('completes a workflow of several waits in one advance', async () => {
    const { id } = await start(ids.definitions.steps, { parameters: { claimNumber: '2026-0147' } });
    await advance('PT1M');
    expect((await read(id)).status).toBe('COMPLETED');
  });

  const wrong = [
    { advance: 'P1M' },
    { advance: 5 },
    { to: '2020-01-01T00:00:00Z' },
    {},
    { advance: 'P400D' },
    { advance: 'PT1H', to: '2099-01-01T00:00:00Z' },
  ];
  test.each(wrong)('refuses to advance by %j: 400 body_invalid', async (body) => {
    const refused = { status: 400, body: { errors: [{ code: 'body_invalid' }] } };
    expect(await control('/clock', body)).toMatchObject(refused);
  });
});

describe('a single-use link', () => {
  const linkFor = (workflowDefinitionId: string) =>
    unwrap(client.POST('/link', { body: { caseId: ids.caseId, workflowDefinitionId } }));

  test('starts one workflow, and no second one', async () => {
    const { link } = await linkFor(ids.definitions.echo);
    expect(link.startsWith(`${baseUrl}/links/`)).toBe(true);
    const shown = await page(link);
    destination(link, await confirm(link, { form: formTokenOf(shown) }));
    expect((await page(link)).status).toBe(410);
  });

  test('expires after seven days', async () => {
    const { link } = await linkFor(ids.definitions.echo);
    await advance('P7DT1S');
    expect((await page(link)).status).toBe(410);
  });

  test('that is mailed is in the mailbox of the mock', async () => {
    const body = { caseId: ids.caseId, workflowDefinitionId: ids.definitions.echo };
    await unwrap(client.POST('/link/send', { body }));
    const mail = await until(async () => {
      const [first] = (await control('/mail')).body['messages'] as unknown as Mail[];
      return first;
    });
    expect(mail.to).toContain('noor.haddad@mail.example');
    expect(mail.subject).toContain('echo');
    expect(mail.links).toEqual([expect.stringMatching(/\/links\/[\w-]+$/)]);
    expect(mail.text).toContain(mail.links[0]);
    expect((await page(mail.links[0] ?? '')).status).toBe(200);
  });
});

test('the example of a result is the result of its execution', async () => {
  const examples = contract.components['examples'] as Record<string, { value: { parameters: object } }>;
  const parameters = examples['claimProcessed']?.value.parameters;
  const { id } = await start(ids.definitions.steps, { parameters });
  await advance('PT1M');
  const params = { path: { workflowId: id } };
  expect(await unwrap(client.GET('/workflows/{workflowId}/result', { params }))).toEqual(
    examples['claimProcessedResult']?.value,
  );
});

describe('a workflow that calls a URL', () => {
  const resultOf = async (url: string) => {
    const { id } = await start(ids.definitions.http, { parameters: { url } });
    const params = { path: { workflowId: id } };
    await until(async () => (await read(id)).status !== 'RUNNING');
    return unwrap(client.GET('/workflows/{workflowId}/result', { params }));
  };

  test('reaches an origin that the command line names', async () => {
    await resultOf(`${called.url}/path`);
    expect(called.messages).toHaveLength(1);
  });

  test('does not reach another server of this machine, by any name, and the developer learns why', async () => {
    const inside = await inbox();
    const { port } = new URL(inside.url);
    const names = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0.0.0.0', '[::ffff:127.0.0.1]'];
    for (const name of names) {
      const result = await resultOf(`http://${name}:${port}/`);
      expect(JSON.stringify(result), name).toContain('Http.Refused');
    }
    // The named origin, and no other of the same port.
    const other = called.url.replace('127.0.0.1', 'localhost');
    expect(JSON.stringify(await resultOf(other))).toContain('Http.Refused');
    expect([inside.messages, called.messages.length]).toEqual([[], 1]);
    expect(warnings).toContain(
      'The mock did not call 127.0.0.1, whose address is not public. Start it with --allow-target and the origin of the URL to allow that.',
    );
  });
});

describe('webhooks', () => {
  test('are delivered to a registered URL and verify against the mock, also after the clock was advanced', async () => {
    await control('/webhooks', { url: receiver.url });
    await advance('P30D');
    const { id } = await start(ids.definitions.echo);
    const verify = webhookVerifier({ baseUrl });
    const types = await until(async () => {
      const events = await Promise.all(receiver.messages.map(({ body, headers }) => verify(body, headers)));
      const types = events
        .filter(({ data }) => 'workflowId' in data && data.workflowId === id)
        .map(({ type }) => type);
      return types.length === 2 ? types : undefined;
    });
    expect(types.sort()).toEqual(['workflow.completed', 'workflow.started']);
    const { body } = await control('/webhooks');
    const deliveries = body['deliveries'] as unknown as { event: { type: string } }[];
    expect(deliveries.map(({ event }) => event.type)).toEqual(expect.arrayContaining(types));
  });

  test.each(['http://127.0.0.1:9/events', 'http://localhost:9/', 'http://[::1]:9/', 'http://10.0.0.1/'])(
    'are not sent to %s, which the command line does not name: 400 body_invalid',
    async (url) => {
      const { status, body } = await control('/webhooks', { url });
      expect([status, body]).toMatchObject([400, { errors: [{ code: 'body_invalid', pointer: '/url' }] }]);
      expect(JSON.stringify(body)).toContain(`--allow-target ${new URL(url).origin} `);
    },
  );

  test('need a valid URL: 400 body_invalid', async () => {
    expect(await control('/webhooks', { url: 'nowhere' })).toMatchObject({ status: 400 });
  });
});

describe('Prefer', () => {
  test('code returns the example, and changes nothing', async () => {
    const before = await user();
    const response = await send(`/organizations/users/${userId}/terminate`, {
      method: 'POST',
      headers: { Prefer: 'code=503' },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBeTruthy();
    expect(response.headers.get('Preference-Applied')).toBe('code=503');
    expect(await user()).toEqual(before);
  });

  test('wait delays the response of the platform', async () => {
    const startedAt = performance.now();
    const response = await send('/organizations/roles', { headers: { Prefer: 'wait=0.3' } });
    expect(performance.now() - startedAt).toBeGreaterThan(295);
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, 'wait=0.3']);
  });
});

test('an origin that is named may call, with any header', async () => {
  const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'DELETE' };
  const preflight = await send('/workflows', { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([
    204,
    headers.Origin,
  ]);
  const response = await send('/organizations/roles', { headers: { Origin: headers.Origin } });
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(headers.Origin);
  expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Preference-Applied');
});

test('malformed JSON is refused: 400 body_malformed', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await send('/workflows', { method: 'POST', headers, body: '{"a":' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { errors: [{ code: 'body_malformed' }] },
  ]);
  const refused = await fetch(`${baseUrl}/__mock/clock`, { method: 'POST', headers, body: '{"a":' });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { errors: [{ code: 'body_malformed' }] },
  ]);
});

test('events can be polled for, although the mock is like production otherwise', async () => {
  const response = await send('/webhooks/events?since=3600');
  expect([response.status, await response.json()]).toMatchObject([200, { events: expect.any(Array) }]);
});

test('an unknown control is 404, another method 405 with Allow', async () => {
  expect((await control('/nothing')).status).toBe(404);
  const response = await fetch(`${baseUrl}/__mock/clock`, { method: 'DELETE' });
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, POST']);
});

test('another contract is served at once, unless the handlers do not match it', async () => {
  const renamed = { ...contract, info: { ...contract.info, title: 'Another title' } };
  await mock.replace(renamed);
  expect(await (await send('/openapi.json')).json()).toMatchObject({ info: { title: 'Another title' } });
  const [[path, item] = ['', {}]] = Object.entries(contract.paths);
  await expect(mock.replace({ ...contract, paths: { [path]: item } })).rejects.toThrow(/does not match/);
  expect((await send('/organizations/roles')).status).toBe(200);
});

describe('the guide to the mock', async () => {
  const shown = (await snippetsOfPage('spec/guides/mock.md')).filter(({ code }) =>
    /__mock\/clock|mock:webhook/.test(code),
  );

  test.each(shown)('line $line works', async ({ code }) => {
    const receiver = await verifyingReceiver(baseUrl);
    const command = code
      .replaceAll('npm run mock:webhook --', `'${process.execPath}' scripts/mock/webhook/main.ts`)
      .replaceAll('http://localhost:3000', receiver)
      .replaceAll('curl -s', 'curl -sf');
    await promisify(execFile)('bash', ['-euc', command], { env: { ...process.env, MOCK: baseUrl } });
  });
});
