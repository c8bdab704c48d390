import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAttachment } from '../../server/src/store/attachments.ts';
import { describeExecution, listExecutions } from '../../server/src/store/execution-list.ts';
import { type Ending, endExecutions } from '../../server/src/store/executions.ts';
import { joinFork, startQueued } from '../../server/src/store/forks.ts';
import { historyOf, liveThreads } from '../../server/src/store/history.ts';
import { findLinkExecution } from '../../server/src/store/link-executions.ts';
import { createLink, findLink } from '../../server/src/store/links.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import { updateProfile } from '../../server/src/store/users.ts';
import {
  bringForward,
  deleteOldDeliveries,
  requestOverdue,
} from '../../server/src/store/webhook-deliveries.ts';
import { disableEndpoint, registerEndpoint } from '../../server/src/store/webhook-endpoints.ts';
import { findLastEvent } from '../../server/src/store/webhook-events.ts';
import { listDeliveries, listEndpoints } from '../../server/src/store/webhook-log.ts';
import { type QueuedDelivery, relayEvents, takeRequested } from '../../server/src/store/webhook-relay.ts';
import { requestTest } from '../../server/src/store/webhook-requests.ts';
import { twoOrganizations } from './two-organizations.ts';

/** Statements that name what they read or change leave the rows of others alone, with two of each kind in the tables. */
const { database, now, world, given, runningExecution, minutes } = await twoOrganizations();

describe('a user', () => {
  const foreign = { organizationId: world.strangersOrganization.id, userId: world.member.id };

  test('is changed in its own organization only', async () => {
    const profile = { firstName: 'Mallory', lastName: '', title: '' };
    for (const isCurrent of [undefined, () => true, () => false])
      expect(await updateProfile(database, foreign, profile, isCurrent)).toEqual({ kind: 'unknown_user' });
    const { userId } = foreign;
    const { first_name } = await database
      .selectFrom('users')
      .select('first_name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(first_name).not.toBe('Mallory');
  });
});

describe('an attachment', () => {
  test('is created in the workspace of its record', async () => {
    for (const workspace of [world.workspace, world.otherWorkspace]) {
      const table = await given.table({ workspace });
      const record = await given.record({ table });
      const file = { name: 'a.txt', contentType: 'text/plain', size: 1, sha256: Buffer.alloc(32) };
      const created = await createAttachment(
        database,
        { tableId: table.id, recordId: record.id },
        { userId: world.owner.id },
        { file: { ...file, blobKey: randomUUID() }, tags: [], now, storageQuota: undefined },
      );
      expect(created).toMatchObject({ kind: 'created', workspaceId: workspace.id });
    }
  });
});

describe('a link', () => {
  test('does not count as a use of a parameter set of another organization', async () => {
    const definition = await given.workflowDefinition({ workspace: world.strangersWorkspace });
    const [caseId, parametersId] = [randomUUID(), randomUUID()];
    const place = { workspace_id: world.workspace.id, created_at: now };
    await database
      .insertInto('cases')
      .values({ ...place, id: caseId, name: 'Case' })
      .execute();
    const lastUse = minutes(-3 * 24 * 60);
    const times = { created_at: lastUse, last_used_at: lastUse };
    const set = { id: parametersId, workflow_definition_id: definition.id, parameters: '{}' };
    await database
      .insertInto('parameter_sets')
      .values({ ...set, ...times, created_by: world.stranger.id })
      .execute();
    const link = {
      ...{ id: randomUUID(), caseId, parametersId, workflowDefinitionId: world.workflowDefinition.id },
      ...{ secretSha256: Buffer.alloc(32), organizationId: world.organization.id },
      ...{ createdBy: world.owner.id, now, mailed: false },
    };
    expect(await createLink(database, link)).toEqual({ kind: 'unknown_parameters' });
    const { last_used_at } = await database
      .selectFrom('parameter_sets')
      .select('last_used_at')
      .where('id', '=', parametersId)
      .executeTakeFirstOrThrow();
    expect(last_used_at).toEqual(lastUse);
  });
});

describe('an execution', () => {
  /** An execution with a fork that waits for two child threads, of which the second is queued. */
  async function forked(name: string) {
    const id = await runningExecution();
    const fork = await thread(id, { status: 'waiting', awaiting: 'fork', label: name });
    const ended = { parent_id: fork, status: 'ended', output: JSON.stringify(name), label: name };
    await thread(id, { ...ended, position: 0 });
    await thread(id, { ...ended, position: 1, status: 'queued' });
    return { id, fork };
  }

  async function thread(execution_id: string, row: object): Promise<string> {
    const id = randomUUID();
    const values = { id, execution_id, scope: '{}', frame: '{}', ...row };
    await database
      .insertInto('threads')
      .values(values as never)
      .execute();
    return id;
  }

  const readyAt = (step: number) => ({ status: 'ready', label: '', step });
  const entry = (execution_id: string, state: string) =>
    database
      .insertInto('execution_history')
      .values({ execution_id, thread_id: randomUUID(), at: now, kind: 'state', state, detail: '{}' })
      .execute();

  test('is listed and described with its own workspace', async () => {
    const [one, other] = [await runningExecution(), await runningExecution()];
    const { id: workspace_id } = world.otherWorkspace;
    await database.updateTable('executions').set({ workspace_id }).where('id', '=', other).execute();
    const workspaces = [world.workspace.id, workspace_id];
    const described = [await describeExecution(database, one), await describeExecution(database, other)];
    expect(described.map((execution) => execution?.workspace.id)).toEqual(workspaces);
    const listed = await listExecutions(database, { limit: 100 });
    const shown = [one, other].map((id) => listed.filter((row) => row.id === id));
    expect(shown.map((rows) => rows.map(({ workspace }) => workspace.id))).toEqual(
      workspaces.map((id) => [id]),
    );
  });

  test('ends in its own organization, at the checkpoint of its own root thread only', async () => {
    const [one, other] = [await runningExecution(), await runningExecution()];
    const { id: workspace_id, organizationId } = world.strangersWorkspace;
    await database.updateTable('executions').set({ workspace_id }).where('id', '=', other).execute();
    const [root, moved] = [await thread(one, readyAt(3)), await thread(other, readyAt(3))];
    // Where the root thread was.
    await thread(other, { ...readyAt(2), parent_id: moved });
    const ending = (executionId: string, id: string, step: number): Ending => ({
      ...{ executionId, status: 'COMPLETED', now },
      root: { thread: { id, step }, history: [] },
    });
    expect(await endExecutions(database, [ending(one, root, 3), ending(other, moved, 2)])).toMatchObject([
      { organizationId: world.organization.id, workspaceId: world.workspace.id, current: true },
      { organizationId, workspaceId: workspace_id, current: false },
    ]);
  });

  test('shows on the page of its link its own case, definition and organization', async () => {
    const expected = [];
    for (const [number, home] of [world.workspace, world.strangersWorkspace].entries()) {
      const [linkId, execution_id] = [randomUUID(), await runningExecution()];
      const uiOptions = { number };
      const definition = await given.workflowDefinition({ workspace: home, uiOptions });
      const { id: definition_revision_id } = await database
        .selectFrom('definition_revisions')
        .select('id')
        .where('workflow_definition_id', '=', definition.id)
        .executeTakeFirstOrThrow();
      await database
        .updateTable('executions')
        .set({ workspace_id: home.id, definition_revision_id })
        .where('id', '=', execution_id)
        .execute();
      const place = { workspace_id: home.id, created_at: now };
      const linkedCase = { ...place, id: randomUUID(), name: `Case ${number}` };
      await database.insertInto('cases').values(linkedCase).execute();
      const parameters_id = randomUUID();
      const set = { id: parameters_id, workflow_definition_id: definition.id, parameters: `${number}` };
      await database
        .insertInto('parameter_sets')
        .values({ ...set, created_by: world.owner.id })
        .execute();
      const of = {
        ...{ case_id: linkedCase.id, workflow_definition_id: definition.id, parameters_id },
        ...{ execution_id, used_at: now },
      };
      await database
        .insertInto('links')
        .values({
          ...{ ...place, ...of, id: linkId, secret_sha256: Buffer.from(linkId) },
          ...{ created_by: world.owner.id, expires_at: now },
        })
        .execute();
      expected.push({ linkId, execution_id, home, linkedCase, definition, uiOptions, number });
    }
    for (const { linkId, execution_id, home, linkedCase, definition, uiOptions, number } of expected) {
      expect(await findLinkExecution(database, execution_id)).toMatchObject({
        ...{ id: execution_id, caseName: linkedCase.name, definition: { uiOptions } },
        organization: `Organization ${home.organizationId}`,
      });
      expect(await findLink(database, linkId)).toMatchObject({
        ...{ case: { id: linkedCase.id }, workspace: { id: home.id }, parameters: number },
        ...{ definition: { id: definition.id, revision: { uiOptions } } },
        organization: { id: home.organizationId },
      });
    }
  });

  test('shows its own history and threads', async () => {
    const [one, other] = [await forked('one'), await forked('other')];
    await entry(one.id, 'One');
    await entry(other.id, 'Other');
    expect(await historyOf(database, one.id)).toMatchObject([{ state: 'One' }]);
    const labels = (await liveThreads(database, one.id)).map(({ label }) => label);
    expect(new Set(labels)).not.toContain('other');
  });

  test('starts and joins the threads of its own forks', async () => {
    const [one, other] = [await forked('one'), await forked('other')];
    expect(await startQueued(database, one.fork, 1)).toBeDefined();
    const queued = await database
      .selectFrom('threads')
      .select('parent_id')
      .where('status', '=', 'queued')
      .where('parent_id', 'in', [one.fork, other.fork])
      .execute();
    expect(queued).toEqual([{ parent_id: other.fork }]);
    // Exactly as large as the result of one of the two forks.
    await joinFork(database, { threadId: one.fork, maxResultBytes: '"one"'.length });
    const { outcome } = await database
      .selectFrom('threads')
      .select('outcome')
      .where('id', '=', one.fork)
      .executeTakeFirstOrThrow();
    expect(outcome).toEqual({ kind: 'succeeded', result: ['one'] });
    expect(await startQueued(database, other.fork, 1)).toBeDefined();
  });

  test('keeps its history when the result of another one expires', async () => {
    const [old, young] = [await runningExecution(), await runningExecution()];
    for (const id of [old, young]) {
      await entry(id, 'Done');
      const ended_at = id === old ? minutes(-2) : now;
      const values = { status: 'COMPLETED' as const, ended_at, kept: true };
      await database.updateTable('executions').set(values).where('id', '=', id).execute();
    }
    await deleteExpiredResults(database, minutes(-1));
    expect(await historyOf(database, old)).toEqual([]);
    expect(await historyOf(database, young)).toHaveLength(1);
  });
});

describe('a webhook endpoint', () => {
  async function endpoint(organization: { id: string }, url = `https://${randomUUID()}.example/`) {
    const id = randomUUID();
    const row = { id, url, organization_id: organization.id, created_at: now };
    await database.insertInto('webhook_endpoints').values(row).execute();
    return id;
  }

  async function delivery(endpoint_id: string, row: object = {}): Promise<string> {
    const [id, event_id] = [randomUUID(), randomUUID()];
    const times = { created_at: now, relayed_at: now };
    const event = { id: event_id, type: 'user.updated', organization_id: world.organization.id, data: '{}' };
    await database
      .insertInto('events')
      .values({ ...event, ...times })
      .execute();
    const pending = { status: 'pending', created_at: now, next_attempt_at: minutes(5) };
    await database
      .insertInto('webhook_deliveries')
      .values({ id, event_id, endpoint_id, ...pending, ...row } as never)
      .execute();
    return id;
  }

  async function statusesOf(ids: readonly string[]): Promise<(string | undefined)[]> {
    const rows = await database
      .selectFrom('webhook_deliveries')
      .select(['id', 'status'])
      .where('id', 'in', ids)
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id)?.status);
  }

  test('is listed with its own organization and its own open deliveries', async () => {
    const [one, other] = [await endpoint(world.organization), await endpoint(world.strangersOrganization)];
    await delivery(other);
    const listed = await listEndpoints(database);
    const shown = [one, other].map((id) => listed.filter((row) => row.id === id));
    expect(shown).toMatchObject([
      [{ organization: { id: world.organization.id }, open: 0 }],
      [{ organization: { id: world.strangersOrganization.id }, open: 1 }],
    ]);
  });

  test('has deliveries of its own, with the outcomes of their own attempts', async () => {
    const id = await endpoint(world.organization);
    await delivery(await endpoint(world.organization));
    const outcomes = new Map([
      [await delivery(id), 200],
      [await delivery(id), 500],
    ]);
    for (const [delivery_id, status] of outcomes) {
      const attempt = { id: randomUUID(), delivery_id, number: 1, at: now, milliseconds: 1, status };
      await database.insertInto('webhook_attempts').values(attempt).execute();
    }
    const listed = await listDeliveries(database, { endpointId: id, limit: 10 });
    expect(new Map(listed.map((row) => [row.id, Number(row.lastOutcome)]))).toEqual(outcomes);
  });

  test('is tested with an event of a workspace of its own organization', async () => {
    for (const [organization, workspaces] of [
      [world.organization, [world.workspace.id, world.otherWorkspace.id]],
      [world.strangersOrganization, [world.strangersWorkspace.id]],
    ] as const) {
      const id = await endpoint(organization);
      const event = { type: 'parameters.created', data: {}, inWorkspace: true };
      expect(await requestTest(database, id, event, now)).toMatchObject({ kind: 'requested' });
      const { workspace_id } = await database
        .selectFrom('events')
        .innerJoin('webhook_deliveries', 'webhook_deliveries.event_id', 'events.id')
        .select('workspace_id')
        .where('endpoint_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(workspaces).toContain(workspace_id);
    }
  });

  test('gets the events of its own organization, unless it is disabled', async () => {
    const organizations = [world.organization, world.strangersOrganization];
    const endpoints: string[] = [];
    const eventIds: string[] = [];
    for (const organization of organizations) {
      endpoints.push(await endpoint(organization));
      const id = randomUUID();
      const event = { id, type: 'user.updated', organization_id: organization.id, data: '{}' };
      await database
        .insertInto('events')
        .values({ ...event, created_at: now })
        .execute();
      eventIds.push(id);
    }
    const [one = '', other = ''] = endpoints;
    await database
      .updateTable('webhook_endpoints')
      .set({ recent_failures: '1'.repeat(20) })
      .where('id', '=', other)
      .execute();
    const disabled = await endpoint(world.organization);
    await disableEndpoint(database, disabled, 'operator', now);

    const { deliveries } = await relayEvents(database, { now, limit: 100, numbered: true });
    const of = (list: readonly QueuedDelivery[], id: string) =>
      list.filter(({ endpointId }) => endpointId === id).map(({ failing }) => failing);
    expect([one, other, disabled].map((id) => of(deliveries, id))).toEqual([[false], [true], []]);
    const rows = await database
      .selectFrom('webhook_deliveries')
      .select(['endpoint_id', 'event_id'])
      .where('endpoint_id', 'in', endpoints)
      .execute();
    expect(endpoints.map((id) => rows.find((row) => row.endpoint_id === id)?.event_id)).toEqual(eventIds);
    for (const [index, { id }] of organizations.entries())
      expect(await findLastEvent(database, id)).toMatchObject({ id: eventIds[index] });

    for (const id of endpoints) await delivery(id, { status: 'requested' });
    const taken = await takeRequested(database, { limit: 100 });
    expect(endpoints.map((id) => of(taken, id))).toEqual([[false], [true]]);
  });

  test('is registered again for another organization with the same URL', async () => {
    const url = 'https://shared.example/';
    const known = await endpoint(world.organization, url);
    const id = randomUUID();
    await registerEndpoint(database, { id, organizationId: world.strangersOrganization.id, url, now });
    const listed = (await listEndpoints(database)).filter((row) => row.url === url);
    expect(listed.map((row) => row.id).sort()).toEqual([known, id].sort());
  });

  test('takes its own deliveries along when it is disabled or works again', async () => {
    const [one, other] = [await endpoint(world.organization), await endpoint(world.organization)];
    const ids = [await delivery(one), await delivery(other)];
    const soon = await delivery(one, { next_attempt_at: minutes(1) });
    expect(await bringForward(database, one, { now, after: minutes(2) })).toBe(1);
    expect(await statusesOf([...ids, soon])).toEqual(['requested', 'pending', 'pending']);
    await disableEndpoint(database, one, 'operator', now);
    expect(await statusesOf([...ids, soon])).toEqual(['cancelled', 'pending', 'cancelled']);
  });

  test('gets requests for deliveries that are overdue, and keeps those that are young', async () => {
    const id = await endpoint(world.organization);
    const due = [minutes(-10), minutes(-1)];
    const open = [
      await delivery(id, { next_attempt_at: due[0] }),
      await delivery(id, { next_attempt_at: due[1] }),
    ];
    await requestOverdue(database, { now, dueBefore: minutes(-5) });
    expect(await statusesOf(open)).toEqual(['requested', 'pending']);
    const delivered = { status: 'delivered', next_attempt_at: null };
    const young = await delivery(id, delivered);
    const old = await delivery(id, { ...delivered, created_at: minutes(-10) });
    const lonely = {
      id: randomUUID(),
      type: 'user.updated',
      organization_id: world.organization.id,
      data: '{}',
    };
    await database
      .insertInto('events')
      .values({ ...lonely, created_at: now, relayed_at: now })
      .execute();
    await deleteOldDeliveries(database, minutes(-5));
    expect(await statusesOf([young, old])).toEqual(['delivered', undefined]);
    expect(await database.selectFrom('events').where('id', '=', lonely.id).execute()).toHaveLength(1);
  });
});
