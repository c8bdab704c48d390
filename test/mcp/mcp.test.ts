import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { errorMessages } from '../../generated/operations.ts';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { type ContractDocument, routesOf } from '../../server/contract/index.ts';
import { firstPart, fits, text } from '../../server/src/mcp/results.ts';
import { api } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { headOf, raw } from '../support/raw-requests.ts';
import { nextConnection, until } from '../support/waiting.ts';
import { toolCall } from './hostile-messages.ts';
import { agentOf } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const platform = await api({ mcpCalls: ['production'] });
const { baseUrl, sandboxUrl, owner, member, stranger, world, given, log } = platform;
const agent = await agentOf(baseUrl, owner.token);

const routes = routesOf(contract as unknown as ContractDocument);
const post = (body: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
  fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

describe('the tools', () => {
  test('are search, describe and call, in fewer than 1,500 tokens', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'describe', 'call']);
    const instructions = agent.client.getInstructions() ?? '';
    // Four characters are a token, roughly.
    expect((JSON.stringify(tools).length + instructions.length) / 4).toBeLessThan(1500);
  });

  test('are the same in both revisions of the protocol', async () => {
    const earlier = await agentOf(baseUrl, owner.token, 'legacy');
    expect((await earlier.client.listTools()).tools).toEqual((await agent.client.listTools()).tools);
    expect((await earlier.call('listWorkspaces')).body).toEqual((await agent.call('listWorkspaces')).body);
  });

  test('do not include call where MCP_CALLS does not name the environment', async () => {
    const reader = await agentOf(sandboxUrl);
    expect((await reader.client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'describe']);
    const where = `search and describe only: call operations at ${baseUrl}/mcp.`;
    expect(reader.client.getInstructions()).toContain(where);
    const { isError, texts } = await reader.call('listWorkspaces');
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining(where)]);
  });

  test('explain wrong arguments', async () => {
    const wrong = (name: string, given: Record<string, unknown>) =>
      agent.client.callTool({ name, arguments: given });
    expect(await wrong('search', { query: '' })).toMatchObject({ isError: true });
    expect(await wrong('search', { query: 'user', limit: 1000 })).toMatchObject({ isError: true });
    const unknown = await wrong('describe', { name: 'nothing' });
    expect(unknown).toMatchObject({ isError: true });
    expect(JSON.stringify(unknown)).toContain('name is not an operation');
    expect(JSON.stringify(await wrong('list', {}))).toContain(
      'There is no such tool. The tools are search, describe and call.',
    );
    expect(await wrong('call', { operationId: 'listUsers', query: {} })).toMatchObject({ isError: true });
    expect(JSON.stringify(await wrong('call', { operation: 'listUsers' }))).toContain(
      'operationId is required',
    );
  });

  test.each([
    ['listWorkspace', 'did you mean listWorkspaces?'],
    ['ListUsers', 'did you mean listUsers?'],
    ['getUserById', 'did you mean getUser?'],
    ['listWrokflows', 'did you mean listWorkflows?'],
    ['nothing', 'use the tool search'],
    ['', 'use the tool search'],
  ])('explain an unknown operation with similar ones: %j', async (operationId, hint) => {
    const message = `operationId is not an operation: ${hint}`;
    const errors = [{ code: 'parameter_invalid', parameter: 'operationId', message }];
    expect(await agent.call(operationId)).toMatchObject({ isError: true, body: { errors } });
  });

  test.each([
    [undefined, 200],
    ['*/*', 200],
    ['application/json, text/event-stream', 200],
    ['application/*, text/*;q=0.5', 200],
    ['application/json', 400],
    ['text/html', 400],
  ])('are listed with an Accept header that allows both types: %s', async (accept, status) => {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (accept) headers.set('Accept', accept);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body });
    const text = await response.text();
    expect(response.status, text).toBe(status);
    if (status === 400)
      expect(JSON.parse(text)).toMatchObject({
        error: { code: -32600, data: { errors: [{ code: 'parameter_invalid', parameter: 'accept' }] } },
      });
  });
});

describe('search', () => {
  test('finds operations, events, guides and error codes, under names that describe takes', async () => {
    const named = async (query: string) => (await agent.search(query)).map(({ name }) => name);
    expect((await named('reinstate a terminated user'))[0]).toBe('reinstateUser');
    expect((await named('user_not_terminated'))[0]).toBe('user_not_terminated');
    expect(await named('list the users of the organization')).toContain('listUsers');
    for (const name of await named('verify a webhook'))
      expect(await agent.describe(name), name).toMatch(/^[{#]/);
  });

  test('does not occupy the event loop, whatever the query', async () => {
    await agent.search('user');
    const queries = ['a b c d e f g h i j k', 'aut '.repeat(50), 'reinstaet termniated usres '.repeat(7)];
    await expectShortStretches(() => Promise.all(queries.map((query) => agent.search(query))));
  });
});

describe('describe', () => {
  test('returns every operation with its permission, schemas and an example, within 40,000 characters', async () => {
    for (const { operation, method, path } of routes) {
      const text = await agent.describe(operation.operationId);
      const described = JSON.parse(text);
      expect(described).toMatchObject({
        request: `${method.toUpperCase()} ${path}`,
        permission: expect.any(String),
      });
      for (const [, reference] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
        expect(described.schemas, `${operation.operationId}: ${reference}`).toHaveProperty([
          reference as string,
        ]);
      }
      expect(text.length, operation.operationId).toBeLessThan(40_000);
    }
    const described = JSON.parse(await agent.describe('reinstateUser'));
    expect(described.permission).toBe('can_manage_users');
    expect(described.body['application/json'].example).toHaveProperty('roleId');
    expect(described.responses['409'].codes).toContain('user_not_terminated');
  });

  test('returns every error code with its entry in the guide and its operations', async () => {
    for (const [code, message] of Object.entries(errorMessages)) {
      const described = JSON.parse(await agent.describe(code));
      expect(described).toMatchObject({ code, message, explanation: expect.stringContaining('Retry: ') });
      expect(described.documentation).toBe(`${baseUrl}/docs/errors#${code}`);
    }
    const { responses } = JSON.parse(await agent.describe('parameters_mismatch'));
    expect(Object.keys(responses)).toEqual(['400']);
    expect(responses['400'].sort()).toEqual(['createLink', 'sendLink', 'startWorkflow']);
  });

  test('returns events, and guides as Markdown with the URLs of this platform', async () => {
    const [event] = Object.keys(contract.webhooks);
    expect(JSON.parse(await agent.describe(event as string))).toHaveProperty('event', event);
    const guide = await agent.describe('/docs/quick-start');
    expect(guide).toMatch(/^# /);
    expect(guide).toContain(baseUrl);
  });
});

describe('describe of an unknown name', () => {
  test.each([
    ['listWorkspace', 'did you mean listWorkspaces?'],
    ['listWrokflows', 'did you mean listWorkflows?'],
    ['getUserById', 'did you mean getUser?'],
    ['workflow.complete', 'did you mean workflow.completed?'],
    ['user_not_fuond', 'did you mean user_not_found?'],
    ['/docs/quickstart', 'did you mean /docs/quick-start?'],
    ['quick-start', 'did you mean /docs/quick-start?'],
    ...['', '/', '/docs/', 'nothing'].map((name) => [name, 'use a name that search returns']),
    ['x'.repeat(200), 'use a name that search returns'],
  ])('suggests a similar one: %s', async (name, hint) => {
    const { errors } = JSON.parse(await agent.describe(name)) as { errors: object[] };
    const message = `name is not an operation, event, error code or guide: ${hint}`;
    expect(errors).toEqual([{ code: 'parameter_invalid', parameter: 'name', message }]);
  });
});

test('a page that does not fit into a response ends after a line, with a note', () => {
  expect(firstPart('short', 'The rest')).toEqual(text('short'));
  for (const page of [
    'a line of "text"\n'.repeat(20_000),
    '"'.repeat(200_000),
    '\u{1f600}'.repeat(100_000),
  ]) {
    const result = firstPart(page, 'The rest');
    const [{ text: start = '' } = {}, note] = result.content as { text?: string }[];
    expect(fits(result)).toBe(true);
    expect(note).toEqual({ type: 'text', text: 'The rest' });
    expect(page.startsWith(start) && start.isWellFormed() && start.length > 5_000).toBe(true);
    expect(start.endsWith('\n')).toBe(page.includes('\n'));
  }
});

describe('call', () => {
  test('performs an operation as the caller of the request', async () => {
    const { isError, body } = await agent.call('listUsers', { parameters: { size: 1 } });
    expect(isError).toBe(false);
    expect(body).toEqual((await owner.GET('/organizations/users', { params: { query: { size: 1 } } })).data);
  });

  test('shows the headers that a caller acts on', async () => {
    const parameters = { userId: world.member.id };
    const { texts } = await agent.call('getUser', { parameters });
    expect(texts[1]).toMatch(/^HTTP 200\nETag: "/);
    const [, etag] = /ETag: (.*)/.exec(texts[1] ?? '') ?? [];
    expect(
      (await agent.call('getUser', { parameters: { ...parameters, 'If-None-Match': etag } })).texts,
    ).toEqual([expect.stringMatching(/^HTTP 304/)]);
  });

  test('makes a change once for an Idempotency-Key', async () => {
    const user = await given.terminatedUser(world.organization);
    const request = {
      parameters: { userId: user.id, 'Idempotency-Key': randomUUID() },
      body: { roleId: world.organization.roles.member },
    };
    const first = await agent.call('reinstateUser', request);
    expect(first).toMatchObject({ isError: false, body: { id: user.id } });
    expect((await agent.call('reinstateUser', request)).body).toEqual(first.body);
    const again = await agent.call('reinstateUser', { ...request, parameters: { userId: user.id } });
    expect(again).toMatchObject({ isError: true, body: { errors: [{ code: 'user_not_terminated' }] } });
  });

  test('returns the error object of the contract', async () => {
    const codeOf = async (token: string | undefined, operationId: string, request = {}) => {
      const { isError, body } = await (await agentOf(baseUrl, token)).call(operationId, request);
      expect(isError).toBe(true);
      expect(body).toHaveProperty('fingerprint');
      return (body as { errors: { code: string }[] }).errors[0]?.code;
    };
    const user = { parameters: { userId: world.admin.id } };
    expect(await codeOf(undefined, 'listUsers')).toBe('credentials_missing');
    expect(await codeOf('wrong', 'listUsers')).toBe('credentials_invalid');
    expect(await codeOf(member.token, 'terminateUser', user)).toBe('permission_denied');
    expect(await codeOf(stranger.token, 'getUser', user)).toBe('user_not_found');
    expect(await codeOf(owner.token, 'getUser')).toBe('parameter_invalid');
    expect(await codeOf(owner.token, 'getUser', { parameters: { userId: '../roles' } })).toBe(
      'parameter_invalid',
    );
    expect(await codeOf(owner.token, 'getUser', { ...user, body: {} })).toBe('body_invalid');
    expect(await codeOf(owner.token, 'listUsers', { parameters: { page: 'x' } })).toBe('parameter_invalid');
    expect(await codeOf(owner.token, 'listUsers', { parameters: { Authorization: 'x' } })).toBe(
      'parameter_invalid',
    );
    expect(
      await codeOf(owner.token, 'startWorkflow', {
        parameters: { 'Idempotency-Key': 'a\r\nHost: b' },
        body: {},
      }),
    ).toBe('parameter_invalid');
    expect(await codeOf(owner.token, 'startWorkflow', { body: { unknown: 1 } })).toBe('body_invalid');
  });

  test('returns commands for uploads and downloads', async () => {
    const upload = await agent.call('uploadResource');
    expect(upload.isError).toBe(true);
    expect(upload.body).toContain('body.file is required, as {url} or {base64, fileName}');
    expect(upload.body).toContain(
      `curl -X POST '${baseUrl}/resources' -H "Authorization: $WRP_TOKEN" -F 'file=@FILE'`,
    );
    const file = new File([new Uint8Array([0, 1, 2])], 'x.bin', { type: 'application/octet-stream' });
    const { data } = await owner.POST('/resources', { body: { file } });
    const parameters = { resourceId: data?.resourceId };
    const download = await agent.call('downloadResource', { parameters });
    expect(download.isError).toBe(false);
    expect(download.body).toContain(
      `curl -X GET '${baseUrl}/resources/${data?.resourceId}' -H "Authorization: $WRP_TOKEN" -o FILE`,
    );
  });

  test.each([
    ['64 KiB', 'x'.repeat(100_000)],
    ['64 KiB when it is quoted', '"'.repeat(40_000)],
  ])('leaves out a response above %s', async (_what, content) => {
    const text = new File([content], 'x.txt', { type: 'text/plain' });
    const { data } = await owner.POST('/resources', { body: { file: text } });
    const { texts } = await agent.call('downloadResource', { parameters: { resourceId: data?.resourceId } });
    expect(texts.join().length).toBeLessThan(1000);
    expect(texts[0]).toContain('larger than 64 KiB');
  });

  test('returns the first error of an error object above 64 KiB', async () => {
    const names = Array.from({ length: 20 }, (_, index) => [`${'\u0001'.repeat(480)}${index}`, 1]);
    const sent = { body: { workflowDefinitionId: randomUUID(), ...Object.fromEntries(names) } };
    const { isError, body, texts } = await agent.call('startWorkflow', sent);
    expect({ isError, status: texts[1] }).toEqual({ isError: true, status: 'HTTP 400' });
    expect((body as { errors: object[] }).errors).toHaveLength(1);
  });

  test('returns a command whose values curl takes as they are', async () => {
    const ids = { tableId: world.table.id, recordId: world.record.id };
    const tags = ['@/etc/passwd', "it's", '<x;type=y'];
    const { body } = await agent.call('createAttachment', { parameters: ids, body: { tags } });
    expect(body).toContain(
      `-F 'file=@FILE' --form-string 'tags=@/etc/passwd' --form-string 'tags=it'\\''s' --form-string 'tags=<x;type=y'`,
    );
  });

  test('ends when the agent disconnects', async () => {
    const { body: start } = await agent.call('pollWebhookEvents');
    const { nextCursor: cursor } = start as { nextCursor: string };
    const given = { operationId: 'pollWebhookEvents', parameters: { cursor, wait: 20 } };
    const ending = new AbortController();
    // The agent's request, then that of its call.
    const called = nextConnection().then(nextConnection);
    const body = toolCall('call', JSON.stringify(given));
    const polled = expect(post(body, { Authorization: owner.token ?? '' }, ending.signal)).rejects.toThrow();
    const connection = await called;
    expect(connection.destroyed).toBe(false);
    ending.abort();
    await polled;
    await until(() => connection.destroyed);
    expect(log.filter(({ msg }) => msg === 'failed')).toEqual([]);
  });

  test.each([
    [
      'two Authorization headers',
      `Authorization: ${owner.token}\r\nAuthorization: ${owner.token}\r\n`,
      'HTTP 401',
    ],
    ['headers that are too large for the call', `Authorization: ${'x'.repeat(15_500)}\r\n`, 'HTTP 431'],
  ])('does not take %s', async (_what, head, status) => {
    const parameters = { userId: 'x'.repeat(1000), 'If-None-Match': 'x'.repeat(1000) };
    const body = toolCall('call', JSON.stringify({ operationId: 'getUser', parameters }));
    const headers = { 'Content-Type': 'application/json' };
    const begin = headOf({ method: 'POST', target: '/mcp', headers, body }).slice(0, -2);
    const { status: outer, text } = await raw(baseUrl, `${begin}${head}\r\n${body}`);
    expect(outer).toBe(200);
    expect(text).toContain(status);
    expect(text).toMatch(/credentials_invalid|headers_too_large/);
  });

  test('is logged like any request, without the token', async () => {
    await agent.call('listWorkspaces');
    const line = log.findLast(({ operationId }) => operationId === 'listWorkspaces');
    expect(line).toMatchObject({ userId: world.owner.id, status: 200 });
    expect(JSON.stringify(log)).not.toContain(owner.token);
  });
});

describe('the endpoint', () => {
  test('refuses pages of other origins', async () => {
    expect((await post(list, { Origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(list, { Origin: baseUrl })).status).toBe(200);
    expect((await post(list, { Origin: 'http://localhost:3000' })).status).toBe(200);
  });

  test('refuses other methods, bodies and batches', async () => {
    expect((await fetch(`${baseUrl}/mcp`)).headers.get('Allow')).toBe('POST');
    expect((await fetch(`${baseUrl}/mcp`, { method: 'DELETE' })).status).toBe(405);
    expect((await post(list, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post('{')).status).toBe(400);
    expect((await post(`[${list}]`)).status).toBe(400);
    expect((await post('{}')).status).toBe(400);
  });

  test('does not occupy the event loop, whatever the body', async () => {
    const nested = `${'['.repeat(150)}${']'.repeat(150)}`;
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`key${at}`, at])),
    );
    const long = JSON.stringify('x'.repeat(250_000));
    for (const value of [nested, wide, long]) {
      const named = (name: string, given: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{${given}}}}`;
      for (const body of [
        named('describe', `"name":${value}`),
        named('call', `"operationId":"startWorkflow","body":${value}`),
      ]) {
        await expectShortStretches(async () => (await post(body)).text());
      }
    }
  });
});
