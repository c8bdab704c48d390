import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { bytesOf, formOf, storedFiles } from '../support/files.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, member, outsider, actor, baseUrl, world, given, database, clock, dataDirectory } = platform;
const { organization, workspace } = world;

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
const minutes = 60_000;

/** A record of its own in a table of the first workspace. */
async function newRecord(): Promise<Place> {
  const table = await given.table({ workspace });
  const record = await given.record({ table });
  return { tableId: table.id, recordId: record.id };
}

/** A member with one permission on one table. */
async function whoHolds(relation: 'can_read_attachments' | 'can_edit_attachments', tableId: string) {
  const role = await given.workspaceRole({
    workspace,
    name: randomUUID(),
    relations: [relation],
    on: { resourceType: 'table', resourceId: tableId },
  });
  const user = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user, role: { id: role } });
  return actor(user.token);
}

async function attached(place: Place, file = photo, tags?: string[]): Promise<string> {
  const { data, response } = await attach(owner, place, file, tags);
  expect(response.status).toBe(201);
  return data?.id ?? '';
}

async function freshLink(place: Place, id: string): Promise<string> {
  return ((await bodyOf(200, linkOf(owner, place, id))) as { link: string }).link;
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
      {
        id: expect.any(String),
        type: 'attachment.created',
        createdDateTime: clock.now().toISOString(),
        organizationId: organization.id,
        workspaceId: workspace.id,
        data: { attachmentId: expect.any(String), ...place, ...attachment },
      },
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

  test('keeps names and tags in Unicode NFC', async () => {
    const file = new File(['x'], 'cafe\u0301.txt');
    const response = await bodyOf(201, attach(owner, await newRecord(), file, ['no\u0308tig']));
    expect(response).toMatchObject({ name: 'café.txt', tags: ['nötig'] });
  });

  test('defaults to application/octet-stream', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--x--\r\n';
    const { tableId, recordId } = await newRecord();
    const response = owner.fetch(`/tables/${tableId}/records/${recordId}/attachments`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: form,
    });
    expect(await bodyOf(201, response)).toMatchObject({ type: 'application/octet-stream', size: 5 });
  });

  test('accepts 20 tags and refuses 21: 400', async () => {
    const place = await newRecord();
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    expect(await bodyOf(201, attach(owner, place, photo, tags))).toMatchObject({ tags });
    const files = await storedFiles(dataDirectory);
    const refused = attach(owner, place, photo, [...tags, 'one more']);
    await expectRefusal(refused, 400, 'body_invalid', { pointer: '/tags' });
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test('accepts tags of 1 to 64 characters of any script: 400 for 0 and 65', async () => {
    const place = await newRecord();
    const tags = ['x', '数', '🦉'].map((letter) => letter.repeat(64));
    expect(await bodyOf(201, attach(owner, place, photo, tags))).toMatchObject({ tags });
    for (const tag of ['x'.repeat(65), '🦉'.repeat(65), '']) {
      const refused = attach(owner, place, photo, ['fine', tag]);
      await expectRefusal(refused, 400, 'body_invalid', { pointer: '/tags/1' });
    }
  });

  test('refuses two files and stores neither: 400', async () => {
    const { tableId, recordId } = await newRecord();
    const form = formOf(photo);
    form.append('file', photo);
    const files = await storedFiles(dataDirectory);
    const events = await eventsOf(database, () =>
      expectRefusal(
        owner.fetch(`/tables/${tableId}/records/${recordId}/attachments`, { method: 'POST', body: form }),
        400,
        'body_invalid',
        { pointer: '/file' },
      ),
    );
    expect(events).toEqual([]);
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test('requires can_edit_attachments on the table: 403 for readers', async () => {
    const place = await newRecord();
    await bodyOf(201, attach(await whoHolds('can_edit_attachments', place.tableId), place, photo));
    await expectRefusal(attach(member, place, photo), 403, 'permission_denied');
    await expectRefusal(attach(outsider, place, photo), 403, 'permission_denied');
    const elsewhere = await newRecord();
    await expectRefusal(
      attach(await whoHolds('can_edit_attachments', elsewhere.tableId), place, photo),
      403,
      'permission_denied',
    );
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

  test('requires can_read_attachments on the table: 403 for editors without it', async () => {
    const place = await newRecord();
    await bodyOf(200, list(await whoHolds('can_read_attachments', place.tableId), place));
    const editor = await whoHolds('can_edit_attachments', place.tableId);
    await expectRefusal(list(editor, place), 403, 'permission_denied');
    await expectRefusal(list(outsider, place), 403, 'permission_denied');
  });

  test('refuses a record of another table: 404, or 403 without the permission to read', async () => {
    const [place, other] = [await newRecord(), await newRecord()];
    const mixed = { ...place, recordId: other.recordId };
    await expectRefusal(list(member, mixed), 404, 'record_not_found');
    await expectRefusal(list(outsider, mixed), 403, 'permission_denied');
    await expectRefusal(list(platform.stranger, place), 404, 'table_not_found');
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

  test('returns a signed URL that serves ranges and conditional requests', async () => {
    const place = await newRecord();
    const link = await freshLink(place, await attached(place, new File(['abcdef'], 'a.txt')));
    const part = await fetch(link, { headers: { Range: 'bytes=2-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'cd']);
    const etag = part.headers.get('ETag') ?? '';
    expect((await fetch(link, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    await expectRefusal(fetch(link, { headers: { Range: 'bytes=6-' } }), 416, 'range_not_satisfiable');
  });

  test('returns a signed URL that expires after 15 minutes: 410', async () => {
    const place = await newRecord();
    const link = await freshLink(place, await attached(place));
    clock.forward(15 * minutes - 1);
    expect((await responseOf(fetch(link))).status).toBe(200);
    clock.forward(1);
    await expectRefusal(fetch(link), 410, 'link_expired');
  });

  test('returns a signed URL that stops working when the attachment is deleted: 404', async () => {
    const place = await newRecord();
    const id = await attached(place);
    const link = await freshLink(place, id);
    await bodyOf(204, remove(owner, place, id));
    await expectRefusal(fetch(link), 404, 'attachment_not_found');
  });

  test('returns a signed URL that cannot be altered: 403', async () => {
    const place = await newRecord();
    const [id, other] = [await attached(place), await attached(place)];
    const link = await freshLink(place, id);
    const changed = (change: (url: URL) => void) => {
      const url = new URL(link);
      change(url);
      return fetch(url);
    };
    const signature = new URL(link).searchParams.get('signature') ?? '';
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const forgeries: ((url: URL) => void)[] = [
      (url) => url.searchParams.set('signature', flipped),
      (url) => url.searchParams.set('signature', ''),
      (url) => url.searchParams.delete('signature'),
      (url) => url.searchParams.append('signature', signature),
      (url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
      (url) => {
        url.pathname = url.pathname.replace(id, other);
      },
    ];
    for (const forge of forgeries) await expectRefusal(changed(forge), 403, 'permission_denied');
    expect((await responseOf(changed(() => {}))).status).toBe(200);
  });

  test('refuses an attachment that is not on this record: 404', async () => {
    const [place, other] = [await newRecord(), await newRecord()];
    const id = await attached(place);
    await expectRefusal(linkOf(owner, place, randomUUID()), 404, 'attachment_not_found');
    await expectRefusal(linkOf(owner, other, id), 404, 'attachment_not_found');
    await expectRefusal(linkOf(platform.stranger, place, id), 404, 'table_not_found');
  });
});

describe('deleteAttachment', () => {
  test('responds with 204 without a body, and emits its event', async () => {
    const place = await newRecord();
    const [id, kept] = [await attached(place), await attached(place)];
    const events = await eventsOf(database, async () => {
      expect(await responseOf(remove(owner, place, id))).toMatchObject({ status: 204, body: undefined });
    });
    expect(events).toEqual([
      {
        id: expect.any(String),
        type: 'attachment.deleted',
        createdDateTime: clock.now().toISOString(),
        organizationId: organization.id,
        workspaceId: workspace.id,
        data: { attachmentId: id, ...place },
      },
    ]);
    expect(await bodyOf(200, list(owner, place))).toMatchObject([{ id: kept }]);
    await expectRefusal(linkOf(owner, place, id), 404, 'attachment_not_found');
  });

  test('refuses a second deletion, and an attachment of another record: 404', async () => {
    const [place, other] = [await newRecord(), await newRecord()];
    const id = await attached(place);
    const events = await eventsOf(database, () =>
      expectRefusal(remove(owner, other, id), 404, 'attachment_not_found'),
    );
    expect(events).toEqual([]);
    await bodyOf(204, remove(owner, place, id));
    await expectRefusal(remove(owner, place, id), 404, 'attachment_not_found');
  });
});
