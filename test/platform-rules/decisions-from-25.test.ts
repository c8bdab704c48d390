import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { sendRaw } from '../../scripts/prove/attack/send.ts';
import { readConfig } from '../../server/src/config.ts';
import { newOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { executionsOf } from '../support/executions.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { operations } from '../sweeps/support/contract.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

/**
 * One test for each number from 25 of the guide "Limits and decisions": it fails when the contract or the platform no longer
 * does as the guide says.
 */
const platform = await api();
const { owner, stranger, anonymous, actor, world, given, database, clock, baseUrl } = platform;
const { organization, workspace } = world;
const workflows = workflowsOf(platform);
const { schemas, parameters, headers } = contract.components;

const minute = 60_000;
const user = (userId: string) => ({ params: { path: { userId } } });
const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: '/tmp', ...env });

describe('decision', () => {
  test('42: agents may perform operations in the sandbox only, unless an installation decides otherwise', () => {
    expect(config().mcpCalls).toEqual(['sandbox']);
    expect(config({ MCP_CALLS: 'all' }).mcpCalls).toEqual(['production', 'sandbox']);
    expect(config({ MCP_CALLS: 'none' }).mcpCalls).toEqual([]);
    expect(() => config({ MCP_CALLS: 'production' })).toThrow('MCP_CALLS must be one of sandbox, all, none');
  });

  test('25: 600 requests, 60 uploads and 20 sign-ins a minute by default', async () => {
    expect(config().budgets).toEqual({ requests: 600, uploads: 60, signIns: 20 });
    const env = {
      RATE_LIMIT_PER_MINUTE: '7',
      UPLOAD_RATE_LIMIT_PER_MINUTE: '8',
      AUTH_RATE_LIMIT_PER_MINUTE: '9',
    };
    expect(config(env).budgets).toEqual({ requests: 7, uploads: 8, signIns: 9 });
    for (const { id, responses } of operations) {
      expect(responses.get(429)?.requiredHeaders, id).toContain('Retry-After');
    }
    const { response } = await owner.GET('/organizations/roles');
    expect(response.headers.get('RateLimit-Policy')).toMatch(/^"requests";q=\d+;w=60$/);
    expect(response.headers.get('RateLimit')).toMatch(/^"requests";r=\d+;t=\d+$/);
  });

  test('26: a page has at most 100 entries; a larger size is refused, not cut', async () => {
    expect(parameters.PageSize.schema).toMatchObject({ default: 20, minimum: 1, maximum: 100 });
    await bodyOf(200, owner.GET('/organizations/users', { params: { query: { size: 100 } } }));
    const tooMany = owner.GET('/organizations/users', { params: { query: { size: 101 } } });
    await expectRefusal(tooMany, 400, 'parameter_invalid', { parameter: 'size' });
  });

  test('27: an upload has at most 100 MiB by default and 5 GiB if configured, and is refused before it is read', async () => {
    expect(config().uploadLimit).toBe(100 * 2 ** 20);
    expect(config({ MAX_UPLOAD_BYTES: String(5 * 2 ** 30) }).uploadLimit).toBe(5 * 2 ** 30);
    expect(() => config({ MAX_UPLOAD_BYTES: String(5 * 2 ** 30 + 1) })).toThrow('MAX_UPLOAD_BYTES');
    const head = [
      'POST /resources HTTP/1.1',
      'Host: localhost',
      `Authorization: ${world.owner.token}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${200 * 2 ** 20}`,
    ];
    const response = await sendRaw(Number(new URL(baseUrl).port), [`${head.join('\r\n')}\r\n\r\n`]);
    expect(response).toMatchObject({ status: 413, body: expect.stringContaining('file_too_large') });
  });

  test('28: this is version 3', () => {
    expect(contract.info.version).toMatch(/^3\.\d+\.\d+$/);
    expect(Object.keys(contract.paths).filter((path) => /^\/v\d/.test(path))).toEqual([]);
  });

  test('29: a deprecation is announced in every response, at least 12 months ahead', async () => {
    const apiKey = await given.apiKey({ user: await given.user({ organization }), homeWorkspace: workspace });
    const signedIn = await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }));
    const { accessToken } = signedIn as { accessToken: string };
    const { response } = await actor(`Bearer ${accessToken}`).GET('/organizations/workspaces');
    const since = new Date(Number(response.headers.get('Deprecation')?.slice(1)) * 1000);
    const until = new Date(response.headers.get('Sunset') ?? '');
    since.setUTCFullYear(since.getUTCFullYear() + 1);
    expect(until.getTime()).toBeGreaterThanOrEqual(since.getTime());
    expect(response.headers.get('Link')).toContain('rel="deprecation"');
    for (const name of ['Deprecation', 'Sunset', 'DeprecationLink'] as const)
      expect(headers).toHaveProperty(name);
    expect((await stranger.GET('/organizations/workspaces')).response.headers.get('Deprecation')).toBeNull();
  });

  test('37: 60 refused attempts a minute, and 10 mails an hour to one contact', async () => {
    expect(config().refusedAttempts).toBe(60);
    expect(config({ REFUSED_ATTEMPTS_PER_MINUTE: '7' }).refusedAttempts).toBe(7);
    const narrow = await api({ refusedAttempts: 60 });
    const guess = () => narrow.actor(newOrganizationToken()).GET('/organizations/workspaces');
    for (let guessed = 0; guessed < 60; guessed++) await expectRefusal(guess(), 401, 'credentials_invalid');
    const { headers } = await expectRefusal(guess(), 429, 'rate_limit_exceeded');
    expect(headers.get('Retry-After')).toMatch(/^\d+$/);
    await bodyOf(200, narrow.owner.GET('/organizations/workspaces'));

    const body = {
      caseId: await workflows.caseWithContact(),
      workflowDefinitionId: await workflows.definitionId(),
    };
    for (let sent = 0; sent < 10; sent++) await bodyOf(201, owner.POST('/link/send', { body }));
    await expectRefusal(owner.POST('/link/send', { body }), 429, 'mail_limit_exceeded');
    const sendLink = operations.find(({ id }) => id === 'sendLink');
    expect(sendLink?.responses.get(429)?.codes).toEqual(['rate_limit_exceeded', 'mail_limit_exceeded']);
  });

  test('38: any JSON value may be stored, except what PostgreSQL cannot keep', async () => {
    const definition = await given.workflowDefinition({ workspace });
    const store = (json: string) =>
      owner.fetch('/parameters', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: `{"workflowDefinitionId":"${definition.id}","parameters":${json}}`,
      });
    const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
    for (const json of ['null', '""', '"\\u0001\\ud83e\\udd89"', levels(199)]) await bodyOf(201, store(json));
    for (const [json, message] of [
      ['["\\u0000"]', 'must not contain NUL (U+0000)'],
      ['["\\ud800"]', 'must not contain a lone surrogate (U+D800 to U+DFFF)'],
      ['[1e400]', 'must be in the range of IEEE 754 doubles'],
    ] as const)
      await expectRefusal(store(json), 400, 'body_invalid', { message, pointer: '/parameters/0' });
    const message = 'The body is nested more than 200 levels deep.';
    await expectRefusal(store(levels(200)), 400, 'body_invalid', { message });
    for (const name of ['NewParameterSet', 'ParameterSet'] as const)
      expect(schemas[name].properties.parameters.$ref).toBe('#/components/schemas/ParametersValue');
    expect(schemas.ParametersValue.description).toContain('NUL');
    const patterns = [schemas.Tag, ...Object.values(schemas.ProfileUpdate.properties)].map(
      ({ pattern }) => pattern,
    );
    expect(new Set(patterns)).toEqual(new Set(['^[^\\x00]*$']));
  });

  test('39: an execution that failed says why, as long as it is kept', async () => {
    const definition = await given.workflowDefinition({
      workspace,
      definition: {
        QueryLanguage: 'JSONata',
        StartAt: 'Refuse',
        States: { Refuse: { Type: 'Fail', Error: 'Claims.Refused', Cause: 'Not covered: “storm”.' } },
      },
    });
    const executions = executionsOf(owner);
    const started = await executions.start({ workflowDefinitionId: definition.id });
    expect(started).not.toHaveProperty('failure');
    const failure = { error: 'Claims.Refused', cause: 'Not covered: “storm”.' };
    expect(await executions.ended(started, 'FAILED')).toMatchObject({ failure });
    clock.forward(31 * 24 * 60 * minute);
    await deleteExpiredResults(database, clock.now());
    expect(await executions.read(started.id)).toMatchObject({ failure });
  });

  test('40: a change of a profile needs at least one field; title may be empty', async () => {
    const { id } = await given.user({ organization });
    const put = (body: object) => owner.PUT('/organizations/users/{userId}/profile', { ...user(id), body });
    const before = (await bodyOf(200, owner.GET('/organizations/users/{userId}', user(id)))) as {
      profile: object;
    };
    expect(await bodyOf(200, put({ title: '' }))).toEqual({
      ...before,
      profile: { ...before.profile, title: '' },
    });
    for (const body of [{}, { firstName: '' }, { lastName: '' }])
      await expectRefusal(put(body), 400, 'body_invalid');
  });

  test('41: GET and PUT of a user return a strong ETag, and a stale If-Match changes nothing', async () => {
    const { id } = await given.user({ organization });
    const get = () => owner.GET('/organizations/users/{userId}', user(id));
    const put = (title: string, etag: string) => {
      const params = { path: { userId: id }, header: { 'If-Match': etag } };
      return owner.PUT('/organizations/users/{userId}/profile', { params, body: { title } });
    };
    const etagOf = ({ response }: { response: Response }) => response.headers.get('ETag') ?? '';
    const first = etagOf(await get());
    expect(first).toMatch(/^"[\x21\x23-\x7e]+"$/);
    const second = etagOf(await put('Team lead', first));
    expect(second).not.toBe(first);
    expect(etagOf(await get())).toBe(second);
    const events = await eventsOf(database, async () => {
      await expectRefusal(put('Manager', first), 412, 'precondition_failed');
      const role = { params: { path: { userId: id }, header: { 'If-Match': first } } };
      const body = { roleId: organization.roles.admin };
      const changed = owner.PUT('/organizations/users/{userId}/role', { ...role, body });
      await expectRefusal(changed, 412, 'precondition_failed');
    });
    expect(events).toEqual([]);
    expect(etagOf(await get())).toBe(second);
    await bodyOf(200, put('Manager', '*'));
  });
});
