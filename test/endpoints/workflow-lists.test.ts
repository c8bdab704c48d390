import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../generated/types.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import type { KnownOrganization } from '../support/given.ts';
import { testVisibleList } from '../support/lists.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { until } from '../support/waiting.ts';

const platform = await api();
const { owner, world, given, database, clock, actor } = platform;
const { workspace, record, workflowDefinition } = world;
const { id: workflowDefinitionId } = workflowDefinition;
const executions = executionsOf(owner);

const rolesOf = async (organizationId: string) => {
  const roles = await database
    .selectFrom('organization_roles')
    .select(['name', 'id'])
    .where('organization_id', '=', organizationId)
    .execute();
  return Object.fromEntries(roles.map(({ name, id }) => [name, id])) as KnownOrganization['roles'];
};

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

  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])(
    'compares with %s, which PostgreSQL cannot store',
    async (time) => {
      const isPast = time < '2';
      expect((await list({ createdSince: time })).length > 0).toBe(isPast);
      expect((await list({ createdUntil: time })).length > 0).toBe(!isPast);
    },
  );

  test.each([{ createdSince: '2026-11-30' }, { createdUntil: 'x' }, { recordId: 'x' }, { error: '' }])(
    'refuses %j: 400',
    async (query) => {
      await expectRefusal(owner.GET('/workflows', { params: { query } }), 400, 'parameter_invalid');
    },
  );
});

describe('listHistory', () => {
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

  test('shows new entries of a running execution after the same cursor, and none for its end', async () => {
    const states = {
      One: { Type: 'Pass', Next: 'Pause' },
      Pause: { Type: 'Wait', Seconds: 3600, End: true },
    };
    const definition = await given.workflowDefinition({
      workspace,
      definition: definitionOf(states as never),
    });
    const { id } = await executions.start({ workflowDefinitionId: definition.id });
    const first = await until(async () => {
      const read = await page(id, { size: 1 });
      return read.nextCursor ? read : undefined;
    });
    const last = { size: 1, cursor: first.nextCursor };
    const before = await page(id, last);
    expect(before).toEqual({ content: [expect.objectContaining({ type: 'WAIT_STARTED' })] });
    const entry = { execution_id: id, thread_id: randomUUID(), at: clock.now(), detail: '{}' };
    await database
      .insertInto('execution_history')
      .values({ ...entry, kind: 'task', state: 'Call' })
      .execute();
    const after = await page(id, last);
    expect(after.content).toEqual(before.content);
    const added = await page(id, { size: 1, cursor: after.nextCursor });
    expect(added).toEqual({ content: [expect.objectContaining({ state: 'Call' })] });
    await executions.cancel(id);
    expect(await page(id, { size: 1, cursor: after.nextCursor })).toEqual(added);
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
