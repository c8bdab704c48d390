import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorRequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { openLocalBlobs } from '../../server/src/blobs/local.ts';
import { Refused } from '../../server/src/http/refused.ts';
import { filesBelow } from '../support/files.ts';

/** A temporary directory for this test. */
export async function givenDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-files-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A blob store for this test, and all the files in its directory. */
export async function givenBlobs() {
  const directory = await givenDirectory();
  const blobs = await openLocalBlobs(directory);
  return { directory, blobs, files: () => filesBelow(directory) };
}

/** Serves on an ephemeral port until the test ends. */
export async function givenServer(listener: RequestListener): Promise<{ port: number; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

/** Responds to errors as the platform does, without the messages. */
export const sendFailure: ErrorRequestHandler = (error, _request, response, _next) => {
  if (response.headersSent) return response.destroy();
  if (!(error instanceof Refused)) return response.status(500).json({ fault: String(error) });
  response.status(error.refusal.status).set(error.headers).json(error.refusal);
};

export interface RawResponse {
  status: number;
  headers: string;
  body: string;
  /** Whether the server closed the connection without a reset. */
  ended: boolean;
  /** How many bytes were written until then. */
  bytes: number;
}

/**
 * Writes bytes to a connection as they are, and reads until the server ends it or one response is complete.
 *
 * @param chunks written one after the other as the connection takes them; an endless one is left when the
 *   response is there
 * @param after what then becomes of our direction: kept open, ended, or the connection torn down
 */
export function sendRaw(
  port: number,
  chunks: Iterable<string | Buffer>,
  after: 'wait' | 'end' | 'reset' = 'wait',
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (ended: boolean) => {
      const [head = '', body = ''] = received.toString().split('\r\n\r\n');
      const status = Number(head.slice(9, 12));
      resolve({ status, headers: head, body, ended, bytes: socket.bytesWritten });
      socket.destroy();
    };
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const text = received.toString('latin1');
      if (isWhole(text) && !/connection: close/i.test(text)) finish(true);
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(false));
    void write(socket, chunks).then(() => {
      if (after === 'end') socket.end();
      if (after === 'reset') {
        socket.resetAndDestroy();
        finish(false);
      }
    });
  });
}

async function write(socket: ReturnType<typeof connect>, chunks: Iterable<string | Buffer>): Promise<void> {
  for (const chunk of chunks) {
    if (socket.destroyed || socket.readableEnded) return;
    if (!socket.write(chunk))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    await new Promise(setImmediate);
  }
}

function isWhole(text: string): boolean {
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  const start = text.indexOf('\r\n\r\n');
  return start !== -1 && length !== undefined && text.length >= start + 4 + Number(length);
}

export const boundary = 'hand-written';

/** The head of an upload; chunked without a length. */
export function uploadHead(
  length: number | undefined,
  type = `multipart/form-data; boundary=${boundary}`,
): string {
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`;
}

/** One part with these headers. */
export function part(headers: string, content = ''): string {
  return `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
}

export const textPart = (name: string, value: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
export const filePart = (content = 'bytes', name = 'report.txt', type = 'text/plain') =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`, content);
export const form = (...parts: string[]) => `${parts.join('')}--${boundary}--\r\n`;

/** A whole upload of hand-written bytes. */
export function upload(body: string, type?: string): string[] {
  return [uploadHead(Buffer.byteLength(body), type), body];
}
