import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../generated/types.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { type Event, eventsOf } from '../support/events.ts';
import { executionsOf, type Start } from '../support/executions.ts';
import type { KnownOrganization } from '../support/given.ts';
import { testVisibleList } from '../support/lists.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, world, given, database, clock, actor } = platform;
const { workspace, otherWorkspace, record, workflowDefinition } = world;
const { id: workflowDefinitionId } = workflowDefinition;
const executions = executionsOf(owner);
const anyUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const minute = 60_000;
const day = 24 * 60 * minute;

const rolesOf = async (organizationId: string) => {
  const roles = await database
    .selectFrom('organization_roles')
    .select(['name', 'id'])
    .where('organization_id', '=', organizationId)
    .execute();
  return Object.fromEntries(roles.map(({ name, id }) => [name, id])) as KnownOrganization['roles'];
};

const post = (body: Start) => owner.POST('/workflows', { body: body as never });
const ago = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

/** Other executions may end meanwhile. */
const eventsAbout = (id: string, events: Event[]) =>
  events.filter(({ data }) => (data as { workflowId?: string }).workflowId === id);

const waiting = await given.workflowDefinition({
  workspace,
  definition: definitionOf({ Pause: { Type: 'Wait', Seconds: 3600, End: true } }),
});
const failing = await given.workflowDefinition({
  workspace,
  definition: definitionOf({ Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: 'It was to.' } }),
});

describe('listWorkflows', () => {
  testVisibleList(platform, {
    path: '/workflows',
    order: 'newest first',
    named: false,
    async add(workspace, name) {
      const owner = await given.caller({
        organization: { id: workspace.organizationId, roles: await rolesOf(workspace.organizationId) },
        role: 'owner',
        homeWorkspace: workspace,
      });
      const { id } = await given.workflowDefinition({ workspace, name });
      return (await executionsOf(actor(owner.token)).start({ workflowDefinitionId: id })).id;
    },
  });

  const list = (query: object) => bodyOf(200, owner.GET('/workflows', { params: { query } }));

  test('filters by definition and status, and returns all but parameters and display hints', async () => {
    const other = await given.workflowDefinition({ workspace });
    await executions.start({ workflowDefinitionId: other.id });
    const running = await executions.start({ workflowDefinitionId: waiting.id, recordId: record.id });
    clock.forward(1000);
    const failed = await executions.ended(
      await executions.start({ workflowDefinitionId: failing.id }),
      'FAILED',
    );
    const summaryOf = ({ parameters, uiOptions, ...rest }: WorkflowExecution) => rest;
    expect(await list({ workflowDefinitionId: waiting.id, status: 'RUNNING' })).toEqual({
      content: [summaryOf(running)],
    });
    expect(await list({ workflowDefinitionId: waiting.id, status: 'FAILED' })).toEqual({ content: [] });
    const [first] = ((await list({ status: 'FAILED' })) as { content: object[] }).content;
    expect(first).toEqual(summaryOf(failed));
  });

  test('refuses a status that does not exist: 400', async () => {
    await expectRefusal(
      owner.GET('/workflows', { params: { query: { status: 'DONE' as never } } }),
      400,
      'parameter_invalid',
    );
  });
});

describe('listWorkflows with its filters', () => {
  const list = async (query: object) =>
    (
      (await bodyOf(200, owner.GET('/workflows', { params: { query } }))) as { content: { id: string }[] }
    ).content.map(({ id }) => id);

  test('finds by record, error and start', async () => {
    clock.forward(1000);
    const about = await given.record({ table: await given.table({ workspace }) });
    const since = clock.now().toISOString();
    const first = await executions.start({ workflowDefinitionId: waiting.id, recordId: about.id });
    clock.forward(1000);
    const until = clock.now().toISOString();
    const second = await executions.start({ workflowDefinitionId: failing.id, recordId: about.id });
    await executions.ended(second, 'FAILED');
    expect(await list({ recordId: about.id })).toEqual([second.id, first.id]);
    expect(await list({ recordId: about.id.toUpperCase(), status: 'RUNNING' })).toEqual([first.id]);
    expect(await list({ recordId: about.id, error: 'Test.Stopped' })).toEqual([second.id]);
    expect(await list({ recordId: about.id, createdUntil: until })).toEqual([first.id]);
    expect(await list({ recordId: about.id, createdSince: until })).toEqual([second.id]);
    expect(await list({ createdSince: since, createdUntil: until, workspaceId: workspace.id })).toEqual([
      first.id,
    ]);
    expect(await list({ createdSince: since, error: 'Test.Stopped' })).toEqual([second.id]);
    expect(await list({ createdSince: since, error: 'Test.Stopped', status: 'RUNNING' })).toEqual([]);
    expect(await list({ recordId: about.id, workflowDefinitionId: failing.id })).toEqual([second.id]);
    const stranger = platform.stranger.GET('/workflows', { params: { query: { recordId: about.id } } });
    expect(await bodyOf(200, stranger)).toEqual({ content: [] });
  });

  test.each([{ createdSince: '2026-11-30' }, { createdUntil: 'x' }, { recordId: 'x' }, { error: '' }])(
    'refuses %j: 400',
    async (query) => {
      await expectRefusal(owner.GET('/workflows', { params: { query } }), 400, 'parameter_invalid');
    },
  );
});

describe('listWorkflowHistory', () => {
  const page = (id: string, query: object = {}) =>
    bodyOf(
      200,
      owner.GET('/workflows/{workflowId}/history', { params: { path: { workflowId: id }, query } }),
    ) as Promise<{ content: { state: string }[]; nextCursor?: string }>;
  const states = {
    One: { Type: 'Pass', Output: { token: 'hidden', n: 1 }, Assign: { seen: true }, Next: 'Both' },
    Both: {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'In', States: { In: { Type: 'Pass', Output: { text: 'a'.repeat(70_000) }, End: true } } },
      ],
      Output: {},
      Next: 'Stop',
    },
    Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: 'Bearer abcdefghijklmnopqrst' },
  };
  const run = async () => {
    const definition = await given.workflowDefinition({
      workspace,
      definition: definitionOf(states as never),
    });
    return executions.ended(await executions.start({ workflowDefinitionId: definition.id }), 'FAILED');
  };

  test('returns every entry in order, without secrets, and large values as their size', async () => {
    const { id } = await run();
    const { content, nextCursor } = await page(id);
    expect(nextCursor).toBeUndefined();
    expect(content).toMatchObject([
      {
        type: 'STATE_COMPLETED',
        state: 'One',
        stateType: 'Pass',
        output: { size: 28, value: { token: '[redacted]', n: 1 } },
        assigned: { value: { seen: true } },
      },
      { type: 'BRANCHES_STARTED', state: 'Both', branches: 1 },
      { type: 'STATE_COMPLETED', state: 'In', branch: 'Both[0]', output: { size: 70_011 } },
      { type: 'STATE_COMPLETED', state: 'Both', result: { size: 70_013 }, output: { value: {} } },
      {
        type: 'STATE_FAILED',
        state: 'Stop',
        failure: { error: 'Test.Stopped', cause: 'Bearer [redacted]' },
        input: { size: 2, value: {} },
      },
    ]);
    expect(content[2]).not.toHaveProperty('output.value');
  });

  test.each([1, 2, 5])('returns each entry once in pages of %i', async (size) => {
    const { id } = await run();
    const names: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { content, nextCursor } = await page(id, { size, ...(cursor && { cursor }) });
      names.push(...content.map(({ state }) => state));
      cursor = nextCursor;
      if (!cursor) break;
    }
    expect(names).toEqual(['One', 'Both', 'In', 'Both', 'Stop']);
  });

  test('ends a page at 4 MiB, and continues after it', async () => {
    const { id } = await executions.ended(await executions.start({ workflowDefinitionId }));
    const detail = JSON.stringify({ type: 'Pass', output: 'a'.repeat(60_000), input: 'b'.repeat(60_000) });
    const entry = {
      execution_id: id,
      thread_id: randomUUID(),
      at: clock.now(),
      kind: 'state',
      state: 'A',
      detail,
    };
    await database
      .insertInto('execution_history')
      .values(Array.from({ length: 80 }, () => entry))
      .execute();
    const sizes: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const { content, nextCursor } = await page(id, { size: 100, ...(cursor && { cursor }) });
      sizes.push(content.length);
      cursor = nextCursor;
      if (!cursor) break;
    }
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThanOrEqual(80);
    expect(Math.max(...sizes)).toBeLessThan(40);
  });

  test('refuses a cursor of another execution: 400', async () => {
    const [one, other] = [await run(), await run()];
    const { nextCursor: cursor } = await page(one.id, { size: 1 });
    const params = { path: { workflowId: other.id }, query: { cursor } };
    await expectRefusal(
      owner.GET('/workflows/{workflowId}/history', { params: params as never }),
      400,
      'parameter_invalid',
    );
  });

  test('refuses a caller who may see the result, but not the history: 403', async () => {
    const { id } = await run();
    const viewer = await given.caller({
      organization: world.organization,
      role: 'member',
      homeWorkspace: workspace,
    });
    await given.membership({ workspace, user: viewer, role: 'viewer' });
    const params = { path: { workflowId: id } };
    await bodyOf(200, actor(viewer.token).GET('/workflows/{workflowId}', { params }));
    await expectRefusal(
      actor(viewer.token).GET('/workflows/{workflowId}/history', { params }),
      403,
      'permission_denied',
    );
  });
});

describe('startWorkflow', () => {
  test('responds at once with RUNNING and every field', async () => {
    const definition = await given.workflowDefinition({
      workspace,
      name: 'claims',
      defaultLocale: 'de',
      uiOptions: { title: 'Claim' },
    });
    const parameters = { claim: 'Ä-1', nested: [{ deep: null }], amount: 1.5 };
    const expiresAt = ago(2 * 60 * minute);
    const body = await bodyOf(
      200,
      post({ workflowDefinitionId: definition.id, locale: 'fr', parameters, expiresAt, recordId: record.id }),
    );
    expect(body).toEqual({
      id: anyUuid,
      workspaceId: workspace.id,
      workflowDefinitionId: definition.id,
      parameters,
      name: 'claims',
      revision: '1',
      status: 'RUNNING',
      locale: 'fr',
      createdDateTime: clock.now().toISOString(),
      expiresAt,
      uiOptions: { title: 'Claim' },
      recordId: record.id,
      executionType: 'BACKGROUND',
      executionVersion: 1,
      origin: { workspaceId: workspace.id, type: 'API' },
    });
  });

  test('decision 11: requires the definition alone: defaults are no parameters, its locale, 30 days, no record', async () => {
    const definition = await given.workflowDefinition({ workspace, defaultLocale: 'de-CH' });
    const body = await bodyOf(200, post({ workflowDefinitionId: definition.id }));
    expect(body).toMatchObject({ parameters: {}, locale: 'de-CH', expiresAt: ago(30 * day) });
    expect(body).not.toHaveProperty('recordId');
  });

  test('accepts an expiry from 30 minutes to 30 days, inclusive', async () => {
    for (const expiresAt of [ago(30 * minute), ago(30 * day)]) {
      expect(await bodyOf(200, post({ workflowDefinitionId, expiresAt }))).toMatchObject({ expiresAt });
    }
    const elsewhere = ago(day).replace('Z', '456789+00:00');
    expect(await bodyOf(200, post({ workflowDefinitionId, expiresAt: elsewhere }))).toMatchObject({
      expiresAt: ago(day),
    });
    for (const expiresAt of [ago(30 * minute - 1), ago(30 * day + 1), ago(-minute)]) {
      const start = post({ workflowDefinitionId, expiresAt });
      await expectRefusal(start, 400, 'expiry_out_of_range', { pointer: '/expiresAt' });
    }
  });

  test('refuses invalid parameters: 400 with a pointer for each', async () => {
    const { id } = await given.workflowDefinition({
      workspace,
      inputSchema: {
        type: 'object',
        required: ['claim'],
        additionalProperties: false,
        properties: { claim: { type: 'string' }, 'a/b': { type: 'array', items: { type: 'integer' } } },
      },
    });
    const { status, body } = await responseOf(
      post({ workflowDefinitionId: id, parameters: { 'a/b': [1, 'two'], other: 1 } }),
    );
    expect(status).toBe(400);
    const { errors } = body as { errors: { code: string; pointer: string }[] };
    expect(errors.map(({ code, pointer }) => [code, pointer]).sort()).toEqual([
      ['parameters_mismatch', '/parameters/a~1b/1'],
      ['parameters_mismatch', '/parameters/claim'],
      ['parameters_mismatch', '/parameters/other'],
    ]);
  });

  test('refuses a record of another workspace and an unknown one', async () => {
    const table = await given.table({ workspace: otherWorkspace });
    const elsewhere = await given.record({ table });
    for (const recordId of [elsewhere.id, randomUUID()]) {
      const start = post({ workflowDefinitionId, recordId });
      await expectRefusal(start, 400, 'record_mismatch', { pointer: '/recordId' });
    }
  });

  test('starts nothing if it refuses', async () => {
    const events = await eventsOf(database, () => post({ workflowDefinitionId, recordId: randomUUID() }));
    expect(events.filter(({ type }) => type === 'workflow.started')).toEqual([]);
  });

  test('emits workflow.started', async () => {
    let id = '';
    const events = await eventsOf(database, async () => {
      ({ id } = await executions.start({ workflowDefinitionId: waiting.id, recordId: record.id }));
    });
    expect(eventsAbout(id, events)).toEqual([
      expect.objectContaining({
        type: 'workflow.started',
        workspaceId: workspace.id,
        data: {
          workflowId: id,
          workflowDefinitionId: waiting.id,
          recordId: record.id,
          status: 'RUNNING',
          executionType: 'BACKGROUND',
          executionVersion: 1,
        },
      }),
    ]);
  });
});

describe('getWorkflow', () => {
  test('returns a running and an ended execution', async () => {
    const running = await executions.start({ workflowDefinitionId: waiting.id });
    expect(await executions.read(running.id)).toEqual(running);
    const started = await executions.start({ workflowDefinitionId, parameters: { a: 1 } });
    const ended = await executions.ended(started);
    const endedDateTime = clock.now().toISOString();
    expect(ended).toEqual({ ...started, status: 'COMPLETED', endedDateTime, executionVersion: 2 });
  });
});

describe('cancelWorkflow', () => {
  test('decision 8: ends a running execution and emits one event: 204, and 204 again', async () => {
    const { id } = await executions.start({ workflowDefinitionId: waiting.id });
    const events = await eventsOf(database, async () => {
      expect((await executions.cancel(id)).response.status).toBe(204);
      expect((await executions.cancel(id)).response.status).toBe(204);
    });
    expect(await executions.read(id)).toMatchObject({ status: 'CANCELLED', executionVersion: 2 });
    expect(eventsAbout(id, events).map(({ type, data }) => [type, data])).toEqual([
      ['workflow.cancelled', expect.objectContaining({ workflowId: id, executionVersion: 2 })],
    ]);
  });

  test('refuses an execution that has ended: 409 execution_already_ended', async () => {
    for (const [definition, status] of [
      [workflowDefinition, 'COMPLETED'],
      [failing, 'FAILED'],
    ] as const) {
      const execution = await executions.start({ workflowDefinitionId: definition.id });
      await executions.ended(execution, status);
      const message = `The execution has already ended as ${status}.`;
      await expectRefusal(executions.cancel(execution.id), 409, 'execution_already_ended', { message });
    }
  });
});

describe('getWorkflowResult', () => {
  test('returns the output of the definition and who started it', async () => {
    const parameters = { b: 1, a: { c: ['ü', '𝄞'] } };
    const { id } = await executions.start({ workflowDefinitionId, parameters });
    await executions.ended({ id });
    const response = await executions.result(id);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Content-Disposition')).toBeNull();
    const text = await response.text();
    expect(Number(response.headers.get('Content-Length'))).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text)).toEqual({
      parameters,
      workflowId: id,
      createdDate: clock.now().toISOString(),
      origin: {
        userId: world.owner.id,
        firstName: 'Ada',
        lastName: 'Lane',
        email: world.owner.email,
        type: 'USER',
      },
    });
  });

  test('returns none before the end, after a failure, or after a cancel: 404 result_not_available', async () => {
    const running = await executions.start({ workflowDefinitionId: waiting.id });
    await expectRefusal(executions.result(running.id), 404, 'result_not_available');
    await executions.cancel(running.id);
    await expectRefusal(executions.result(running.id), 404, 'result_not_available');
    const failed = await executions.start({ workflowDefinitionId: failing.id });
    await executions.ended(failed, 'FAILED');
    await expectRefusal(executions.result(failed.id), 404, 'result_not_available');
    await expectRefusal(executions.result(randomUUID()), 404, 'execution_not_found');
  });

  /** A result `{"text": "…"}` of so many bytes. */
  async function resultOf(size: number): Promise<string> {
    const length = size - '{"text":""}'.length;
    const definition = definitionOf({
      Half: {
        Type: 'Pass',
        Assign: { part: `{% $pad('', ${Math.floor(length / 100)}, 'x') %}` },
        Next: 'Whole',
      },
      Whole: {
        Type: 'Succeed',
        Output: { text: `{% $join([1..100].$part) & $pad('', ${length % 100}, 'x') %}` },
      },
    });
    const { id } = await given.workflowDefinition({ workspace, definition });
    const execution = await executions.start({ workflowDefinitionId: id });
    await executions.ended(execution);
    return execution.id;
  }

  test('decision 6: returns up to 9,000,000 bytes as the body, and more by a signed URL', async () => {
    const inline = await executions.result(await resultOf(9_000_000));
    expect(inline.headers.get('Content-Type')).toBe('application/json');
    expect((await inline.arrayBuffer()).byteLength).toBe(9_000_000);

    const response = await executions.result(await resultOf(9_000_001));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/vnd.wrp.result-redirect+json');
    const redirect = await response.json();
    expect(redirect).toEqual({
      redirectUrl: expect.any(String),
      expiresAt: ago(15 * minute),
      size: 9_000_001,
      sha256: expect.any(String),
    });
    const fetched = await fetch(redirect.redirectUrl);
    expect(fetched.headers.get('Content-Type')).toBe('application/json');
    const bytes = Buffer.from(await fetched.arrayBuffer());
    expect(bytes.length).toBe(9_000_001);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(redirect.sha256);
  });

  test('a signed URL of a result is valid for that result alone, for 15 minutes', async () => {
    const response = await executions.result(await resultOf(9_500_000));
    const { redirectUrl } = await response.json();
    const other = new URL(redirectUrl);
    other.pathname = other.pathname.replace(/[^/]+$/, randomUUID());
    await expectRefusal(fetch(other), 403, 'permission_denied');
    clock.forward(15 * minute);
    await expectRefusal(fetch(redirectUrl), 410, 'link_expired');
  });

  test('keeps a result for 30 days', async () => {
    const { id } = await executions.start({ workflowDefinitionId });
    await executions.ended({ id });
    clock.forward(30 * day - 1);
    expect((await executions.result(id)).status).toBe(200);
    clock.forward(1);
    await expectRefusal(executions.result(id), 404, 'result_not_available');
  });
});

describe('an execution', () => {
  test('expires at its expiresAt, with the event workflow.expired', async () => {
    const [earlier, later] = [30 * minute, 30 * minute + 1];
    const start = (expiry: number) =>
      executions.start({ workflowDefinitionId: waiting.id, expiresAt: ago(expiry) });
    const first = await start(earlier);
    const { id } = await start(later);
    const events = await eventsOf(database, async () => {
      clock.forward(earlier);
      // The poll that ended this one saw the other as well.
      await executions.ended(first, 'EXPIRED');
      expect(await executions.read(id)).toMatchObject({ status: 'RUNNING' });
      clock.forward(later - earlier);
      await executions.ended({ id }, 'EXPIRED');
    });
    expect(eventsAbout(id, events).map(({ type }) => type)).toEqual(['workflow.expired']);
    const message = 'The execution has already ended as EXPIRED.';
    await expectRefusal(executions.cancel(id), 409, 'execution_already_ended', { message });
  });

  test('that completes or fails emits an event, with the error that ended it', async () => {
    const events = await eventsOf(database, async () => {
      await executions.ended(await executions.start({ workflowDefinitionId }));
      await executions.ended(await executions.start({ workflowDefinitionId: failing.id }), 'FAILED');
    });
    expect(events.map(({ type, data }) => [type, (data as { error?: string }).error])).toEqual(
      expect.arrayContaining([
        ['workflow.completed', undefined],
        ['workflow.failed', 'Test.Stopped'],
      ]),
    );
  });
});
