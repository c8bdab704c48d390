import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';

const mebibyte = 1 << 20;
const block = randomBytes(mebibyte);

/** Uploads one file as a form, whose bytes the bare server stores unparsed. @returns seconds */
export async function upload(port: number, size: number): Promise<number> {
  const before =
    '------bench-form-boundary-of-some-length\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n' +
    'Content-Type: application/octet-stream\r\n\r\n';
  const after = '\r\n------bench-form-boundary-of-some-length--\r\n';
  const body = function* () {
    yield Buffer.from(before);
    for (let sent = 0; sent < size; sent += block.length) yield block;
    yield Buffer.from(after);
  };
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=----bench-form-boundary-of-some-length',
    'Content-Length': before.length + size + after.length,
  };
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The upload returned ${response.statusCode}.`));
      response.resume().on('end', resolve);
    });
    sending.on('error', reject);
    Readable.from(body(), { objectMode: false, highWaterMark: mebibyte }).pipe(sending);
  });
  return (performance.now() - startedAt) / 1000;
}

/** Downloads the server's file. @returns seconds */
export async function download(port: number, size: number): Promise<number> {
  const startedAt = performance.now();
  const received = await new Promise<number>((resolve, reject) => {
    const fetching = request({ port, host: '127.0.0.1' }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
    });
    fetching.on('error', reject).end();
  });
  if (received !== size) throw new Error(`The download returned ${received} bytes instead of ${size}.`);
  return (performance.now() - startedAt) / 1000;
}
