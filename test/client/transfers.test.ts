import { type ByteStream, createClient, downloadResource, uploadResource } from '@wrp/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { faultyServer } from './support.ts';

const baseUrl = 'https://api.example.com';
const resourceId = crypto.randomUUID();

afterEach(() => void vi.unstubAllGlobals());

describe('the name of a download', () => {
  test.each([
    ['in any script', `attachment; filename="_.txt"; filename*=UTF-8''%C3%BC.txt`, 'ü.txt'],
    [
      'that was spoilt on the way is the plain one',
      `attachment; filename="_.txt"; filename*=UTF-8''%C3.txt`,
      '_.txt',
    ],
    ['without a plain one is no name', `attachment; filename*=UTF-8''%C3.txt`, 'file'],
  ])('%s', async (_, disposition, name) => {
    const headers = { 'Content-Disposition': disposition };
    const client = createClient({ baseUrl, fetch: async () => new Response('whole', { headers }) });
    const download = await downloadResource(client, resourceId);
    expect(download.name).toBe(name);
    expect(await new Response(download.stream).text()).toBe('whole');
  });
});

test('an upload that tells of its progress is not begun when it was given up before', async () => {
  const opened = vi.fn();
  vi.stubGlobal('XMLHttpRequest', opened);
  const given = { signal: AbortSignal.abort(new Error('given up')), headers: { Authorization: 'tot_1' } };
  const upload = uploadResource(createClient({ baseUrl }), new Blob(['text']), { ...given, onProgress() {} });
  await expect(upload).rejects.toThrow('given up');
  expect(opened).not.toHaveBeenCalled();
});

describe('a mistake with the source of an upload', async () => {
  const server = await faultyServer();
  const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
  const upload = (source: unknown, options = {}) => uploadResource(client, source as never, options);
  async function* gives(...parts: unknown[]) {
    yield* parts;
  }

  test.each([
    ['a path', 'report.pdf', 'pass `await fromPath(path)`'],
    ['an object', { path: 'report.pdf' }, 'A file is a Blob'],
    ['a number', 7, 'A file is a Blob'],
    ['nothing', undefined, 'A file is a Blob'],
  ])('%s is refused before anything is sent', async (_what, source, message) => {
    server.answers();
    await expect(upload(source)).rejects.toThrow(message);
    await expect(upload(source)).rejects.toThrow(TypeError);
    expect(server.seen).toHaveLength(0);
  });

  test.each([
    [4, 'size: 4, but the stream gives more bytes.'],
    [6, 'size: 6, but the stream gives 5 bytes.'],
  ])('the size %i of five bytes is told, and not tried again', async (size, message) => {
    let opened = 0;
    const source = () => {
      opened++;
      return gives(new Uint8Array(2), new Uint8Array(3));
    };
    const error = await upload(source, { size }).catch((caught) => caught);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toBe(message);
    expect(opened).toBe(1);
  });

  test('text where bytes should be is told', async () => {
    await expect(upload(gives('text'))).rejects.toThrow('The stream gives something else than bytes.');
  });

  test.each([
    ['when it is opened', () => failing()],
    [
      'in the middle',
      async function* () {
        yield new Uint8Array(3);
        failing();
      },
    ],
    ['as a stream of the web', () => new ReadableStream({ pull: failing })],
  ])("the source's own error %s comes as it is, once", async (_when, source) => {
    const open = vi.fn(source as () => ByteStream);
    await expect(upload(open)).rejects.toBe(unplugged);
    expect(open).toHaveBeenCalledOnce();
  });

  test('is the same where the form is written by a browser', async () => {
    vi.stubGlobal('XMLHttpRequest', vi.fn());
    await expect(upload(gives(new Uint8Array(5)), { size: 6 })).rejects.toThrow(RangeError);
    await expect(upload(() => failing())).rejects.toBe(unplugged);
    await expect(upload('report.pdf')).rejects.toThrow('fromPath');
  });
});

const unplugged = new Error('The disk is gone.');

function failing(): never {
  throw unplugged;
}
