import { describe, expect, test } from 'vitest';
import { confirm, formTokenOf, linksOf, page } from '../links/support.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { type Event, eventsOf, problemsOf } from '../support/events.ts';
import { formOf } from '../support/files.ts';
import { bodyOf, responseOf } from '../support/responses.ts';
import { headerOf, isSigned, startReceiver } from './receiver.ts';
import {
  allRecorded,
  attemptsOf,
  deliveriesTo,
  eventsDeliveredTo,
  givenEndpoint,
  makeEvents,
  toThisMachine,
} from './support.ts';

const platform = await api(toThisMachine);
const { database, world, owner, given, clock } = platform;
const organizationId = world.organization.id;

const keyOf = async (kid: string) => ({
  der: String((await responseOf(platform.anonymous.fetch(`/auth/webhooks/key/${kid}`))).body),
  pem: String((await responseOf(platform.anonymous.fetch(`/auth/webhooks/key/${kid}?pem=true`))).body),
});

/** Deliveries are repeated after a timeout, with the same event id. */
const distinct = (events: Event[]) => [...new Map(events.map((event) => [event.id, event])).values()];

describe('an endpoint of all events', () => {
  test('receives every change once, signed, as its webhook declares', async () => {
    const receiver = await startReceiver();
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const events = await eventsOf(database, async () => {
      const user = await given.user({ organization: world.organization });
      const params = { path: { userId: user.id } };
      const workspace = { workspaceId: world.workspace.id };
      const membership = { path: { ...workspace, userId: user.id } };
      const place = { tableId: world.table.id, recordId: world.record.id };
      const { admin, member } = world.organization.roles;
      await owner.PUT('/organizations/users/{userId}/profile', {
        params,
        body: { firstName: 'Zoë "Z"', lastName: '李', title: '\u2028' },
      });
      await owner.PUT('/organizations/users/{userId}/role', { params, body: { roleId: admin } });
      await owner.POST('/organizations/users/{userId}/reset-mfa', { params });
      await owner.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
        params: membership,
        body: { userId: user.id, roleId: world.workspace.roles.viewer },
      });
      await owner.DELETE('/workspaces/{workspaceId}/memberships/{userId}', { params: membership });
      await owner.POST('/organizations/users/{userId}/terminate', { params });
      await owner.POST('/organizations/users/{userId}/reinstate', { params, body: { roleId: member } });
      await owner.fetch('/resources', { method: 'POST', body: formOf(new File(['x'], 'x.txt')) });
      const attached = await owner.fetch(`/tables/${place.tableId}/records/${place.recordId}/attachments`, {
        method: 'POST',
        body: formOf(new File(['x'], 'x.txt'), ['photo']),
      });
      const { id } = (await attached.json()) as { id: string };
      await owner.DELETE('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
        params: { path: { ...place, attachmentId: id } },
      });
      await owner.POST('/parameters', {
        body: { workflowDefinitionId: world.workflowDefinition.id, parameters: {} },
      });
    });
    expect(events.map(({ type }) => type).sort()).toEqual([
      'attachment.created',
      'attachment.deleted',
      'membership.removed',
      'membership.set',
      'parameters.created',
      'resource.created',
      'user.mfa_reset',
      'user.reinstated',
      'user.role_changed',
      'user.terminated',
      'user.updated',
    ]);
    await receiver.hasTaken(events.map(({ id }) => id));
    expect(distinct(receiver.taken)).toHaveLength(events.length);
    expect(receiver.taken).toEqual(expect.arrayContaining(events));
    await allRecorded(database, endpoint);
    const deliveries = await deliveriesTo(database, endpoint);
    expect(deliveries).toHaveLength(events.length);
    // One request per attempt: on a busy machine, one may time out and be repeated.
    const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0);
    expect(receiver.received.length).toBeLessThanOrEqual(attempts);
    for (const { event, body, headers } of receiver.received) {
      expect(problemsOf(event)).toEqual([]);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['webhook-sandbox']).toBeUndefined();
      const signature = String(headers['webhook-signature']);
      const { alg, kid, iat } = headerOf(signature);
      expect([alg, iat]).toEqual(['ES256', clock.now().getTime() / 1000]);
      const { der, pem } = await keyOf(kid);
      expect(isSigned(signature, body, { der })).toBe(true);
      expect(isSigned(signature, body, { pem })).toBe(true);
      expect(isSigned(signature, Buffer.concat([body, Buffer.from(' ')]), { der })).toBe(false);
    }
  });

  test('receives what happens to executions and links, from beginning to end', async () => {
    const receiver = await startReceiver();
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const links = linksOf(platform);
    const start = async (states: object, fields: object = {}) => {
      const document = definitionOf(states as never, fields as never);
      const { id } = await links.definition({ document });
      const { data } = await owner.POST('/workflows', { body: { workflowDefinitionId: id } });
      return data?.id as string;
    };
    const waiting = { Wait: { Type: 'Wait', Seconds: 86_400, End: true } };
    await start({ Done: { Type: 'Succeed' } });
    await start({ No: { Type: 'Fail', Error: 'Refused' } });
    await owner.POST('/workflows/{workflowId}/cancel', {
      params: { path: { workflowId: await start(waiting) } },
    });
    const definition = await links.definition();
    const link = await links.link({ definition });
    const form = formTokenOf(await page(link));
    expect((await confirm(link, { form })).status).toBe(303);
    const { id: caseId } = await links.case();
    await owner.POST('/link/send', { body: { caseId, workflowDefinitionId: definition.id } });

    // All of them, up to the end of the link's execution: a late one would reach the next test's endpoint.
    await expect
      .poll(() =>
        distinct(receiver.taken)
          .map(({ type }) => type)
          .sort(),
      )
      .toEqual([
        'link.created',
        'link.created',
        'link.sent',
        'link.used',
        'workflow.cancelled',
        'workflow.completed',
        'workflow.completed',
        'workflow.failed',
        ...Array(4).fill('workflow.started'),
      ]);
    for (const event of receiver.taken) expect(problemsOf(event)).toEqual([]);
  });

  test('has its deliveries and attempts recorded', async () => {
    const receiver = await startReceiver();
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const [event] = await makeEvents(platform, 1);
    await receiver.hasTaken([event as string]);
    await expect
      .poll(() => deliveriesTo(database, endpoint))
      .toMatchObject([{ event_id: event, status: 'delivered', attempts: 1, next_attempt_at: null }]);
    const [delivery] = await deliveriesTo(database, endpoint);
    expect(await attemptsOf(database, delivery?.id as string)).toEqual([
      { number: 1, status: 204, error: null, milliseconds: expect.any(Number) },
    ]);
  });
});

describe('an endpoint', () => {
  test('receives only the event types it subscribes to', async () => {
    const receiver = await startReceiver();
    const types = ['user.updated' as const];
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId, types });
    const all = await startReceiver();
    await givenEndpoint(database, { url: all.url, organizationId });
    const other = await makeEvents(platform, 3);
    const wanted = await eventsOf(database, () =>
      owner.PUT('/organizations/users/{userId}/profile', {
        params: { path: { userId: world.member.id } },
        body: { firstName: 'Ada', lastName: 'Lane', title: 'Clerk' },
      }),
    );
    const ids = wanted.map(({ id }) => id);
    await all.hasTaken([...other, ...ids]);
    await receiver.hasTaken(ids);
    expect(await eventsDeliveredTo(database, endpoint)).toEqual(ids);
    expect(receiver.received.map(({ event }) => event)).toEqual(wanted);
  });

  test('receives nothing of another organization', async () => {
    const [ours, theirs] = [await startReceiver(), await startReceiver()];
    await givenEndpoint(database, { url: ours.url, organizationId });
    const endpoint = await givenEndpoint(database, {
      url: theirs.url,
      organizationId: world.strangersOrganization.id,
    });
    await ours.hasTaken(await makeEvents(platform, 2));
    const { id } = await given.workflowDefinition({ workspace: world.strangersWorkspace });
    const events = await eventsOf(database, () =>
      platform.stranger.POST('/parameters', { body: { workflowDefinitionId: id, parameters: {} } }),
    );
    const ids = events.map((event) => event.id);
    await theirs.hasTaken(ids);
    expect(ids).toHaveLength(1);
    expect(await eventsDeliveredTo(database, endpoint)).toEqual(ids);
    expect(theirs.received.map(({ event }) => event)).toEqual(events);
  });

  test('with a path, a query and a trailing slash is called at exactly that URL', async () => {
    const receiver = await startReceiver();
    const { origin } = new URL(receiver.url);
    await givenEndpoint(database, { url: `${origin}/a%20b/?token=1&x=%2F`, organizationId });
    await receiver.hasTaken(await makeEvents(platform, 1));
    expect(receiver.received[0]?.path).toBe('/a%20b/?token=1&x=%2F');
  });

  test('receives events of a SANDBOX workspace with a mark', async () => {
    const receiver = await startReceiver();
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const workspace = await given.workspace({ organization: world.organization, type: 'SANDBOX' });
    const workflowDefinition = await given.workflowDefinition({ workspace });
    const events = await eventsOf(database, () =>
      owner.POST('/parameters', {
        body: { workflowDefinitionId: workflowDefinition.id, parameters: {} },
      }),
    );
    await receiver.hasTaken(events.map(({ id }) => id));
    expect(receiver.received[0]?.headers['webhook-sandbox']).toBe('true');
  });
});

test('decision 19: the largest event is smaller than 20 kB', async () => {
  const receiver = await startReceiver();
  await givenEndpoint(database, { url: receiver.url, organizationId });
  const tags = Array<string>(20).fill('\u{1f4f7}'.repeat(64));
  const params = { path: { tableId: world.table.id, recordId: world.record.id } };
  const body = { file: new File(['x'], '\u{1f4f7}'.repeat(255)), tags };
  const events = await eventsOf(database, async () => {
    await bodyOf(201, owner.POST('/tables/{tableId}/records/{recordId}/attachments', { params, body }));
  });
  await receiver.hasTaken(events.map(({ id }) => id));
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.body.length).toBeLessThan(20_000);
});
