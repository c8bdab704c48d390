import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { type Event, eventsOf } from '../support/events.ts';
import { executionsOf, type Start } from '../support/executions.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, world, given, database, clock } = platform;
const { workspace, otherWorkspace, record, workflowDefinition } = world;
const { id: workflowDefinitionId } = workflowDefinition;
const executions = executionsOf(owner);
const anyUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const minute = 60_000;
const day = 24 * 60 * minute;

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
