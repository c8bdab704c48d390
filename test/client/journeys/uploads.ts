import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ContentTooLargeError,
  createAttachment,
  createClient,
  downloadResource,
  fromPath,
  NotFoundError,
  type UploadProgress,
  unwrap,
  uploadResource,
} from '@wrp/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { standstill } from '../../support/waiting.ts';
import { errorBody, failingServer, reset } from '../support.ts';
import { mebibyte, platform } from './platform.ts';

const { baseUrl, world } = platform;
const client = createClient({ baseUrl, token: world.owner.token });
const record = { tableId: world.table.id, recordId: world.record.id };
const text = 'Die Stoßstange ist eingedrückt.\n'.repeat(1000);
const bytes = new TextEncoder().encode(text);

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wrp-uploads-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Downloads an uploaded file. */
async function download({ resourceId }: { resourceId: string }) {
  const { stream, name, type } = await downloadResource(client, resourceId);
  return { text: await new Response(stream).text(), type, name };
}

async function* chunks(size = 1000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('uploadResource accepts', () => {
  const named = { name: 'Prüf "bericht".txt', type: 'text/plain' };
  const expected = { text, ...named };

  test('a path, as a string and as a URL', async () => {
    const path = join(directory, 'Prüfbericht.txt');
    await writeFile(path, text);
    const file = await fromPath(path, { type: 'text/plain' });
    expect(await download(await uploadResource(client, file))).toEqual({
      ...expected,
      name: 'Prüfbericht.txt',
    });
    const again = await fromPath(pathToFileURL(path), named);
    expect(await download(await uploadResource(client, again))).toEqual(expected);
  });

  test('no path that leads to no file', async () => {
    await expect(fromPath(join(directory, 'nothing'))).rejects.toThrow();
  });

  test('a Blob and a File with their own or explicit name and type', async () => {
    const file = new File([text], named.name, { type: named.type });
    expect(await download(await uploadResource(client, file))).toEqual(expected);
    expect(await download(await uploadResource(client, new Blob([text]), named))).toEqual(expected);
    const bare = await download(await uploadResource(client, new Blob([text])));
    expect(bare).toEqual({ text, name: 'file', type: 'application/octet-stream' });
  });

  test('a Buffer, a Uint8Array and an ArrayBuffer', async () => {
    for (const source of [Buffer.from(text), bytes, bytes.buffer])
      expect(await download(await uploadResource(client, source, named))).toEqual(expected);
  });

  test('a ReadableStream, a Node stream, a generator, and a function that opens a stream', async () => {
    const path = join(directory, 'streamed.txt');
    await writeFile(path, text);
    const sources = [
      new Blob([text]).stream(),
      createReadStream(path),
      chunks(),
      () => createReadStream(path),
    ];
    for (const source of sources)
      expect(await download(await uploadResource(client, source, named))).toEqual(expected);
    const sized = await uploadResource(client, chunks(), { ...named, size: bytes.length });
    expect(await download(sized)).toEqual(expected);
  });

  test('an empty file', async () => {
    expect((await download(await uploadResource(client, new Uint8Array()))).text).toBe('');
    const none = async function* () {};
    expect((await download(await uploadResource(client, none()))).text).toBe('');
  });
});

describe('createAttachment', () => {
  test.each([
    ['a Blob', () => new Blob([text])],
    ['a stream', () => chunks()],
  ])('attaches %s with its tags', async (_kind, source) => {
    const tags = ['photo', 'a,b', 'Ü'];
    const made = await createAttachment(client, record, source(), { name: 'bumper.jpg', tags });
    expect(made).toMatchObject({ name: 'bumper.jpg', size: bytes.length, tags, recordId: record.recordId });
  });
});

describe('upload progress', () => {
  test('increases up to the last byte', async () => {
    for (const [source, total] of [
      [new Blob([text]), bytes.length],
      [chunks(), undefined],
    ] as const) {
      const reports: UploadProgress[] = [];
      await uploadResource(client, source, { onProgress: (progress) => void reports.push(progress) });
      expect(reports.at(-1)).toEqual({ loaded: bytes.length, ...(total && { total }) });
      expect(reports.map(({ loaded }) => loaded)).toEqual(
        reports.map(({ loaded }) => loaded).sort((a, b) => a - b),
      );
    }
  });
});

describe('a large file', () => {
  test('is streamed without buffering it in memory', async () => {
    const size = 256 * mebibyte;
    const path = join(directory, 'large');
    const handle = await open(path, 'w');
    await handle.truncate(size);
    await handle.close();
    const stalled = createServer((request) => void request.pause());
    await new Promise<void>((listening) => stalled.listen(0, '127.0.0.1', listening));
    onTestFinished(() => stalled.closeAllConnections());
    onTestFinished(() => void stalled.close());
    const to = createClient({ baseUrl: `http://127.0.0.1:${(stalled.address() as AddressInfo).port}` });
    const { arrayBuffers: before } = process.memoryUsage();
    const controller = new AbortController();
    const { signal } = controller;
    let loaded = 0;
    const onProgress = (progress: UploadProgress) => {
      loaded = Math.max(loaded, progress.loaded);
    };
    const uploads = [
      uploadResource(to, await fromPath(path), { signal }),
      uploadResource(to, await fromPath(path), { signal, onProgress }),
      uploadResource(to, createReadStream(path), { signal, onProgress }),
    ].map((upload) => upload.catch((error) => error.name));
    expect(await standstill(() => loaded)).toBeLessThan(16 * mebibyte);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * mebibyte);
    controller.abort();
    expect(await Promise.all(uploads)).toEqual(['AbortError', 'AbortError', 'AbortError']);
  });

  test('above the limit is rejected early if its size is known', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += mebibyte;
        yield new Uint8Array(mebibyte);
      }
    }
    const size = 64 * mebibyte;
    await expect(uploadResource(client, endless(), { size })).rejects.toThrow(ContentTooLargeError);
    expect(read).toBeLessThan(20 * mebibyte);
    await expect(uploadResource(client, endless())).rejects.toThrow(ContentTooLargeError);
  });

  test('for an unknown record is rejected during the upload, and its stream is closed', async () => {
    const closed = vi.fn();
    async function* long() {
      try {
        for (let chunk = 0; chunk < 60; chunk++) yield new Uint8Array(mebibyte);
      } finally {
        closed();
      }
    }
    const path = { ...record, recordId: crypto.randomUUID() };
    const error = await createAttachment(client, path, long()).catch((caught) => caught);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.code).toBe('record_not_found');
    await expect.poll(() => closed).toHaveBeenCalledOnce();
  });

  test('stops when the caller aborts', async () => {
    const controller = new AbortController();
    async function* slow() {
      yield new Uint8Array(10);
      controller.abort(new Error('Stopped by the caller.'));
      await new Promise(() => {});
    }
    await expect(uploadResource(client, slow(), { signal: controller.signal })).rejects.toThrow(
      'Stopped by the caller.',
    );
  });
});

describe('a failed upload', () => {
  const created = { resourceId: 'r', resourceName: 'n', resourcePath: '/resources/r' };

  test('is retried completely with the same key if the source can be read again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const server = await failingServer();
    const flaky = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
    const path = join(directory, 'again.txt');
    await writeFile(path, text);
    for (const [source, options] of [
      [new Blob([text]), {}],
      [await fromPath(path), { onProgress: () => {} }],
      [() => chunks(), {}],
    ] as const) {
      server.respondWith(503, reset, [201, {}, created]);
      expect(await uploadResource(flaky, source, options)).toEqual(created);
      expect(server.requests).toHaveLength(3);
      for (const { body } of server.requests) expect(body.includes(text)).toBe(true);
      expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    }
  });

  test('of a stream is not retried and sends no Idempotency-Key', async () => {
    const server = await failingServer();
    const flaky = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
    server.respondWith([503, {}, errorBody('service_unavailable')]);
    await expect(uploadResource(flaky, chunks())).rejects.toThrow('service_unavailable');
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  test('whose response was lost is stored once', async () => {
    let lost = 0;
    const lossy = createClient({
      baseUrl,
      token: world.owner.token,
      fetch: async (request) => {
        const response = await fetch(request);
        if (lost++ === 0) throw new TypeError('fetch failed');
        return response;
      },
    });
    await createAttachment(lossy, record, () => chunks(), { name: 'once.txt' });
    const path = '/tables/{tableId}/records/{recordId}/attachments';
    const attachments = await unwrap(client.GET(path, { params: { path: record } }));
    expect(lost).toBe(2);
    expect(attachments.filter(({ name }) => name === 'once.txt')).toHaveLength(1);
  });
});
