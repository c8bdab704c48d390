import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { bytesOf } from '../support/files.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, member, outsider, baseUrl, world, given, database, clock } = platform;
const { workspace } = world;
const emitted = emittedBy(platform);

type Actor = typeof owner;
interface Place {
  tableId: string;
  recordId: string;
}
const collection = '/tables/{tableId}/records/{recordId}/attachments';
const one = `${collection}/{attachmentId}` as const;
const attach = (client: Actor, path: Place, file: File, tags?: string[]) =>
  client.POST(collection, { params: { path }, body: { file, ...(tags && { tags }) } });
const list = (client: Actor, path: Place) => client.GET(collection, { params: { path } });
const linkOf = (client: Actor, path: Place, attachmentId: string) =>
  client.GET(one, { params: { path: { ...path, attachmentId } } });
const remove = (client: Actor, path: Place, attachmentId: string) =>
  client.DELETE(one, { params: { path: { ...path, attachmentId } } });

const photo = new File([randomBytes(2000)], 'bumper.jpeg', { type: 'image/jpeg' });

/** A record of its own in a table of the first workspace. */
async function newRecord(): Promise<Place> {
  const table = await given.table({ workspace });
  const record = await given.record({ table });
  return { tableId: table.id, recordId: record.id };
}

async function attached(place: Place): Promise<string> {
  const { data, response } = await attach(owner, place, photo);
  expect(response.status).toBe(201);
  return data?.id ?? '';
}

describe('createAttachment', () => {
  test('attaches the file with its tags, and emits its event', async () => {
    const place = await newRecord();
    const tags = ['front', 'Schäden', '損傷'];
    const attachment = { name: 'bumper.jpeg', type: 'image/jpeg', size: 2000, tags };
    const events = await eventsOf(database, async () => {
      expect(await bodyOf(201, attach(owner, place, photo, tags))).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        recordId: place.recordId,
        createdDateTime: clock.now().toISOString(),
        ...attachment,
      });
    });
    expect(events).toEqual([
      emitted('attachment.created', { attachmentId: expect.any(String), ...place, ...attachment }, workspace),
    ]);
  });

  test('has [] as its tags by default', async () => {
    expect(await bodyOf(201, attach(owner, await newRecord(), photo))).toMatchObject({ tags: [] });
  });

  test('keeps a lone tag that looks like a number, repeated tags, and their order', async () => {
    const place = await newRecord();
    expect(await bodyOf(201, attach(owner, place, photo, ['5']))).toMatchObject({ tags: ['5'] });
    const tags = ['b', 'a', 'b', 'true', '[1]'];
    expect(await bodyOf(201, attach(owner, place, photo, tags))).toMatchObject({ tags });
  });

  test('accepts 20 tags of 64 characters of any script, and refuses longer ones: 400', async () => {
    const place = await newRecord();
    const tags = Array.from({ length: 20 }, (_, at) => (['x', '数', '🦉'][at % 3] as string).repeat(64));
    expect(await bodyOf(201, attach(owner, place, photo, tags))).toMatchObject({ tags });
    for (const tag of ['x'.repeat(65), '🦉'.repeat(65), '']) {
      const refused = attach(owner, place, photo, ['fine', tag]);
      await expectRefusal(refused, 400, 'body_invalid', { pointer: '/tags/1' });
    }
  });
});

describe('listAttachments', () => {
  test('returns the attachments of the record alone, in the order of creation', async () => {
    const place = await newRecord();
    const bodies = [];
    for (const tags of [['first'], [], ['third', 'last']]) {
      clock.forward(1000);
      bodies.push(await bodyOf(201, attach(owner, place, photo, tags)));
      await attached({ ...place, recordId: (await given.record({ table: { id: place.tableId } })).id });
    }
    expect(await bodyOf(200, list(member, place))).toEqual(bodies);
  });

  test('returns an empty list for a record without attachments', async () => {
    expect(await bodyOf(200, list(member, await newRecord()))).toEqual([]);
  });

  test('refuses a record of another table: 404, or 403 without the permission to read', async () => {
    const [place, other] = [await newRecord(), await newRecord()];
    const mixed = { ...place, recordId: other.recordId };
    await expectRefusal(list(member, mixed), 404, 'record_not_found');
    await expectRefusal(list(outsider, mixed), 403, 'permission_denied');
  });
});

describe('getAttachmentLink', () => {
  test('returns a signed URL that serves the exact bytes without a token', async () => {
    const place = await newRecord();
    const body = await bodyOf(200, linkOf(member, place, await attached(place)));
    const { link } = body as { link: string };
    expect(body).toEqual({ link: expect.stringMatching(`^${baseUrl}/files/attachments/`) });
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename=bumper.jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    expect((await bytesOf(response)).equals(await bytesOf(new Response(photo)))).toBe(true);
  });
});

describe('deleteAttachment', () => {
  test('responds with 204 without a body, and emits its event', async () => {
    const place = await newRecord();
    const [id, kept] = [await attached(place), await attached(place)];
    const events = await eventsOf(database, async () => {
      expect(await responseOf(remove(owner, place, id))).toMatchObject({ status: 204, body: undefined });
    });
    expect(events).toEqual([emitted('attachment.deleted', { attachmentId: id, ...place }, workspace)]);
    expect(await bodyOf(200, list(owner, place))).toMatchObject([{ id: kept }]);
    await expectRefusal(linkOf(owner, place, id), 404, 'attachment_not_found');
    await expectRefusal(remove(owner, place, id), 404, 'attachment_not_found');
  });
});
