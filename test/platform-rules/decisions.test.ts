import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { errorMessages } from '../../generated/operations.ts';
import { readConfig } from '../../server/src/config.ts';
import type { OperationId } from '../../server/src/http/operation.ts';
import { api } from '../support/api.ts';
import { allEvents, eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { operations } from '../sweeps/support/contract.ts';
import { type Fault, fragileDatabase, tableLost } from '../sweeps/support/faults.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

/**
 * One test for each number up to 24 of the guide "Limits and decisions": it fails when the contract or the platform no longer
 * does as the guide says.
 */
const fragile = await fragileDatabase();
const platform = await api({ databaseUrl: fragile.url });
const { owner, member, anonymous, world, given, database, clock } = platform;
const { organization, workspace } = world;
const workflows = workflowsOf(platform);
const { schemas, parameters } = contract.components;

const second = 1000;
const minute = 60 * second;
const place = { tableId: world.table.id, recordId: world.record.id };
const collection = '/tables/{tableId}/records/{recordId}/attachments';
const attach = (file: File, tags: string[] = []) =>
  owner.POST(collection, { params: { path: place }, body: { file, tags } });
const linkTo = async (attachmentId: string) => {
  const params = { path: { ...place, attachmentId } };
  return (await owner.GET(`${collection}/{attachmentId}`, { params })).data?.link ?? '';
};
const user = (userId: string) => ({ params: { path: { userId } } });
const terminate = (userId: string) => owner.POST('/organizations/users/{userId}/terminate', user(userId));
const post = (path: string, body: string, type = 'application/json') =>
  anonymous.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body });
const cancel = (workflowId: string) =>
  owner.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId } } });
const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: '/tmp', ...env });

async function signIn() {
  const somebody = await given.user({ organization });
  const apiKey = await given.apiKey({ user: somebody, homeWorkspace: workspace });
  return (await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }))) as {
    accessToken: string;
    refreshToken: string;
  };
}

async function during(outage: Fault, look: () => Promise<unknown>): Promise<void> {
  await outage.begin();
  try {
    await look();
  } finally {
    await outage.end();
  }
}

/** The contract of an operation. */
function declared(id: OperationId) {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`The contract does not know ${id}.`);
  const successes = [...operation.responses.keys()].filter((status) => status < 300);
  const codes = (status: number) => operation.responses.get(status)?.codes ?? [];
  const types = (status: number) => operation.responses.get(status)?.media.map(({ type }) => type);
  return { ...operation, successes, codes, types };
}

describe('decision', () => {
  test('1: tables, records, cases, workspaces and definitions exist, and no operation creates or changes them', async () => {
    const absent = randomUUID();
    const path = { ...place, tableId: absent };
    await expectRefusal(owner.GET(collection, { params: { path } }), 404, 'table_not_found');
    const noRecord = { ...place, recordId: absent };
    await expectRefusal(owner.GET(collection, { params: { path: noRecord } }), 404, 'record_not_found');
    const body = { workflowDefinitionId: absent, parameters: {} };
    await expectRefusal(owner.POST('/parameters', { body }), 404, 'workflow_definition_not_found');
    const objects = /\/(tables|records|cases|workspaces|workflow-?definitions)(\/\{\w+\})?$/;
    const changing = operations.filter(
      ({ method, template }) => method.toUpperCase() !== 'GET' && objects.test(template),
    );
    expect(changing.map(({ id }) => id)).toEqual([]);
  });

  test('2: a resource is stored with name, media type, size, digest, workspace, creator and time', async () => {
    const file = new File(['terms'], 'terms.txt', { type: 'text/plain' });
    const { data } = await member.POST('/resources', { body: { file } });
    const rows = await database
      .selectFrom('resources')
      .selectAll()
      .where('id', '=', data?.resourceId ?? '')
      .execute();
    expect(rows).toMatchObject([
      {
        ...{ name: 'terms.txt', content_type: 'text/plain', size: 5 },
        sha256: createHash('sha256').update('terms').digest(),
        ...{ workspace_id: workspace.id, created_by: world.member.id, created_at: clock.now() },
      },
    ]);
  });

  test('3: the size of an attachment is in bytes', async () => {
    expect((await attach(new File(['数字'], 'digits.txt'))).data?.size).toBe(6);
  });

  test("4: an attachment's signed URL is valid for 15 minutes, or as configured, and ends with the attachment", async () => {
    const { data } = await attach(new File(['x'], 'x'));
    const link = await linkTo(data?.id ?? '');
    clock.forward(15 * minute);
    await expectRefusal(fetch(link), 410, 'link_expired');
    const fresh = await linkTo(data?.id ?? '');
    await bodyOf(200, fetch(fresh));
    const path = { ...place, attachmentId: data?.id ?? '' };
    await bodyOf(204, owner.DELETE(`${collection}/{attachmentId}`, { params: { path } }));
    await expectRefusal(fetch(fresh), 404, 'attachment_not_found');
    expect(config().attachmentLinkMinutes).toBe(15);
    expect(config({ ATTACHMENT_LINK_MINUTES: '5' }).attachmentLinkMinutes).toBe(5);
  });

  test('5: the type of a sandbox workspace is SANDBOX', async () => {
    expect(schemas.WorkspaceType.enum).toEqual(['LIVE', 'SANDBOX']);
    const { id } = await given.workspace({ organization, type: 'SANDBOX' });
    const { data } = await owner.GET('/organizations/workspaces');
    expect(data?.find((one) => one.id === id)?.workspaceType).toBe('SANDBOX');
  });

  test('6: a result above 9,000,000 bytes is replaced by an object with a media type of its own', () => {
    const redirect = 'application/vnd.wrp.result-redirect+json';
    expect(declared('getWorkflowResult').types(200)).toEqual(['application/json', redirect]);
    const { required, properties } = schemas.ResultRedirect;
    expect(required).toEqual(['redirectUrl', 'expiresAt', 'size', 'sha256']);
    expect(properties.size.minimum).toBe(9_000_001);
  });

  test('7: a terminated user may be terminated again, an active one not reinstated', async () => {
    const { id } = await given.user({ organization });
    const first = await bodyOf(200, terminate(id));
    expect(await bodyOf(200, terminate(id))).toEqual(first);
    const body = { roleId: organization.roles.member };
    const reinstate = () => owner.POST('/organizations/users/{userId}/reinstate', { ...user(id), body });
    await bodyOf(200, reinstate());
    await expectRefusal(reinstate(), 409, 'user_not_terminated');
  });

  test('8: a cancelled execution stays CANCELLED when cancelled again; another ended one is refused', async () => {
    const params = { path: { workflowId: await workflows.runningExecution() } };
    for (const _ of [1, 2]) await bodyOf(204, cancel(params.path.workflowId));
    expect(await bodyOf(200, owner.GET('/workflows/{workflowId}', { params }))).toMatchObject({
      status: 'CANCELLED',
    });
    await expectRefusal(cancel(await workflows.executionWithResult()), 409, 'execution_already_ended');
  });

  test('9: an execution is RUNNING, then one of four, which never changes', async () => {
    expect(schemas.ExecutionStatus.enum).toEqual(['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED']);
    const workflowId = await workflows.runningExecution();
    const responses = await Promise.all([1, 2, 3, 4].map(() => responseOf(cancel(workflowId))));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const seen = (await allEvents(database)).filter(({ data }) => JSON.stringify(data).includes(workflowId));
    expect(seen.map(({ type }) => type)).toEqual(['workflow.cancelled']);
  });

  test('10: a body that names another user than the path is refused: 400 user_id_mismatch', async () => {
    const refused = owner.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
      params: { path: { workspaceId: workspace.id, userId: world.member.id } },
      body: { userId: world.outsider.id, roleId: workspace.roles.viewer },
    });
    await expectRefusal(refused, 400, 'user_id_mismatch');
  });

  test('11: a start requires a definition only', async () => {
    expect(schemas.WorkflowStart.required).toEqual(['workflowDefinitionId']);
    const body = { workflowDefinitionId: await workflows.definitionId() };
    const execution = await bodyOf(200, owner.POST('/workflows', { body }));
    expect(execution).toMatchObject({ ...body, locale: 'en', parameters: {}, status: 'RUNNING' });
  });

  test('12: a cancel responds with 204 and no body', async () => {
    const response = await responseOf(cancel(await workflows.runningExecution()));
    expect(response).toMatchObject({ status: 204, body: undefined });
  });

  test('13: /link/send mails the link, and so requires a contact', async () => {
    const workflowDefinitionId = await workflows.definitionId();
    const nobody = { caseId: await workflows.caseWithoutContact(), workflowDefinitionId };
    await bodyOf(201, owner.POST('/link', { body: nobody }));
    await expectRefusal(owner.POST('/link/send', { body: nobody }), 400, 'case_has_no_contact');
    const somebody = { caseId: await workflows.caseWithContact(), workflowDefinitionId };
    const events = await eventsOf(database, () => bodyOf(201, owner.POST('/link/send', { body: somebody })));
    expect(events.map(({ type }) => type)).toContain('link.created');
  });

  test('14: pem selects the format of a webhook key', async () => {
    expect(parameters.Pem).toMatchObject({ name: 'pem', in: 'query', schema: { default: false } });
    const path = `/auth/webhooks/key/${await workflows.webhookKey()}`;
    const [der, pem] = [
      await responseOf(anonymous.fetch(path)),
      await responseOf(anonymous.fetch(`${path}?pem=true`)),
    ];
    expect(der.headers.get('Content-Type')).toMatch(/^text\/plain\b/);
    expect(pem.headers.get('Content-Type')).toMatch(/^application\/x-pem-file\b/);
    expect(String(pem.body)).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const lines = String(pem.body)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('-'));
    expect(lines.join('')).toBe(der.body);
  });

  test('15: /parameters, /link and /link/send require a token and can_view_workspace', async () => {
    for (const id of ['createParameterSet', 'getParameterSet', 'createLink', 'sendLink'] as const) {
      expect(declared(id)).toMatchObject({ secured: true, permission: 'can_view_workspace' });
    }
    const body = { workflowDefinitionId: world.workflowDefinition.id, parameters: {} };
    await expectRefusal(anonymous.POST('/parameters', { body }), 401, 'credentials_missing');
    await expectRefusal(platform.outsider.POST('/parameters', { body }), 403, 'permission_denied');
  });

  test('16: the token operations fail with 400, 401, 415, 500 and 502; others with 503 without a database', async () => {
    await expectRefusal(post('/auth/authorize', '{"key":"k"}'), 400, 'body_invalid');
    await expectRefusal(post('/auth/authorize', '{"key":"k","secret":"s"}'), 401, 'credentials_invalid');
    await expectRefusal(post('/auth/authorize', 'key=k', 'text/plain'), 415, 'content_type_unsupported');
    await during(tableLost(fragile, 'api_keys'), () =>
      expectRefusal(post('/auth/authorize', '{"key":"k","secret":"s"}'), 500, 'internal_error'),
    );
    await during(fragile.line, async () => {
      await expectRefusal(post('/auth/authorize', '{"key":"k","secret":"s"}'), 502, 'upstream_unavailable');
      const { headers: seen } = await expectRefusal(
        owner.GET('/organizations/roles'),
        503,
        'service_unavailable',
      );
      expect(Number(seen.get('Retry-After'))).toBeGreaterThan(0);
    });
    await bodyOf(200, owner.GET('/organizations/roles'));
  });

  test('17: a refresh token is used once, with a grace period of 10 seconds, and ends with its family', async () => {
    const first = await signIn();
    const refresh = ({ refreshToken }: { refreshToken: string }) =>
      anonymous.POST('/auth/refresh', { body: { refreshToken } });
    const next = (await bodyOf(200, refresh(first))) as typeof first;
    clock.forward(10 * second);
    await bodyOf(200, refresh(first));
    clock.forward(1);
    await expectRefusal(refresh(first), 401, 'credentials_invalid');
    await expectRefusal(refresh(next), 401, 'credentials_invalid');
  });

  test('18: these are the event types', () => {
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
    expect(Object.keys(contract.webhooks).sort()).toEqual(names.sort());
  });

  test('19: an event contains what changed, where and when, in less than 20 kB', async () => {
    const longest = (letter: string, count: number) => letter.repeat(count);
    const tags = Array.from({ length: 20 }, () => longest('🦉', 64));
    const events = await eventsOf(database, () => attach(new File(['x'], longest('数', 255)), tags));
    // Executions of other tests may end meanwhile, and their mail may be sent.
    expect(events.filter(({ type }) => type.startsWith('attachment.'))).toMatchObject([
      {
        ...{ type: 'attachment.created', createdDateTime: clock.now().toISOString() },
        ...{ organizationId: organization.id, workspaceId: workspace.id },
      },
    ]);
    const fields = Object.values(contract.webhooks).map(
      ({ post }) => post.requestBody.content['application/json'].schema,
    );
    for (const { $ref } of fields) {
      const schema = schemas[$ref.split('/').at(-1) as 'UserUpdated'];
      const always = ['id', 'type', 'createdDateTime', 'organizationId', 'data'];
      expect(schema.required).toEqual(expect.arrayContaining(always));
    }
    for (const event of await allEvents(database))
      expect(JSON.stringify(event.data).length).toBeLessThan(20_000);
  });

  test('20: an event and its change happen together or not at all', async () => {
    const { id } = await given.user({ organization });
    await during(tableLost(fragile, 'events'), () => expectRefusal(terminate(id), 500, 'internal_error'));
    const { data } = await owner.GET('/organizations/users/{userId}', user(id));
    expect(data?.profile.status).toBe('ACTIVE');
    const events = await eventsOf(database, () => terminate(id));
    // Executions of other tests may end meanwhile.
    const seen = events.filter(({ data }) => JSON.stringify(data).includes(id));
    expect(seen.map(({ type }) => type)).toEqual(['user.terminated']);
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

  test('24: the token operations fail with the same body as all others', async () => {
    const refusals = [post('/auth/authorize', '{'), post('/auth/refresh', '{'), owner.fetch('/no-such-path')];
    for (const refusal of refusals) {
      expect((await responseOf(refusal)).body).toEqual({
        fingerprint: expect.any(String),
        errors: [expect.objectContaining({ code: expect.any(String), message: expect.any(String) })],
      });
    }
  });
});
