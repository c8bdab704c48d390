import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesBelow } from '../support/files.ts';
import { boundary, filePart, form, part, textPart } from '../support/hostile/forms.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { onS3 } from '../support/s3.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { givenDirectory, givenUploads, upload, uploadHead } from './support.ts';

const mebibyte = 1 << 20;
const problemOf = (body: string) => JSON.parse(body).errors[0];

describe('an upload', () => {
  test('is stored with its name, media type, size and digest', async () => {
    const { url, files } = await givenUploads();
    const content = Buffer.from('a,b\r\n--hand\r\n1,2\r\n');
    const body = new FormData();
    body.append('file', new File([content], 'Zählung 数.csv', { type: 'text/csv; charset=utf-8' }));
    body.append('tags', 'a');
    body.append('tags', 'b');
    body.append('note', 'e\u0301');
    const response = await fetch(url, { method: 'POST', body });
    expect(await response.json()).toEqual({
      fields: { tags: ['a', 'b'], note: 'é' },
      file: {
        blobKey: expect.any(String),
        name: 'Zählung 数.csv',
        contentType: 'text/csv; charset=utf-8',
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    });
    expect(await files()).toHaveLength(1);
  });

  test('may be empty, and a single tag is a list of one', async () => {
    const { port } = await givenUploads();
    const { body } = await sendRaw(port, upload(form(filePart(''), textPart('tags', '5'))));
    expect(JSON.parse(body)).toMatchObject({ fields: { tags: ['5'] }, file: { size: 0 } });
  });

  test.each([
    ['as it was declared', 'Content-Type: Application/X-Thing; a="b;c"', 'Application/X-Thing; a="b;c"'],
    ['unknown where none was', 'X-Nothing: 1', 'application/octet-stream'],
  ])('has a media type %s', async (_case, header, contentType) => {
    const { port } = await givenUploads();
    const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
    const { body } = await sendRaw(port, upload(form(part(`${disposition}\r\n${header}`))));
    expect(JSON.parse(body)).toMatchObject({ file: { contentType } });
  });

  test.each([
    ['C:\\Users\\me\\report.txt'.replaceAll('\\', '\\\\'), 'report.txt'],
    ['../../etc/passwd', 'passwd'],
    ['%22quoted%22.txt', '"quoted".txt'],
    ['e\u0301.txt', 'é.txt'],
    ['__proto__', '__proto__'],
  ])('called %s is stored as %s', async (given, name) => {
    const { port } = await givenUploads();
    const { body } = await sendRaw(port, upload(form(filePart('x', given))));
    expect(JSON.parse(body)).toMatchObject({ file: { name } });
  });

  test('may arrive byte by byte', async () => {
    const { port } = await givenUploads();
    const body = form(textPart('tags', 'a'), filePart('0123456789\r\n--hand-writte'), textPart('tags', 'b'));
    const { body: response } = await sendRaw(port, [uploadHead(body.length), ...body]);
    expect(JSON.parse(response)).toMatchObject({ fields: { tags: ['a', 'b'] }, file: { size: 25 } });
  });

  test('of exactly the limit is accepted', async () => {
    const { port, files } = await givenUploads();
    expect(await sendRaw(port, upload(form(filePart('x'.repeat(mebibyte)))))).toMatchObject({ status: 200 });
    expect(await files()).toHaveLength(1);
  });

  test('that is refused afterwards is deleted again', async () => {
    const { url, files } = await givenUploads();
    const body = new FormData();
    body.append('file', new File(['bytes'], 'a.txt'));
    const response = await fetch(`${url}/refuse`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await files()).toEqual([]);
  });
});

const [open, close] = [`--${boundary}\r\n`, `--${boundary}--\r\n`];
const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
const called = (name: string) => form(filePart('x', name));
const withHeader = (header: string) => form(part(`${disposition}\r\n${header}`, 'x'));
const besideFile = (...parts: string[]) => form(filePart(), ...parts);
const inCharset = (charset: string, text: string) =>
  part(`Content-Disposition: form-data; name="tags"\r\nContent-Type: text/plain; charset=${charset}`, text);
const floodOfHeaders = Array.from({ length: 900 }, (_, at) => `X-${at}: y`).join('\r\n');

describe('a form is refused', () => {
  test.each([
    ['without a file', form(textPart('tags', 'a')), '/file'],
    ['without a part', close, '/file'],
    ['with a text in the place of the file', form(textPart('file', 'text')), '/file'],
    ['with a text beside the file', besideFile(textPart('file', 'text')), '/file'],
    ['with two files', besideFile(filePart()), '/file'],
    ['with a file in the place of tags', form(filePart().replace('"file"', '"tags"')), '/tags'],
    ['with an unknown file', form(filePart().replace('"file"', '"a/b"')), '/a~1b'],
    ['with an unknown text', besideFile(textPart('colour', 'red')), '/colour'],
    ['with a single text twice', besideFile(textPart('note', 'a'), textPart('note', 'b')), '/note'],
    ['with a text in brackets', besideFile(textPart('tags[]', 'a')), '/tags[]'],
    ['with 5,000 levels of names', besideFile(textPart(`a${'[b]'.repeat(5000)}`, 'x')), undefined],
    ['with 40 levels of names', besideFile(textPart(`a${'[b]'.repeat(30)}`, 'x')), `/a${'[b]'.repeat(30)}`],
    ['with the name of a prototype', besideFile(textPart('__proto__', 'x')), '/__proto__'],
    ['with 65 texts', besideFile(...Array(65).fill(textPart('tags', 'a'))), undefined],
    ['with a text of 5,000 bytes', besideFile(textPart('tags', 'x'.repeat(5000))), '/tags'],
    ['with NUL in a text', besideFile(textPart('tags', 'a\0b')), '/tags'],
    ['with a text in an unknown charset', besideFile(inCharset('klingon', 'a')), '/tags'],
    ['with an empty file name', called(''), '/file'],
    ['with an empty file name on bytes', form(filePart('x', '', 'application/octet-stream')), '/file'],
    ['with a file name of nothing but a path', called('a/'), '/file'],
    ['with a file name of two dots', called('..'), '/file'],
    ['with a line break in the file name', called('a%0D%0Ab'), '/file'],
    ['with a file name of 256 characters', called('é'.repeat(256)), '/file'],
  ])('%s: 400 body_invalid', async (_case, body, pointer) => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, upload(body));
    expect(response).toMatchObject({ status: 400, ended: true });
    expect(problemOf(response.body)).toMatchObject({ code: 'body_invalid', ...(pointer && { pointer }) });
    expect(await files()).toEqual([]);
  });

  test.each([
    ['with a part without a name', besideFile(part('Content-Disposition: form-data', 'x'))],
    ['with a part without a disposition', besideFile(part('X-Other: 1', 'x'))],
    ['with an attached part', besideFile(part('Content-Disposition: attachment; name="tags"', 'x'))],
    ['with a disposition cut off', form(part('Content-Disposition: form-data; name="file"; filename="a'))],
    ['with a malformed header', withHeader('no colon here')],
    ['with a header twice', withHeader(disposition)],
    ['with a flood of headers', withHeader(floodOfHeaders)],
    ['with a header of 64 KiB', withHeader(`X: ${'y'.repeat(65536)}`)],
    ['with an encoded file', withHeader('Content-Transfer-Encoding: base64')],
    ['with text behind a boundary', form(filePart(`a\r\n--${boundary}more\r\nb`))],
    ['that ends in its file', `${open}${disposition}\r\n\r\nbytes`],
    ['that ends in a header', `${open}Content-Dispo`],
    ['that ends after a part', filePart()],
    ['that is empty', ''],
    ['that is no form', 'file=bytes&tags=a'],
  ])('%s: 400 multipart_malformed', async (_case, body) => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, upload(body));
    expect(response).toMatchObject({ status: 400, ended: true });
    expect(problemOf(response.body).code).toBe('multipart_malformed');
    expect(await files()).toEqual([]);
  });

  test.each([
    ['a file name that is not UTF-8', called('caf\xe9'), '/file'],
    ['a text that is not UTF-8', besideFile(textPart('tags', 'caf\xe9')), '/tags'],
    ['half a surrogate pair', besideFile(inCharset('utf-16le', '\x00\xd8')), '/tags'],
  ])('with %s: 400 body_invalid', async (_case, text, pointer) => {
    const { port, files } = await givenUploads();
    const body = Buffer.from(text, 'latin1');
    const response = await sendRaw(port, [uploadHead(body.length), body]);
    expect(problemOf(response.body)).toMatchObject({ code: 'body_invalid', pointer });
    expect(await files()).toEqual([]);
  });

  test.each([
    ['another type', 'application/json', 415, 'content_type_unsupported'],
    ['another kind of multipart', `multipart/mixed; boundary=${boundary}`, 415, 'content_type_unsupported'],
    ['no boundary', 'multipart/form-data', 400, 'multipart_malformed'],
    ['a malformed boundary', 'multipart/form-data; boundary', 400, 'multipart_malformed'],
    [
      'a boundary of 5,000 characters',
      `multipart/form-data; boundary=${'b'.repeat(5000)}`,
      400,
      'multipart_malformed',
    ],
  ])('that comes as %s', async (_case, type, status, code) => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, upload(form(filePart()), type));
    expect(response).toMatchObject({ status });
    expect(problemOf(response.body).code).toBe(code);
    expect(await files()).toEqual([]);
  });

  test('without any body', async () => {
    const { port } = await givenUploads();
    const head = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`;
    expect(problemOf((await sendRaw(port, [head])).body).code).toBe('multipart_malformed');
  });

  test('and its connection stays open, if the whole form has arrived', async () => {
    const { port } = await givenUploads();
    const response = await sendRaw(port, upload(form(textPart('tags', 'a'))));
    expect(response.headers).toMatch(/connection: keep-alive/i);
  });
});

/** The body of a chunked upload that never ends. */
function* endlessUpload(begin = `${open}${disposition}\r\n\r\n`): Generator<string | Buffer> {
  const inChunk = (content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`${content.length.toString(16)}\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  yield uploadHead(undefined);
  yield inChunk(begin);
  const bytes = inChunk(Buffer.alloc(65536, 'x'));
  for (;;) yield bytes;
}

describe('an oversized upload', () => {
  test('is refused by its Content-Length before a byte of it is read', async () => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, [uploadHead(5 * mebibyte)]);
    expect(response).toMatchObject({ status: 413, ended: true });
    expect(problemOf(response.body).code).toBe('file_too_large');
    expect(response.headers).toMatch(/connection: close/i);
    expect(await files()).toEqual([]);
  });

  test('by one byte is refused', async () => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, upload(form(filePart('x'.repeat(mebibyte + 1)))));
    expect(problemOf(response.body).code).toBe('file_too_large');
    await expect.poll(files).toEqual([]);
  });

  test('without a length gets its response while it is sent, so that the client can read it', async () => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, endlessUpload());
    expect(response).toMatchObject({ status: 413, ended: true });
    // The body is endless: only its beginning is sent.
    expect(response.bytes).toBeLessThan(32 * mebibyte);
    expect(await files()).toEqual([]);
  });

  test('gets a readable response, even if the process is blocked for seconds afterwards', async () => {
    const { port } = await givenUploads({ blockedMs: 1_500 });
    expect(await sendRaw(port, endlessUpload())).toMatchObject({ status: 413, ended: true });
  });

  test('gets a response that fetch can read', async () => {
    const { url } = await givenUploads();
    const body = new FormData();
    body.append('file', new File([Buffer.alloc(50 * mebibyte)], 'a.bin'));
    const response = await fetch(url, { method: 'POST', body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ errors: [{ code: 'file_too_large' }] });
  });

  test('whose client keeps sending is cut off within seconds', async () => {
    const { port } = await givenUploads();
    const server = await sendUntilCut(port);
    expect(server.milliseconds).toBeLessThan(scaledTimeout(15_000));
    expect(server.bytes).toBeLessThan(32 * mebibyte);
  });

  test.each([
    ['a preamble', 'no boundary yet'],
    ['an epilogue', form(filePart())],
  ])('of %s that never ends is refused', async (_case, begin) => {
    const { port, files } = await givenUploads();
    const response = await sendRaw(port, endlessUpload(begin));
    expect(response).toMatchObject({ status: 413, ended: true });
    expect(await files()).toEqual([]);
  });
});

/** A client that ignores responses. */
async function sendUntilCut(port: number): Promise<{ milliseconds: number; bytes: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const source = endlessUpload();
    const send = () => {
      while (!socket.destroyed && socket.write(source.next().value as Buffer));
    };
    socket.on('connect', send).on('drain', send);
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve({ milliseconds: performance.now() - startedAt, bytes: socket.bytesWritten }),
    );
  });
}

describe('an upload that is cut off', () => {
  test.each(['reset', 'end'] as const)('by a %s is not stored', async (after) => {
    const { port, files } = await givenUploads();
    const body = `${open}${disposition}\r\n\r\n${'x'.repeat(500_000)}`;
    await sendRaw(port, [uploadHead(mebibyte), body], after);
    await expect.poll(files).toEqual([]);
  });

  test('is not stored, even if its whole file has arrived', async () => {
    const { port, files } = await givenUploads();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${uploadHead(mebibyte)}${filePart('x'.repeat(500_000))}${open}`);
    await expect.poll(files).toEqual([expect.stringContaining('/blobs/')]);
    socket.resetAndDestroy();
    await expect.poll(files).toEqual([]);
  });

  test('because its client falls silent gets 408', async () => {
    const { port, files } = await givenUploads({ idleMs: 100 });
    const response = await sendRaw(port, [uploadHead(mebibyte), `${open}${disposition}\r\n\r\nxxx`]);
    expect(response).toMatchObject({ status: 408, ended: true });
    expect(problemOf(response.body).code).toBe('request_timeout');
    expect(await files()).toEqual([]);
  });
});

describe('a blob store that fails', () => {
  test.skipIf(onS3())('before the file arrives gives 503, and nothing is stored', async () => {
    const { port, directory, files } = await givenUploads();
    await rename(`${directory}/incoming`, `${directory}/gone`);
    const response = await sendRaw(port, upload(form(filePart())));
    expect(response).toMatchObject({ status: 503 });
    expect(response.headers).toMatch(/retry-after: \d+/i);
    expect(problemOf(response.body).code).toBe('service_unavailable');
    expect(await files()).toEqual([]);
  });

  test('in the middle of the file gives 503, and nothing is stored', async () => {
    const directory = await givenDirectory();
    const port = await givenLimitedServer(directory);
    const response = await sendRaw(port, upload(form(filePart('x'.repeat(12 * mebibyte)))));
    expect(response).toMatchObject({ status: 503, ended: true });
    expect(await filesBelow(directory)).toEqual([]);
    expect(await sendRaw(port, upload(form(filePart())))).toMatchObject({ status: 200 });
  });
});

/** A server whose files the kernel limits to 4 MiB, like a full disk. */
async function givenLimitedServer(directory: string): Promise<number> {
  const script = join(import.meta.dirname, 'limited-server.ts');
  const command = 'ulimit -f 4096; exec "$0" "$1" "$2"';
  const child = spawn('bash', ['-c', command, process.execPath, script, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  for await (const line of child.stdout) return Number(String(line));
  throw new Error('The server did not start.');
}
