import type { ReadStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { parse as parseDisposition } from 'content-disposition';
import express from 'express';
import { describe, expect, test } from 'vitest';
import type { ByteRange, StoredFile } from '../../server/blobs/index.ts';
import { sendFile } from '../../server/http-bodies/index.ts';
import { onS3 } from '../support/s3.ts';
import { standstill } from '../support/waiting.ts';
import { givenBlobs, givenServer, sendFailure } from './support.ts';

const content = Buffer.from('0123456789');

async function givenFile({ bytes = content, ...fields }: Partial<StoredFile> & { bytes?: Buffer } = {}) {
  const { blobs, files } = await givenBlobs();
  const written = await blobs.write(Readable.from([bytes]));
  const file = { ...written, name: 'a.txt', contentType: 'text/plain', ...fields };
  const results: unknown[] = [];
  const sources: ReadStream[] = [];
  const app = express();
  app.get('/', async (request, response) => {
    const headers = { 'Request-Id': 'one', 'Cache-Control': 'no-store' };
    const counted = {
      read: async (key: string, range?: ByteRange) => {
        const source = await blobs.read(key, range);
        sources.push(source as ReadStream);
        return source;
      },
    };
    const sending = sendFile(request, response, file, { blobs: counted, headers });
    results.push(await sending.catch((error) => error));
    await sending;
  });
  app.use(sendFailure);
  const { url, port } = await givenServer(app);
  const [path = ''] = await files();
  const get = (headers: Record<string, string> = {}) => fetch(url, { headers });
  const bytesRead = () => sources.reduce((sum, source) => sum + source.bytesRead, 0);
  return { get, port, path, file, blobs, results, bytesRead };
}

describe('a download', () => {
  test('returns the file, with headers that keep browsers from running it', async () => {
    const { get, file, results } = await givenFile({ contentType: 'text/html; charset=utf-8' });
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '10',
      'content-disposition': 'attachment; filename=a.txt',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'request-id': 'one',
      etag: `"${file.sha256.toString('base64url')}"`,
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
    // The callback comes after the last byte was sent, which may have arrived by then.
    await expect.poll(() => results).toEqual([{ status: 200 }]);
  });

  test('may be empty', async () => {
    const { get } = await givenFile({ bytes: Buffer.alloc(0) });
    const response = await get();
    expect(response.headers.get('content-length')).toBe('0');
    expect(await response.text()).toBe('');
  });

  test.each([
    'report.txt',
    'Zählung – Größe.csv',
    '数据 資料 データ 데이터.pdf',
    'תיק.txt',
    'ملف.txt',
    '👩🏽‍🚀.png',
    '50%25 "quoted" back\\slash; x=y.txt',
    "it's*(all).txt",
    ' leading and trailing ',
  ])('of %s has that name', async (name) => {
    const { get } = await givenFile({ name });
    const header = (await get()).headers.get('content-disposition') ?? '';
    expect(header).toMatch(/^attachment; filename/);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(parseDisposition(header).parameters['filename']).toBe(name);
  });

  test('of an invalid media type is application/octet-stream', async () => {
    const { get } = await givenFile({ contentType: 'text/plain\r\nX-Evil: 1' });
    const response = await get();
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.has('x-evil')).toBe(false);
  });

  test('of the version that the client already has returns 304', async () => {
    const { get, file } = await givenFile();
    const etag = `"${file.sha256.toString('base64url')}"`;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get({ 'If-None-Match': known, Range: 'bytes=0-1' });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    for (const other of ['"other"', `"other, ${etag}`, `${etag} "other"`, etag.slice(1, -1), `*, ${etag}`])
      expect((await get({ 'If-None-Match': other })).status).toBe(200);
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=8-99999999999999999999999', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['BYTES= 1-1 ', '1', 'bytes 1-1/10'],
  ])('%s returns the bytes %s', async (range, text, contentRange) => {
    const { get } = await givenFile();
    const response = await get({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(await response.text()).toBe(text);
  });

  test.each(['bytes=10-', 'bytes=99999999999999999999-', 'bytes=-0'])('%s returns 416', async (range) => {
    const { get } = await givenFile();
    const response = await get({ Range: range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(response.headers.has('content-disposition')).toBe(false);
    expect(await response.json()).toMatchObject({ errors: [{ code: 'range_not_satisfiable' }] });
  });

  test.each([
    'bytes=0-1,4-5',
    'bytes=4-2',
    'bytes=-',
    'bytes=a-b',
    'bytes 0-1',
    'lines=0-1',
    '0-1',
    'bytes=0x1-2',
    'bytes=--1',
  ])('%s is ignored', async (range) => {
    const { get } = await givenFile();
    const response = await get({ Range: range });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('0123456789');
  });

  test('of an empty file returns the whole file for a suffix, and 416 for a start', async () => {
    const { get } = await givenFile({ bytes: Buffer.alloc(0) });
    expect((await get({ Range: 'bytes=-5' })).status).toBe(200);
    expect((await get({ Range: 'bytes=0-' })).status).toBe(416);
  });

  test('applies only to the version that the client has', async () => {
    const { get, file } = await givenFile();
    const etag = `"${file.sha256.toString('base64url')}"`;
    expect((await get({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206);
    // Only one tag, and a date only where a Last-Modified was sent (RFC 9110, section 13.1.5).
    for (const other of ['"other"', `W/${etag}`, `"other", ${etag}`, '*', 'Sat, 21 Nov 2026 12:00:00 GMT']) {
      expect((await get({ Range: 'bytes=0-1', 'If-Range': other })).status).toBe(200);
    }
    expect((await get({ Range: 'bytes=99-', 'If-Range': '"other"' })).status).toBe(200);
  });
});

const large = Buffer.alloc(64 << 20, 'x');

describe('a blob', () => {
  test('that is missing is an error before the response starts', async () => {
    const { get, blobs, file } = await givenFile();
    await blobs.delete(file.blobKey);
    const response = await get();
    expect(response.status).toBe(500);
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  test('that is too short is an error before the response starts', async () => {
    const { get, path } = await givenFile();
    await truncate(path, 9);
    expect((await get()).status).toBe(500);
    expect((await get({ Range: 'bytes=0-8' })).status).toBe(206);
  });

  test('that shrinks while it is sent ends the connection', async () => {
    const { get, path, results } = await givenFile({ bytes: large });
    const response = await get();
    await truncate(path, 1 << 20);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => results).toEqual([expect.objectContaining({ name: 'BlobMissing' })]);
  });
});

describe('a client', () => {
  test('that disconnects is not an error, and the file is closed', async () => {
    const { port, results } = await givenFile({ bytes: large });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    await expect.poll(() => results).toEqual([{ status: 200, aborted: true }]);
  });

  // In S3: `test/storage/s3.slow.test.ts`.
  test.skipIf(onS3())('that reads slowly makes the server buffer only a bounded part', async () => {
    const { port, results, bytesRead } = await givenFile({ bytes: large });
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    expect(await standstill(bytesRead)).toBeLessThan(16 << 20);
    expect(results).toEqual([]);
    socket.destroy();
    await expect.poll(() => results).toHaveLength(1);
  });
});
