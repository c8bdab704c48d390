import type { AddressInfo } from 'node:net';
import express from 'express';
import { openLocalBlobs } from '../../server/blobs/index.ts';
import { Refused } from '../../server/contract/index.ts';
import { receiveForm } from '../../server/http-bodies/index.ts';

// A process of its own, for a test that limits what the process may do: takes a directory, prints its port.
const [, , directory = ''] = process.argv;
const blobs = await openLocalBlobs(directory);
const app = express();
app.post('/', async (request, response) => {
  const form = { files: ['file'], texts: [], lists: [] };
  try {
    const reception = { response, blobs, form, limit: 64 << 20, idleMs: 30_000 };
    const { file } = await receiveForm(request, reception);
    response.json({ size: file?.size });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    response.status(error.refusal.status).json(error.refusal);
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
