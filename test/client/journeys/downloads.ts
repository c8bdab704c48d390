import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAttachment,
  createClient,
  downloadAttachment,
  downloadResource,
  NotFoundError,
  RangeNotSatisfiableError,
  saveTo,
  unwrap,
  uploadResource,
} from '@wrp/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failingServer } from '../support.ts';
import { platform } from './platform.ts';

const { baseUrl, world } = platform;
const client = createClient({ baseUrl, token: world.owner.token });
const bytes = crypto.getRandomValues(new Uint8Array(65_536));
const naming = { name: 'Übersicht; "final".bin', type: 'application/pdf' };
const { resourceId } = await uploadResource(client, bytes, naming);
const record = { tableId: world.table.id, recordId: world.record.id };
const content = async ({ stream }: { stream: ReadableStream }) => new Response(stream).bytes();

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wrp-downloads-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('downloadResource', () => {
  test('returns a stream with name, type, size and ETag', async () => {
    const download = await downloadResource(client, resourceId);
    expect(download).toMatchObject({
      ...naming,
      size: bytes.length,
      etag: expect.stringMatching(/^".{43}"$/),
    });
    expect(await content(download)).toEqual(bytes);
  });

  test('returns the requested range', async () => {
    const part = await downloadResource(client, resourceId, { range: 'bytes=65000-' });
    expect([part.size, part.response.status]).toEqual([536, 206]);
    expect(await content(part)).toEqual(bytes.subarray(65_000));
    const outside = downloadResource(client, resourceId, { range: 'bytes=65536-' });
    await expect(outside).rejects.toThrow(RangeNotSatisfiableError);
  });

  test('throws a NotFoundError for an unknown resource', async () => {
    await expect(downloadResource(client, crypto.randomUUID())).rejects.toThrow(NotFoundError);
  });

  test('is retried until the stream starts', async () => {
    const server = await failingServer();
    server.respondWith([503, { 'Retry-After': '0' }], [200, {}, 'abcd']);
    const download = await downloadResource(createClient({ baseUrl: server.baseUrl }), resourceId);
    expect(await new Response(download.stream).text()).toBe('"abcd"');
    expect(server.requests).toHaveLength(2);
  });

  test('stops when the caller aborts', async () => {
    const server = await failingServer();
    const controller = new AbortController();
    server.respondWith((response) => {
      response.writeHead(200, { 'Content-Length': '4' });
      response.write('ab', () => controller.abort(new Error('Stopped by the caller.')));
    });
    const to = createClient({ baseUrl: server.baseUrl });
    const { signal } = controller;
    const download = await downloadResource(to, resourceId, { signal }).catch((error) => error);
    await expect(download instanceof Error ? Promise.reject(download) : content(download)).rejects.toThrow(
      'Stopped by the caller.',
    );
  });
});

describe('downloadAttachment', () => {
  test('follows the signed URL without the token', async () => {
    const { id } = await createAttachment(client, record, bytes, naming);
    const tokens: (string | null)[] = [];
    const recording = createClient({
      baseUrl,
      token: world.owner.token,
      fetch: (request) => {
        tokens.push(request.headers.get('Authorization'));
        return fetch(request);
      },
    });
    const download = await downloadAttachment(recording, { ...record, attachmentId: id });
    expect(await content(download)).toEqual(bytes);
    expect(download).toMatchObject(naming);
    expect(tokens).toEqual([world.owner.token, null]);
  });

  test('throws for a deleted attachment', async () => {
    const { id } = await createAttachment(client, record, bytes, naming);
    const attachment = { ...record, attachmentId: id };
    const path = '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}';
    await unwrap(client.DELETE(path, { params: { path: attachment } }));
    await expect(downloadAttachment(client, attachment)).rejects.toThrow('attachment_not_found');
  });
});

describe('saveTo', () => {
  test('writes the file', async () => {
    const path = join(directory, 'whole.pdf');
    await saveTo(path, await downloadResource(client, resourceId));
    expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  });

  test('leaves no file behind if the download is incomplete', async () => {
    const server = await failingServer();
    server.respondWith((response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('half', () => setTimeout(() => response.destroy(), 50));
    });
    const download = await downloadResource(createClient({ baseUrl: server.baseUrl }), resourceId);
    const before = await readdir(directory);
    await expect(saveTo(join(directory, 'half.pdf'), download)).rejects.toThrow();
    expect(await readdir(directory)).toEqual(before);
  });
});
