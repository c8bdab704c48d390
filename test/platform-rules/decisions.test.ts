import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { errorMessages } from '../../generated/operations.ts';
import type { OperationId } from '../../server/contract/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { maxAttachments } from '../../server/src/store/attachments.ts';
import { maxMembers } from '../../server/src/store/memberships.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import { api } from '../support/api.ts';
import { allEvents, eventsOf } from '../support/events.ts';
import { executionsOf } from '../support/executions.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { errorSchema, operations } from '../sweeps/support/contract.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

/**
 * Numbers of the guide "Limits and decisions": a test fails when the contract or the platform no longer does as the
 * guide says. Others are tested with their endpoints: `grep -rn "decision 7:" test`.
 */
const platform = await api();
const { owner, actor, world, given, database, clock } = platform;
const { organization, workspace, otherWorkspace } = world;
const workflows = workflowsOf(platform);
const { schemas, parameters } = contract.components;

const minute = 60_000;
const place = { tableId: world.table.id, recordId: world.record.id };
const collection = '/tables/{tableId}/records/{recordId}/attachments';
const attach = (file: File, tags: string[] = []) =>
  owner.POST(collection, { params: { path: place }, body: { file, tags } });
const linkTo = async (attachmentId: string) => {
  const params = { path: { ...place, attachmentId } };
  return (await owner.GET(`${collection}/{attachmentId}`, { params })).data?.link ?? '';
};
const user = (userId: string) => ({ params: { path: { userId } } });
const cancel = (workflowId: string) =>
  owner.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId } } });
const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: '/tmp', ...env });

/** The contract of an operation. */
function declared(id: OperationId) {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`The contract does not know ${id}.`);
  const types = (status: number) => operation.responses.get(status)?.media.map(({ type }) => type);
  return { ...operation, types };
}

describe('decision', () => {
  test('1: tables, records, cases, workspaces and definitions are neither created nor changed by an operation', () => {
    const objects = /\/(tables|records|cases|workspaces|workflow-?definitions)(\/\{\w+\})?$/;
    const changing = operations.filter(
      ({ method, template }) => method.toUpperCase() !== 'GET' && objects.test(template),
    );
    expect(changing.map(({ id }) => id)).toEqual([]);
  });

  test('2: a resource is stored with name, media type, size, digest, home workspace of the token, creator and time', async () => {
    const file = new File(['terms'], 'terms.txt', { type: 'text/plain' });
    const elsewhere = actor(await given.token({ user: world.member, homeWorkspace: otherWorkspace }));
    await given.membership({ workspace: otherWorkspace, user: world.member, role: 'viewer' });
    const { data } = await elsewhere.POST('/resources', { body: { file } });
    const rows = await database
      .selectFrom('resources')
      .selectAll()
      .where('id', '=', data?.resourceId ?? '')
      .execute();
    expect(rows).toMatchObject([
      {
        name: 'terms.txt',
        content_type: 'text/plain',
        size: 5,
        sha256: createHash('sha256').update('terms').digest(),
        workspace_id: otherWorkspace.id,
        created_by: world.member.id,
        created_at: clock.now(),
      },
    ]);
  });

  test('3: the size of an attachment is in bytes', async () => {
    expect((await attach(new File(['数字'], 'digits.txt'))).data?.size).toBe(6);
  });

  test("4: an attachment's signed URL is valid for 15 minutes, or as configured, and ends with the attachment", async () => {
    const { data } = await attach(new File(['x'], 'x'));
    const link = await linkTo(data?.id ?? '');
    clock.forward(15 * minute - 1);
    await bodyOf(200, fetch(link));
    clock.forward(1);
    await expectRefusal(fetch(link), 410, 'link_expired');
    const fresh = await linkTo(data?.id ?? '');
    await bodyOf(200, fetch(fresh));
    const path = { ...place, attachmentId: data?.id ?? '' };
    await bodyOf(204, owner.DELETE(`${collection}/{attachmentId}`, { params: { path } }));
    await expectRefusal(fetch(fresh), 404, 'attachment_not_found');
    expect(config().attachmentLinkMinutes).toBe(15);
    expect(config({ ATTACHMENT_LINK_MINUTES: '5' }).attachmentLinkMinutes).toBe(5);
  });

  test('5: the type of a sandbox workspace is SANDBOX', () => {
    expect(schemas.WorkspaceType.enum).toEqual(['LIVE', 'SANDBOX']);
  });

  test('6: a result above 9,000,000 bytes is replaced by an object with a media type of its own', () => {
    const redirect = 'application/vnd.wrp.result-redirect+json';
    expect(declared('getWorkflowResult').types(200)).toEqual(['application/json', redirect]);
    const { required, properties } = schemas.ResultRedirect;
    expect(required).toEqual(['redirectUrl', 'expiresAt', 'size', 'sha256']);
    expect(properties.size.minimum).toBe(9_000_001);
  });

  test('9: an execution is RUNNING, then one of four, which never changes', async () => {
    expect(schemas.ExecutionStatus.enum).toEqual(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED']);
    const workflowId = await workflows.runningExecution();
    const responses = await Promise.all([1, 2, 3, 4].map(() => responseOf(cancel(workflowId))));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const seen = (await allEvents(database)).filter(({ data }) => JSON.stringify(data).includes(workflowId));
    expect(seen.map(({ type }) => type)).toEqual(['workflow.cancelled']);
  });

  test('12: a cancel responds with 204 and no body', () => {
    expect(declared('cancelWorkflow').types(204)).toEqual([]);
  });

  test('14: pem selects the format of a webhook key', () => {
    expect(parameters.Pem).toMatchObject({ name: 'pem', in: 'query', schema: { default: false } });
  });

  test('15: /parameters, /link and /link/send require a token and can_view_workspace', () => {
    for (const id of ['createParameterSet', 'getParameterSet', 'createLink', 'sendLink'] as const) {
      expect(declared(id)).toMatchObject({ secured: true, permission: 'can_view_workspace' });
    }
  });

  test('16: the token operations fail with 400, 401, 415, 500 and 502; others with 503 without a database', () => {
    for (const id of ['exchangeApiKey', 'refreshTokens'] as const) {
      const statuses = [...declared(id).responses.keys()];
      expect(statuses).toEqual(expect.arrayContaining([400, 401, 415, 500, 502]));
      expect(statuses).not.toContain(503);
    }
    for (const { template, responses } of operations)
      if (!template.startsWith('/auth/')) expect([...responses.keys()]).toContain(503);
  });

  test('18: these are event types', () => {
    const kinds = {
      workflow: ['started', 'completed', 'failed', 'cancelled', 'expired'],
      user: ['updated', 'role_changed', 'terminated', 'reinstated', 'mfa_reset'],
      membership: ['set', 'removed'],
      attachment: ['created', 'deleted'],
      resource: ['created'],
      parameters: ['created'],
      link: ['created', 'sent', 'used'],
    };
    const names = Object.entries(kinds).flatMap(([of, what]) => what.map((happened) => `${of}.${happened}`));
    expect(Object.keys(contract.webhooks)).toEqual(expect.arrayContaining(names));
  });

  test('19: an event contains what changed, where and when', () => {
    const fields = Object.values(contract.webhooks).map(
      ({ post }) => post.requestBody.content['application/json'].schema,
    );
    for (const { $ref } of fields) {
      const schema = schemas[$ref.split('/').at(-1) as 'UserUpdated'];
      const always = ['id', 'type', 'createdDateTime', 'organizationId', 'data'];
      expect(schema.required).toEqual(expect.arrayContaining(always));
    }
  });

  test('21: webhooks are declared by the operator: no operation registers one', () => {
    const about = operations.filter(({ template }) => template.includes('webhook'));
    expect(about.map(({ id, method }) => `${method.toLowerCase()} ${id}`)).toEqual([
      'get getWebhookKey',
      'get pollWebhookEvents',
    ]);
  });

  test('22: a webhook is signed with ES256, detached, under a header that names key and time', () => {
    const { name, example } = parameters.WebhookSignature;
    expect(name).toBe('Webhook-Signature');
    const [head = '', payload, signature = ''] = example.split('.');
    const protectedHeader = JSON.parse(Buffer.from(head, 'base64url').toString());
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: expect.any(String), iat: expect.any(Number) });
    expect(payload).toBe('');
    expect(Buffer.from(signature, 'base64url')).toHaveLength(64);
    for (const { post } of Object.values(contract.webhooks)) {
      expect(post.parameters).toContainEqual({ $ref: '#/components/parameters/WebhookSignature' });
    }
  });

  test('23: error codes are a documented list, each with its message', () => {
    expect(schemas.ErrorCode.enum.toSorted()).toEqual(Object.keys(errorMessages).sort());
    for (const sentence of Object.values(errorMessages)) expect(sentence).toMatch(/^\S.*\.$/);
    expect(schemas.ErrorItem.properties.code).toEqual({ $ref: '#/components/schemas/ErrorCode' });
  });

  test('24: all operations fail with the same body', () => {
    const errors = operations.flatMap(({ responses }) =>
      [...responses.values()].filter(({ status }) => status >= 400).flatMap(({ media }) => media),
    );
    for (const { type, schema } of errors)
      expect({ type, schema }).toEqual({ type: 'application/json', schema: errorSchema });
  });

  test('25: 600 requests, 60 uploads and 20 sign-ins a minute by default', () => {
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
  });

  test('26: a page has at most 100 entries; a larger size is refused, not cut', () => {
    expect(parameters.PageSize.schema).toMatchObject({ default: 20, minimum: 1, maximum: 100 });
  });

  test('27: an upload has at most 100 MiB by default, and 5 GiB if configured', () => {
    expect(config().uploadLimit).toBe(100 * 2 ** 20);
    expect(config({ MAX_UPLOAD_BYTES: String(5 * 2 ** 30) }).uploadLimit).toBe(5 * 2 ** 30);
    expect(() => config({ MAX_UPLOAD_BYTES: String(5 * 2 ** 30 + 1) })).toThrow('MAX_UPLOAD_BYTES');
  });

  test('28: this is version 3', () => {
    expect(contract.info.version).toMatch(/^3\.\d+\.\d+$/);
    expect(Object.keys(contract.paths).filter((path) => /^\/v\d/.test(path))).toEqual([]);
  });

  test('33: nothing grows without limit, and each limit is declared exactly where it can be reached', () => {
    // What the platform does: retention.test.ts, storage-quota.test.ts and long-lists.slow.test.ts.
    expect(readConfig({})).toMatchObject({
      retention: { executions: 400, links: 90, parameterSets: 400, resources: undefined },
      storageQuota: undefined,
    });
    const declaring = (status: number, code: string) =>
      operations.filter(({ responses }) => responses.get(status)?.codes.includes(code)).map(({ id }) => id);
    expect(declaring(413, 'storage_quota_exceeded').sort()).toEqual(['createAttachment', 'uploadResource']);
    expect(declaring(409, 'too_many_attachments')).toEqual(['createAttachment']);
    expect(declaring(409, 'too_many_members')).toEqual(['setMembership']);
    expect([maxAttachments, maxMembers]).toEqual([10_000, 10_000]);
    const { get } = contract.paths['/tables/{tableId}/records/{recordId}/attachments'];
    expect(get.responses['200'].content['application/json'].schema.maxItems).toBe(maxAttachments);
    const { directMemberships } = contract.components.schemas.WorkspaceMemberships.properties;
    expect(directMemberships.maxItems).toBe(maxMembers);
  });

  test('34: responses may gain properties; requests have no others than those of the contract', async () => {
    type Media = { content?: Record<string, { schema?: { $ref?: string } }> };
    type Declared = { requestBody?: Media; responses?: Record<string, Media> };
    const closedOf = ({ content = {} }: Media) =>
      Object.values(content).flatMap(({ schema: { $ref = '' } = {} }) => {
        const { type, additionalProperties } = (schemas as Record<string, Record<string, unknown>>)[
          $ref.slice('#/components/schemas/'.length)
        ] ?? { type: undefined };
        return type === 'object' ? [additionalProperties === false] : [];
      });
    const declared = Object.values(contract.paths).flatMap((methods) => Object.values(methods) as Declared[]);
    const requests = declared.flatMap(({ requestBody = {} }) => closedOf(requestBody));
    const responses = declared.flatMap((each) => Object.values(each.responses ?? {}).flatMap(closedOf));
    expect([new Set(requests), new Set(responses)]).toEqual([new Set([true]), new Set([false])]);
    const body = { title: 'Clerk', nickname: 'Ada' } as { title: string };
    const { error } = await owner.PUT('/organizations/users/{userId}/profile', {
      ...user(world.member.id),
      body,
    });
    expect(error?.errors).toMatchObject([{ code: 'body_invalid', pointer: expect.any(String) }]);
  });

  test('36: HEAD has the status and headers of GET', async () => {
    // Each path: head.test.ts of the sweeps.
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) =>
        fetch(`${platform.baseUrl}/organizations/users/${world.member.id}`, {
          method,
          headers: { Authorization: world.owner.token },
        }),
      ),
    );
    expect([head?.status, await head?.text()]).toEqual([200, '']);
    const named = (response?: Response) =>
      ['content-type', 'content-length', 'etag', 'cache-control'].map((name) => response?.headers.get(name));
    expect(named(head)).toEqual(named(get));
  });

  test('37: 60 refused attempts a minute, and 10 mails an hour to one contact', () => {
    expect(config().refusedAttempts).toBe(60);
    expect(config({ REFUSED_ATTEMPTS_PER_MINUTE: '7' }).refusedAttempts).toBe(7);
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
      ['["\\u0000"]', 'parameters[0] must not contain NUL (U+0000)'],
      ['["\\ud800"]', 'parameters[0] must not contain a lone surrogate (U+D800 to U+DFFF)'],
      ['[1e400]', 'parameters[0] must be in the range of IEEE 754 doubles'],
    ] as const)
      await expectRefusal(store(json), 400, 'body_invalid', { message, pointer: '/parameters/0' });
    const message = 'The body is nested more than 200 levels deep.';
    await expectRefusal(store(levels(200)), 400, 'body_invalid', { message });
    for (const name of ['ParameterSetRequest', 'ParameterSet'] as const)
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

  test('40: a change of a profile needs at least one field; title may be empty', () => {
    const { minProperties, properties } = schemas.ProfileUpdate;
    expect([minProperties, 'minLength' in properties.title]).toEqual([1, false]);
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

  test('43: dates and times are exactly those of RFC 3339; test/contract/date-times.test.ts has a table', async () => {
    const { id: workflowDefinitionId } = world.workflowDefinition;
    const start = (expiresAt: string) =>
      owner.POST('/workflows', { body: { workflowDefinitionId, expiresAt } });
    const day = new Date(clock.now().getTime() + 24 * 60 * minute).toISOString().slice(0, 10);
    for (const time of [
      'T10:00:00+00',
      'T10:00:00+0000',
      ' 10:00:00Z',
      'T24:00:00Z',
      'T22:59:60Z',
      'T23:59:60-05:00',
    ])
      await expectRefusal(start(day + time), 400, 'body_invalid');
    const expiries = [];
    for (const time of ['t10:00:00.123456789z', 'T18:59:60-05:00', 'T23:59:60.5Z', 'T00:00:00-00:00']) {
      const { id } = (await bodyOf(200, start(day + time))) as { id: string };
      const { expires_at: at } = await database
        .selectFrom('executions')
        .select('expires_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expiries.push(at.getTime() - Date.parse(day));
    }
    const wholeDay = 24 * 60 * minute;
    expect(expiries).toEqual([10 * 60 * minute + 123, wholeDay, wholeDay + 500, 0]);
  });
});
