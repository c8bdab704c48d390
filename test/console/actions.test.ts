import { expect, test } from 'vitest';
import { linksOf } from '../links/support.ts';
import { scheduleRow } from '../schedules/support.ts';
import { api } from '../support/api.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import {
  allRecorded,
  attemptsMade,
  deliveriesTo,
  givenEndpoint,
  makeEvents,
  toThisMachine,
} from '../webhooks/support.ts';
import { openConsole } from './support.ts';

const platform = await api({ ...toThisMachine, clock: 'running' });
const { database, world } = platform;
const open = await openConsole(platform);

test('a delivery is listed with its attempts, and sent again', async () => {
  const receiver = await startReceiver();
  const endpoint = await givenEndpoint(database, {
    url: receiver.url,
    organizationId: world.organization.id,
    types: ['parameters.created'],
  });
  const [event] = await makeEvents(platform, 1);
  await receiver.hasTaken([event as string]);
  await allRecorded(database, endpoint);
  const [delivery] = await deliveriesTo(database, endpoint);
  const path = `/deliveries/${delivery?.id}`;
  for (const query of ['', `?endpoint=${endpoint}`, '?status=delivered', '?type=parameters.created'])
    expect((await open.get(`/deliveries${query}`)).body).toContain(`href="${path}"`);
  for (const query of [
    '?status=failed',
    '?type=user.updated',
    '?endpoint=5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
  ])
    expect((await open.get(`/deliveries${query}`)).body).not.toContain(`href="${path}"`);
  const { body } = await open.get(path);
  expect(body.match(/<tbody><tr>/g)).toHaveLength(1);
  const sent = await open.submit(path, `${path}/redeliver`);
  expect([sent.status, sent.body.includes('Queued.')]).toEqual([200, true]);
  await attemptsMade(database, endpoint, 2);
  await database
    .updateTable('webhook_endpoints')
    .set({ disabled_at: new Date(), disabled_by: 'operator' })
    .where('id', '=', endpoint)
    .execute();
  const refused = await open.submit(path, `${path}/redeliver`);
  expect([refused.status, refused.body.includes('The endpoint is disabled')]).toEqual([409, true]);
});

test('a link is listed until it is revoked', async () => {
  const links = linksOf(platform);
  const { id } = await links.row(await links.link({ definition: await links.definition() }));
  expect((await open.get('/links')).body).toContain(id);
  expect((await open.submit('/links', `/links/${id}/revoke`)).body).toContain('The link is revoked.');
  expect((await open.get('/links')).body).not.toContain(id);
  const audit = await open.get(`/audit?object=${id}`);
  expect(audit.body).toContain('<td>link revoke</td>');
  expect(audit.body).toContain('>tester</th>');
  expect((await open.get('/links?show=all')).body).toContain('<span class="pill revoked">revoked</span>');
});

test('a schedule is paused, resumed and run', async () => {
  const { workspace, owner } = { workspace: world.workspace, owner: world.owner };
  const links = linksOf(platform);
  const workflowDefinition = await links.definition();
  const row = scheduleRow({ workspace, workflowDefinition, owner }, { next_due_at: new Date('2999-01-01') });
  await database.insertInto('schedules').values(row).execute();
  const submit = async (action: string) =>
    (await open.submit('/schedules', `/schedules/${row.id}/${action}`)).body;
  const stored = () =>
    database.selectFrom('schedules').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow();
  expect((await open.get('/schedules')).body).toContain(row.name);
  expect(await submit('pause')).toContain('The schedule is paused.');
  expect((await stored()).paused_at).not.toBeNull();
  expect(await submit('resume')).toContain('The schedule is resumed.');
  expect((await stored()).paused_at).toBeNull();
  expect(await submit('run')).toContain('Requested.');
  const { body } = await open.get(`/audit?object=${row.id}`);
  for (const action of ['pause', 'resume', 'run']) expect(body).toContain(`<td>schedule ${action}</td>`);
});
