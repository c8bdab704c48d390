import { createHash, type Hash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';
import { openLocalBlobs } from '../../../../server/blobs/index.ts';
import { receiveForm, sendFile } from '../../../../server/http-bodies/index.ts';
import { serveLocally } from '../../../command-line/local-server.ts';
import { serveFunctions } from '../child.ts';

const [, , mode = '', directory = '', bytes = '0'] = process.argv;
const size = Number(bytes);

const baselines: Record<string, () => Promise<RequestListener> | RequestListener> = {
  'up-bare': () => bareUpload(),
  'up-bare-1MiB': () => bareUpload({ highWaterMark: 1 << 20 }),
  'up-ours': async () => {
    const blobs = await openLocalBlobs(join(directory, 'up'));
    const app = express();
    app.post('/', async (request, response) => {
      const form = { files: ['file'], texts: [], lists: [] };
      const received = await receiveForm(request, { response, blobs, form, limit: size, idleMs: 30_000 });
      response.json({});
      await received.discard();
    });
    return app;
  },
  'down-bare': async () => bareDownload(await storedFile()),
  'down-bare-1MiB': async () => bareDownload(await storedFile(), { highWaterMark: 1 << 20 }),
  'down-ours': async () => {
    const blobs = await openLocalBlobs(join(directory, 'down'));
    const { blobKey, sha256 } = await blobs.write(Readable.from(fileContent()));
    const file = { blobKey, sha256, size, name: 'a.bin', contentType: 'application/octet-stream' };
    const app = express();
    app.get('/', (request, response) => sendFile(request, response, file, { blobs }));
    return app;
  },
};

const baseline = baselines[mode];
if (!baseline) throw new Error(`There is no baseline ${mode}.`);
const { port } = await serveLocally(await baseline());
const atStart = process.cpuUsage();

/** One baseline of `files.ts`. */
export type ServerFunctions = typeof functions;
const functions = {
  port: () => port,
  /** The resources that it has used since its start. */
  usage() {
    const { user, system } = process.cpuUsage(atStart);
    return { peakMiB: process.resourceUsage().maxRSS / 1024, cpuSeconds: (user + system) / 1e6 };
  },
};
serveFunctions(functions);

function bareUpload(options = {}): RequestListener {
  return async (request, response) => {
    const path = join(directory, randomUUID());
    await pipeline(request, hashing(createHash('sha256')), createWriteStream(path, options));
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
    response.end('{}');
    await rm(path);
  };
}

function bareDownload(path: string, options = {}): RequestListener {
  return async (_request, response) => {
    response.setHeader('Content-Length', size);
    await pipeline(createReadStream(path, options), response);
  };
}

async function storedFile(): Promise<string> {
  const path = join(directory, randomUUID());
  await writeFile(path, fileContent());
  return path;
}

function* fileContent(): Generator<Buffer> {
  const block = randomBytes(1 << 20);
  for (let written = 0; written < size; written += block.length) yield block;
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
