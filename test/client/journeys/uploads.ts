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
import { faultyServer, refusal, reset } from '../support.ts';
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

/** A file as the platform gives it back: its name, its media type, its text. */
async function stored({ resourceId }: { resourceId: string }) {
  const { stream, name, type } = await downloadResource(client, resourceId);
  return { text: await new Response(stream).text(), type, name };
}

async function* inPieces(size = 1000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('uploadResource takes', () => {
  const named = { name: 'Prüf "bericht".txt', type: 'text/plain' };
  const expected = { text, ...named };

  test('a path, as a string and as a URL', async () => {
    const path = join(directory, 'Prüfbericht.txt');
    await writeFile(path, text);
    const file = await fromPath(path, { type: 'text/plain' });
    expect(await stored(await uploadResource(client, file))).toEqual({
      ...expected,
      name: 'Prüfbericht.txt',
    });
    const again = await fromPath(pathToFileURL(path), named);
    expect(await stored(await uploadResource(client, again))).toEqual(expected);
  });

  test('a path that leads nowhere not at all', async () => {
    await expect(fromPath(join(directory, 'nothing'))).rejects.toThrow();
  });

  test('a Blob and a File, with the names and types they have or are given', async () => {
    const file = new File([text], named.name, { type: named.type });
    expect(await stored(await uploadResource(client, file))).toEqual(expected);
    expect(await stored(await uploadResource(client, new Blob([text]), named))).toEqual(expected);
    const bare = await stored(await uploadResource(client, new Blob([text])));
    expect(bare).toEqual({ text, name: 'file', type: 'application/octet-stream' });
  });

  test('a Buffer, other bytes, and the bytes of an ArrayBuffer', async () => {
    for (const source of [Buffer.from(text), bytes, bytes.buffer])
      expect(await stored(await uploadResource(client, source, named))).toEqual(expected);
  });

  test('a stream of the web, one of Node, a generator, and a function that opens one', async () => {
    const path = join(directory, 'streamed.txt');
    await writeFile(path, text);
    const sources = [
      new Blob([text]).stream(),
      createReadStream(path),
      inPieces(),
      () => createReadStream(path),
    ];
    for (const source of sources)
      expect(await stored(await uploadResource(client, source, named))).toEqual(expected);
    const sized = await uploadResource(client, inPieces(), { ...named, size: bytes.length });
    expect(await stored(sized)).toEqual(expected);
  });

  test('an empty file', async () => {
    expect((await stored(await uploadResource(client, new Uint8Array()))).text).toBe('');
    const none = async function* () {};
    expect((await stored(await uploadResource(client, none()))).text).toBe('');
  });
});

describe('createAttachment', () => {
  test.each([
    ['a Blob', () => new Blob([text])],
    ['a stream', () => inPieces()],
  ])('attaches %s with its tags', async (_kind, source) => {
    const tags = ['photo', 'a,b', 'Ü'];
    const made = await createAttachment(client, record, source(), { name: 'bumper.jpg', tags });
    expect(made).toMatchObject({ name: 'bumper.jpg', size: bytes.length, tags, recordId: record.recordId });
  });
});

describe('the progress of an upload', () => {
  test('is told to the last byte, and never goes back', async () => {
    for (const [source, total] of [
      [new Blob([text]), bytes.length],
      [inPieces(), undefined],
    ] as const) {
      const told: UploadProgress[] = [];
      await uploadResource(client, source, { onProgress: (progress) => void told.push(progress) });
      expect(told.at(-1)).toEqual({ loaded: bytes.length, ...(total && { total }) });
      expect(told.map(({ loaded }) => loaded)).toEqual(
        told.map(({ loaded }) => loaded).sort((a, b) => a - b),
      );
    }
  });
});

describe('a large file', () => {
  test('is read as far as it is sent, and never held in memory', async () => {
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

  test('that is too large is refused before it is sent, where its size is known', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += mebibyte;
        yield new Uint8Array(mebibyte);
      }
    }
    const size = 64 * mebibyte;
    await expect(uploadResource(client, endless(), { size })).rejects.toThrow(ContentTooLargeError);
    expect(taken).toBeLessThan(20 * mebibyte);
    await expect(uploadResource(client, endless())).rejects.toThrow(ContentTooLargeError);
  });

  test('for a record that there is not is refused in the middle, and its stream is closed', async () => {
    const closed = vi.fn();
    async function* long() {
      try {
        for (let piece = 0; piece < 60; piece++) yield new Uint8Array(mebibyte);
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

  test('ends when the caller gives up', async () => {
    const controller = new AbortController();
    async function* slow() {
      yield new Uint8Array(10);
      controller.abort(new Error('The user left.'));
      await new Promise(() => {});
    }
    await expect(uploadResource(client, slow(), { signal: controller.signal })).rejects.toThrow(
      'The user left.',
    );
  });
});

describe('an upload that fails', () => {
  const created = { resourceId: 'r', resourceName: 'n', resourcePath: '/resources/r' };

  test('is sent again whole, with the same key, from all that can be read again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const server = await faultyServer();
    const flaky = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
    const path = join(directory, 'again.txt');
    await writeFile(path, text);
    for (const [source, options] of [
      [new Blob([text]), {}],
      [await fromPath(path), { onProgress: () => {} }],
      [() => inPieces(), {}],
    ] as const) {
      server.answers(503, reset, [201, {}, created]);
      expect(await uploadResource(flaky, source, options)).toEqual(created);
      expect(server.seen).toHaveLength(3);
      for (const { body } of server.seen) expect(body.includes(text)).toBe(true);
      expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    }
  });

  test('is not sent again from a stream, and carries no key', async () => {
    const server = await faultyServer();
    const flaky = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
    server.answers([503, {}, refusal('service_unavailable')]);
    await expect(uploadResource(flaky, inPieces())).rejects.toThrow('service_unavailable');
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });

  test('is stored once, though its answer was lost', async () => {
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
    await createAttachment(lossy, record, () => inPieces(), { name: 'once.txt' });
    const path = '/tables/{tableId}/records/{recordId}/attachments';
    const attachments = await unwrap(client.GET(path, { params: { path: record } }));
    expect(lost).toBe(2);
    expect(attachments.filter(({ name }) => name === 'once.txt')).toHaveLength(1);
  });
});
