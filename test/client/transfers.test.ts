import {
  type ByteStream,
  createAttachment,
  createClient,
  downloadResource,
  uploadResource,
} from '@wrp/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { failingServer } from './support.ts';

const baseUrl = 'https://api.example.com';
const resourceId = crypto.randomUUID();

afterEach(() => void vi.unstubAllGlobals());

describe('the file name of a download', () => {
  test.each([
    [
      'is quoted, with what looks like a parameter',
      `attachment; filename="a; filename*=UTF-8''b\\""`,
      `a; filename*=UTF-8''b"`,
    ],
    ['is not that within another parameter', `attachment; a="x; filename=b"; filename=c`, 'c'],
    ['is decoded from filename* with a language', `attachment; filename*=utf-8'de'%C3%BC.txt`, 'ü.txt'],
    ['is decoded from filename*', `attachment; filename="_.txt"; filename*=UTF-8''%C3%BC.txt`, 'ü.txt'],
    [
      'falls back to filename if filename* is invalid',
      `attachment; filename="_.txt"; filename*=UTF-8''%C3.txt`,
      '_.txt',
    ],
    ['defaults to "file" without a valid name', `attachment; filename*=UTF-8''%C3.txt`, 'file'],
  ])('%s', async (_, disposition, name) => {
    const headers = { 'Content-Disposition': disposition };
    const client = createClient({ baseUrl, fetch: async () => new Response('content', { headers }) });
    const download = await downloadResource(client, resourceId);
    expect(download.name).toBe(name);
    expect(await new Response(download.stream).text()).toBe('content');
  });
});

test('an aborted signal prevents an upload with progress events', async () => {
  const opened = vi.fn();
  vi.stubGlobal('XMLHttpRequest', opened);
  const options = { signal: AbortSignal.abort(new Error('stopped')), headers: { Authorization: 'tot_1' } };
  const upload = uploadResource(createClient({ baseUrl }), new Blob(['text']), {
    ...options,
    onProgress() {},
  });
  await expect(upload).rejects.toThrow('stopped');
  expect(opened).not.toHaveBeenCalled();
});

describe('an invalid upload source', async () => {
  const server = await failingServer();
  const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
  const upload = (source: unknown, options = {}) => uploadResource(client, source as never, options);
  async function* yields(...parts: unknown[]) {
    yield* parts;
  }

  test.each([
    ['a path', 'report.pdf', 'Pass `await fromPath(path)`'],
    ['an object', { path: 'report.pdf' }, 'A file must be a Blob'],
    ['a number', 7, 'A file must be a Blob'],
    ['undefined', undefined, 'A file must be a Blob'],
  ])('%s throws before anything is sent', async (_case, source, message) => {
    server.respondWith();
    await expect(upload(source)).rejects.toThrow(message);
    await expect(upload(source)).rejects.toThrow(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    [4, 'The stream has more bytes than its size, 4.'],
    [6, 'The stream has 5 bytes, fewer than its size, 6.'],
  ])('size %i for five bytes throws a RangeError without a retry', async (size, message) => {
    let opened = 0;
    const source = () => {
      opened++;
      return yields(new Uint8Array(2), new Uint8Array(3));
    };
    const error = await upload(source, { size }).catch((caught) => caught);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe(message);
    expect(opened).toBe(1);
  });

  test('a stream of text throws', async () => {
    await expect(upload(yields('text'))).rejects.toThrow('The stream must yield bytes');
  });

  test.each([
    ['on opening', () => failing()],
    [
      'while reading',
      async function* () {
        yield new Uint8Array(3);
        failing();
      },
    ],
    ['from a ReadableStream', () => new ReadableStream({ pull: failing })],
  ])("the source's own error %s is thrown unchanged without a retry", async (_case, source) => {
    const open = vi.fn(source as () => ByteStream);
    await expect(upload(open)).rejects.toBe(unplugged);
    expect(open).toHaveBeenCalledOnce();
  });

  test('throws the same errors in a browser', async () => {
    vi.stubGlobal('XMLHttpRequest', vi.fn());
    await expect(upload(yields(new Uint8Array(5)), { size: 6 })).rejects.toThrow(RangeError);
    await expect(upload(() => failing())).rejects.toBe(unplugged);
    await expect(upload('report.pdf')).rejects.toThrow('fromPath');
  });
});

const unplugged = new Error('The disk is gone.');

function failing(): never {
  throw unplugged;
}

describe('the parts of an upload', async () => {
  const server = await failingServer();
  const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1', retries: 0 });
  const record = { tableId: resourceId, recordId: resourceId };
  const cases = [
    ['quotation marks', 'a "b".txt', 'text/plain'],
    ['line breaks', 'a\r\nContent-Type: text/html\r\n\r\n.txt', 'text/plain\r\nX-Admin: 1'],
    ['a backslash and a semicolon', 'a\\"; filename="b.txt', 'text/plain; charset=utf-8'],
    ['other scripts', 'Ünïcode 🦊.txt', 'text/plain'],
    ['a percent sign', '100%22.txt', 'text/plain'],
  ] as const;

  test.each(cases)('keep %s in their value', async (_what, name, type) => {
    const sources = [new Blob(['content']), () => new Blob(['content']).stream()];
    const tags = ['a"b', 'c\r\n--wrp-0--\r\n', '🦊'];
    for (const source of sources) {
      server.respondWith([201, {}, {}]);
      await createAttachment(client, record, source, { name, type, tags });
      const [received] = server.requests;
      const headers = { 'Content-Type': received?.headers['content-type'] ?? '' };
      const form = await new Response(new Uint8Array(received?.body ?? []), { headers }).formData();
      expect([...form.keys()]).toEqual(['tags', 'tags', 'tags', 'file']);
      expect(form.getAll('tags')).toEqual(tags);
      const file = form.get('file') as File;
      expect(await file.text()).toBe('content');
      // Form data has an encoding for quotation marks and line breaks alone (HTML, 4.10.21.8).
      expect(decodeURIComponent(file.name.replaceAll(/%(?!22|0D|0A)/g, '%25'))).toBe(
        name.replace('%22', '"'),
      );
    }
  });
});
