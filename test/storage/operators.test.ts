import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listCredentials, workspacesNamed } from '../../server/src/store/credentials.ts';
import { readWorkload } from '../../server/src/store/monitoring.ts';
import { usageOf } from '../../server/src/store/usage.ts';
import { retireKeys } from '../../server/src/store/webhook-keys.ts';
import { requestRedelivery } from '../../server/src/store/webhook-log.ts';
import { twoOrganizations } from './two-organizations.ts';

/** What operators see and change concerns what they named, with rows of two organizations in the tables. */
const { database, now, world, given, runningExecution, minutes } = await twoOrganizations();
const { organization, strangersOrganization, workspace, strangersWorkspace } = world;

async function delivery(endpoint: object, row: object): Promise<string> {
  const [id, endpoint_id, event_id] = [randomUUID(), randomUUID(), randomUUID()];
  const of = { organization_id: organization.id, created_at: now };
  await database
    .insertInto('webhook_endpoints')
    .values({ ...of, ...endpoint, id: endpoint_id, url: `https://${endpoint_id}.example/` } as never)
    .execute();
  await database
    .insertInto('events')
    .values({ ...of, id: event_id, type: 'user.updated', data: '{}', relayed_at: now })
    .execute();
  await database
    .insertInto('webhook_deliveries')
    .values({ id, event_id, endpoint_id, status: 'failed', created_at: now, ...row } as never)
    .execute();
  return id;
}

test('a workspace is found in its own organization only', async () => {
  for (const { id } of [workspace, world.otherWorkspace])
    expect(await workspacesNamed(database, organization.id, id)).toMatchObject([{ id }]);
  expect(await workspacesNamed(database, organization.id, strangersWorkspace.id)).toEqual([]);
});

test('credentials are listed with their own workspace, and of one user alone', async () => {
  const { owner, stranger } = world;
  for (const [user, homeWorkspace] of [
    [owner, world.otherWorkspace],
    [stranger, strangersWorkspace],
  ] as const) {
    await given.apiKey({ user, homeWorkspace });
    const listed = await listCredentials(database, 'api_keys', { userId: user.id });
    expect(listed.map((key) => [key.user.id, key.workspace.id])).toEqual([[user.id, homeWorkspace.id]]);
  }
  const tokens = await listCredentials(database, 'organization_tokens', { userId: stranger.id });
  expect(tokens.map((token) => token.workspace.id)).toEqual([strangersWorkspace.id]);
});

test('usage is counted for the organization that it belongs to', async () => {
  const execution = await runningExecution();
  const strangersExecution = await runningExecution();
  await database
    .updateTable('executions')
    .set({ workspace_id: strangersWorkspace.id })
    .where('id', '=', strangersExecution)
    .execute();
  await given.record({ table: await given.table({ workspace: strangersWorkspace }) });
  for (const [home, execution_id] of [
    [workspace, execution],
    [strangersWorkspace, strangersExecution],
  ] as const) {
    const { id: workflow_definition_id } = await given.workflowDefinition({ workspace: home });
    const created = { created_by: world.owner.id, created_at: now };
    await database
      .insertInto('parameter_sets')
      .values({ ...created, id: randomUUID(), workflow_definition_id, parameters: '{}' })
      .execute();
    const [id, case_id] = [randomUUID(), randomUUID()];
    await database
      .insertInto('cases')
      .values({ id: case_id, name: 'Claim', workspace_id: home.id, created_at: now })
      .execute();
    const link = {
      id,
      case_id,
      workflow_definition_id,
      workspace_id: home.id,
      secret_sha256: Buffer.from(id),
    };
    await database
      .insertInto('links')
      .values({ ...created, ...link, expires_at: now, used_at: now, execution_id })
      .execute();
  }
  await delivery({ organization_id: strangersOrganization.id }, {});
  await delivery({}, {});
  const usage = await usageOf(database);
  const ofEach = [organization, strangersOrganization].map(({ id }) =>
    usage.find((one) => one.organization.id === id),
  );
  const each = { records: 1, links: 1, parameterSets: 1, deliveries: 1, executions: { RUNNING: 1 } };
  expect(ofEach).toMatchObject([each, each]);
});

test('a failed delivery is sent again, unless its endpoint is disabled', async () => {
  const enabled = await delivery({}, {});
  const disabled = await delivery({ disabled_at: now, disabled_by: 'operator' }, {});
  expect(await requestRedelivery(database, { deliveryIds: [enabled, disabled] }, now)).toEqual([enabled]);
});

test('a key that is already retired keeps the time of its retirement', async () => {
  const keys = [null, minutes(-60)].map((retired_at) => ({
    id: randomUUID(),
    public_key_der: Buffer.of(1),
    private_key_encrypted: Buffer.of(1),
    created_at: minutes(-120),
    retired_at,
  }));
  await database.insertInto('webhook_keys').values(keys).execute();
  expect((await retireKeys(database, now)).map(({ id }) => id)).toEqual([keys[0]?.id]);
});

test('the workload has executions that ended within the last minute, and deliveries by whether they are due', async () => {
  const failing = '1'.repeat(20);
  const before = await readWorkload(database, now);
  for (const ended_at of [minutes(-0.5), minutes(-2)]) {
    const id = await runningExecution();
    const ended = { status: 'FAILED' as const, ended_at, kept: true };
    await database.updateTable('executions').set(ended).where('id', '=', id).execute();
  }
  await delivery({ recent_failures: failing }, { status: 'pending', next_attempt_at: minutes(-1) });
  await delivery({ recent_failures: failing, disabled_at: now, disabled_by: 'operator' }, {});
  for (const later of [1, 2]) await delivery({}, { status: 'pending', next_attempt_at: minutes(later) });
  const after = await readWorkload(database, now);
  expect(after.executions.FAILED).toBe(Number(before.executions.FAILED ?? 0) + 1);
  expect(Number(after.failingEndpoints)).toBe(Number(before.failingEndpoints) + 1);
  expect(after.deliveries).toEqual({
    due: before.deliveries.due + 1,
    scheduled: before.deliveries.scheduled + 2,
  });
});
