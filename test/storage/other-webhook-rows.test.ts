import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../server/src/store/database.ts';
import {
  bringForward,
  deleteOldDeliveries,
  recordAttempts,
  requestOverdue,
} from '../../server/src/store/webhook-deliveries.ts';
import {
  disableEndpoint,
  recordOutcomes,
  registerEndpoint,
} from '../../server/src/store/webhook-endpoints.ts';
import { findLastEvent } from '../../server/src/store/webhook-events.ts';
import { listDeliveries, listEndpoints, requestTest } from '../../server/src/store/webhook-log.ts';
import { type QueuedDelivery, relayEvents, takeRequested } from '../../server/src/store/webhook-relay.ts';
import { twoOrganizations } from './two-organizations.ts';

/** As in other-rows.test.ts, statements about webhooks leave the rows of others alone. */
const { database, now, world, minutes } = await twoOrganizations();

describe('a webhook endpoint', () => {
  async function endpoint(organization: { id: string }, url = `https://${randomUUID()}.example/`) {
    const id = randomUUID();
    const row = { id, url, organization_id: organization.id, created_at: now };
    await database.insertInto('webhook_endpoints').values(row).execute();
    return id;
  }

  async function delivery(
    endpoint_id: string,
    row: object = {},
    within: Database = database,
  ): Promise<string> {
    const [id, event_id] = [randomUUID(), randomUUID()];
    const times = { created_at: now, relayed_at: now };
    const event = { id: event_id, type: 'user.updated', organization_id: world.organization.id, data: '{}' };
    await within
      .insertInto('events')
      .values({ ...event, ...times })
      .execute();
    const pending = { status: 'pending', created_at: now, next_attempt_at: minutes(5) };
    await within
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

  test('gets outcomes of attempts while a delivery to it is being added', async () => {
    const id = await endpoint(world.organization);
    await database.transaction().execute(async (relaying) => {
      await delivery(id, {}, relaying);
      const outcomes = [{ failed: true, at: now }];
      const changes = await database.transaction().execute(async (recording) => {
        await sql`set local lock_timeout = '5s'`.execute(recording);
        return recordOutcomes(recording, [{ endpointId: id, outcomes }]);
      });
      expect(changes).toMatchObject([{ id, failingSince: now }]);
    });
  });

  test.each([
    ['redelivery was requested', { status: 'requested' }],
    ['redelivery failed', { status: 'pending', attempts: 1 }],
    ['the endpoint was disabled', { status: 'cancelled', next_attempt_at: null }],
  ])('gets an event delivered by a 2xx of an attempt during which %s', async (_what, row) => {
    const endpointId = await endpoint(world.organization);
    const [deliveryId, failedId] = [await delivery(endpointId, row), await delivery(endpointId, row)];
    const attempt = { number: 1, at: now, milliseconds: 9, error: null };
    await recordAttempts(database, [
      { ...attempt, deliveryId, status: 204, after: { status: 'delivered' } },
      { ...attempt, deliveryId: failedId, status: 503, after: { status: 'failed' } },
    ]);
    expect(await statusesOf([deliveryId, failedId])).toEqual(['delivered', row.status]);
    expect(await takeRequested(database, { limit: 100 })).not.toContainEqual(
      expect.objectContaining({ deliveryId }),
    );
  });

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
    const { content: listed } = await listDeliveries(database, { endpointId: id }, { size: 10 });
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
