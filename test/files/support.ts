import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { openBlobs, openLocalBlobs } from '../../server/blobs/index.ts';
import { Refused } from '../../server/contract/index.ts';
import { receiveForm } from '../../server/http-bodies/index.ts';
import { filesBelow } from '../support/files.ts';
import { boundary } from '../support/hostile/forms.ts';
import { givenBucket } from '../support/s3.ts';
import { temporaryRoot } from '../support/temporary.ts';

/** A temporary directory for this test. */
export async function givenDirectory(): Promise<string> {
  const directory = await mkdtemp(join(temporaryRoot(), 'wrp-files-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A blob store for this test, and all the files in its directory: of a bucket, if this run stores files in S3. */
export async function givenBlobs() {
  const bucket = givenBucket();
  if (!bucket) {
    const directory = await givenDirectory();
    const open = () => openLocalBlobs(directory);
    return { directory, open, blobs: await open(), files: () => filesBelow(directory) };
  }
  const open = () => openBlobs({ directory: '', s3: bucket.s3 }, 'production');
  const directory = join(bucket.directory, 'production');
  return { directory, open, blobs: await open(), files: () => filesBelow(bucket.directory) };
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

const declared = { files: ['file'], texts: ['tags', 'note'], lists: ['tags'] };

/** A platform of nothing but uploads: `POST /` keeps the file, `POST /refuse` refuses it afterwards. */
export async function givenUploads({ limit = 1 << 20, idleMs = 30_000, blockedMs = 0 } = {}) {
  const { directory, blobs, files } = await givenBlobs();
  const reception = { form: declared, limit, idleMs };
  const app = express();
  const block = () => {
    for (const end = performance.now() + blockedMs; performance.now() < end; );
  };
  app.use((_request, response, next) => {
    if (blockedMs > 0) response.on('finish', () => setImmediate(block));
    next();
  });
  app.post('/', async (request, response) => {
    const { fields, file } = await readForm(request, { ...reception, response, blobs });
    response.json({ fields, file: { ...file, sha256: file.sha256.toString('hex') } });
  });
  app.post('/refuse', async (request, response) => {
    const { discard } = await readForm(request, { ...reception, response, blobs });
    await discard();
    response.status(400).end();
  });
  app.use(sendFailure);
  return { ...(await givenServer(app)), directory, blobs, files };
}

/** Responds to errors as the platform does, without the messages. */
export const sendFailure: ErrorRequestHandler = (error, _request, response, _next) => {
  if (response.headersSent) return response.destroy();
  if (!(error instanceof Refused)) return response.status(500).json({ error: String(error) });
  response.status(error.refusal.status).set(error.headers).json(error.refusal);
};

/** The head of an upload; chunked without a length. */
export function uploadHead(
  length: number | undefined,
  type = `multipart/form-data; boundary=${boundary}`,
): string {
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`;
}

/** A whole upload of hand-written bytes. */
export function upload(body: string, type?: string): string[] {
  return [uploadHead(Buffer.byteLength(body), type), body];
}

/** The form of a request; throws a Refused if the platform would refuse its fields or its missing file. */
export async function readForm(...[request, reception]: Parameters<typeof receiveForm>) {
  const { file, problems, ...received } = await receiveForm(request, reception);
  if (!file || problems.length > 0) {
    await received.discard();
    throw new Refused({ status: 400, errors: problems });
  }
  return { ...received, file };
}
