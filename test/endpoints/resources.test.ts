import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { bytesOf, formOf, storedFiles } from '../support/files.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

const uploadLimit = 1 << 20;
const platform = await api({ uploadLimit });
const { owner, member, world, database, clock, dataDirectory } = platform;
const { organization, workspace } = world;

type Actor = typeof owner;
const upload = (client: Actor, file: File) => client.POST('/resources', { body: { file } });
const download = (client: Actor, resourceId: string, headers = {}) =>
  client.fetch(`/resources/${resourceId}`, { headers });
const send = (client: Actor, body: BodyInit, headers: Record<string, string> = {}) =>
  client.fetch('/resources', { method: 'POST', body, headers });

const pdf = new File(['%PDF-1.7 terms of the policy'], 'policy-terms.pdf', { type: 'application/pdf' });
const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

async function uploaded(file: File = pdf, client = member): Promise<string> {
  const { data, response } = await upload(client, file);
  expect(response.status).toBe(201);
  return data?.resourceId ?? '';
}

describe('uploadResource', () => {
  test('stores the file in the home workspace of the token, and emits its event', async () => {
    const sha256 = createHash('sha256').update(Buffer.from(await pdf.arrayBuffer()));
    const events = await eventsOf(database, async () => {
      const body = await bodyOf(201, upload(member, pdf));
      const { resourceId } = body as { resourceId: string };
      expect(body).toEqual({
        resourceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourcePath: `/resources/${resourceId}`,
        resourceName: 'policy-terms.pdf',
      });
    });
    expect(events).toEqual([
      {
        id: expect.any(String),
        type: 'resource.created',
        createdDateTime: clock.now().toISOString(),
        organizationId: organization.id,
        workspaceId: workspace.id,
        data: {
          resourceId: expect.any(String),
          name: 'policy-terms.pdf',
          contentType: 'application/pdf',
          size: pdf.size,
          sha256: sha256.digest('hex'),
        },
      },
    ]);
  });

  test('returns the Location of the file', async () => {
    const { data } = await upload(member, pdf);
    expect(await bytesOf(member.fetch(data?.resourcePath ?? ''))).toEqual(await bytesOf(new Response(pdf)));
  });

  test.each(['条款.pdf', 'Überblick (1).txt', 'شروط.doc', '🚗 damage.jpeg', 'a"b;c.txt'])(
    'keeps the name %s',
    async (name) => {
      expect(await bodyOf(201, upload(member, new File(['x'], name)))).toMatchObject({ resourceName: name });
    },
  );

  test('keeps the name in Unicode NFC', async () => {
    const { data } = await upload(member, new File(['x'], 'Ange\u0301bot.pdf'));
    expect(data?.resourceName).toBe('Angébot.pdf');
  });

  test('accepts a name of 255 characters and refuses one of 256: 400', async () => {
    const name = '数'.repeat(255);
    expect(await bodyOf(201, upload(member, new File(['x'], name)))).toMatchObject({ resourceName: name });
    await expectRefusal(upload(member, new File(['x'], `${name}数`)), 400, 'body_invalid', {
      pointer: '/file',
    });
  });

  test('accepts a file of the maximum size and refuses one byte more: 413', async () => {
    await uploaded(new File([Buffer.alloc(uploadLimit)], 'full'));
    const files = await storedFiles(dataDirectory);
    const events = await eventsOf(database, () =>
      expectRefusal(
        upload(member, new File([Buffer.alloc(uploadLimit + 1)], 'fuller')),
        413,
        'file_too_large',
      ),
    );
    expect(events).toEqual([]);
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test('refuses a form without the file: 400', async () => {
    const form = new FormData();
    form.append('file', 'the text of a file');
    await expectRefusal(send(member, form), 400, 'body_invalid', { pointer: '/file' });
    await expectRefusal(send(member, new FormData()), 400, 'body_invalid', { pointer: '/file' });
  });

  test('refuses an unknown field and stores nothing of the file: 400', async () => {
    const files = await storedFiles(dataDirectory);
    await expectRefusal(send(member, formOf(pdf, ['signed'])), 400, 'body_invalid', { pointer: '/tags' });
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test('refuses a malformed form: 400 multipart_malformed', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    await expectRefusal(send(member, '--x\r\nContent-Disp', headers), 400, 'multipart_malformed');
  });
});

describe('downloadResource', () => {
  test('returns the exact bytes, with the media type and name of the upload', async () => {
    const bytes = randomBytes(300_000);
    const file = new File([bytes], 'Schäden 2026.bin', { type: 'application/x-thing; version=1' });
    const response = await download(member, await uploaded(file));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-thing; version=1',
      'content-length': '300000',
      'content-disposition': `attachment; filename="Sch?den 2026.bin"; filename*=UTF-8''Sch%C3%A4den%202026.bin`,
      'accept-ranges': 'bytes',
      etag: etagOf(bytes),
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    expect((await bytesOf(response)).equals(bytes)).toBe(true);
  });

  test('returns an empty file', async () => {
    const response = await download(member, await uploaded(new File([], 'empty.txt')));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe('0');
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test('sends headers that keep browsers from running the file', async () => {
    const page = new File(['<script>alert(1)</script>'], 'page.html', { type: 'text/html' });
    const { headers } = await download(member, await uploaded(page));
    expect(headers.get('Content-Type')).toBe('text/html');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename=page.html');
    expect(headers.get('Content-Security-Policy')).toBe('sandbox');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('responds with 304 to a client that has the file', async () => {
    const id = await uploaded();
    const etag = (await download(member, id)).headers.get('ETag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await download(member, id, { 'If-None-Match': known });
      expect(response.status).toBe(304);
      expect(response.headers.get('ETag')).toBe(etag);
      expect(await bytesOf(response)).toHaveLength(0);
    }
    const response = await download(member, id, { 'If-None-Match': '"other"' });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test.each([
    ['bytes=0-7', 'bytes 0-7/26', 'abcdefgh'],
    ['bytes=20-', 'bytes 20-25/26', 'uvwxyz'],
    ['bytes=-3', 'bytes 23-25/26', 'xyz'],
    ['bytes=25-999', 'bytes 25-25/26', 'z'],
    ['bytes=-999', 'bytes 0-25/26', 'abcdefghijklmnopqrstuvwxyz'],
  ])('responds to Range: %s with 206 and that part', async (range, contentRange, text) => {
    const file = new File(['abcdefghijklmnopqrstuvwxyz'], 'alphabet.txt', { type: 'text/plain' });
    const response = await download(member, await uploaded(file), { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('Content-Range')).toBe(contentRange);
    expect(response.headers.get('Content-Type')).toBe('text/plain');
    expect(response.headers.get('Content-Length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  test.each(['bytes=0-1,4-5', 'lines=1-2', 'bytes=5-2', 'bytes=a-b'])(
    'ignores Range: %s and returns the whole file',
    async (range) => {
      const response = await download(member, await uploaded(), { Range: range });
      expect(response.status).toBe(200);
      expect(await bytesOf(response)).toHaveLength(pdf.size);
    },
  );

  test('refuses a range beyond the end and sends the size: 416', async () => {
    const id = await uploaded();
    for (const range of [`bytes=${pdf.size}-`, 'bytes=-0']) {
      const { headers } = await expectRefusal(
        download(member, id, { Range: range }),
        416,
        'range_not_satisfiable',
      );
      expect(headers.get('Content-Range')).toBe(`bytes */${pdf.size}`);
    }
  });

  test('allows everybody with can_view_workspace, whoever uploaded the file', async () => {
    const id = await uploaded(pdf, owner);
    expect((await download(member, id)).status).toBe(200);
    expect((await download(platform.admin, id.toUpperCase())).status).toBe(200);
  });
});
