/** Garbage collection must not break a call in progress. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Client, createClient, downloadResource, uploadResource, waitForResult } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ErrorResponse, failingServer, silent } from './support.ts';

setFlagsFromString('--expose-gc');
const runGc: () => void = runInNewContext('gc');

const server = await failingServer();
const { baseUrl } = server;
const id = crypto.randomUUID();
const chunk = Buffer.alloc(2 ** 20);
/** More than fits into the connection's buffers. */
const chunks = 16;

/** Sends all chunks with backpressure. */
const largeBody: ErrorResponse = async (response) => {
  response.writeHead(200, { 'Content-Length': chunks * chunk.length });
  for (let sent = 0; sent < chunks && !response.destroyed; sent++)
    await new Promise<void>((flushed) => void response.write(chunk, () => flushed()));
  response.end();
};

const plain = createClient({ baseUrl });
const wrapped = createClient({ baseUrl, fetch: (request) => fetch(request) });
const replacing = createClient({ baseUrl });
for (let turns = 0; turns < 2; turns++) replacing.use({ onRequest: ({ request }) => new Request(request) });
const clients: [string, Client][] = [
  ['', plain],
  [' with a custom fetch', wrapped],
  [' with middleware that replaces the request', replacing],
];

/** Runs garbage collection and the cleanup that it triggers. */
async function collectGarbage(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate();
    runGc();
  }
}

async function bytesIn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
  return bytes;
}

let controller = new AbortController();
beforeEach(() => {
  controller = new AbortController();
});
const abort = () => controller.abort(new Error('Stopped by the caller.'));

describe.each(clients)('a download%s', (_case, client) => {
  beforeEach(() => server.respondWith(largeBody));

  test('stops when the caller aborts', async () => {
    const { stream } = await downloadResource(client, id, { signal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    await collectGarbage();
    abort();
    await expect(bytesIn(reader)).rejects.toThrow('Stopped by the caller.');
  });

  test('completes if only its stream is referenced', async () => {
    const { stream } = await downloadResource(client, id);
    await collectGarbage();
    expect(await bytesIn(stream.getReader())).toBe(chunks * chunk.length);
  });

  test('with client.GET completes if only its stream is referenced', async () => {
    const params = { path: { resourceId: id } };
    const { data } = await client.GET('/resources/{resourceId}', { params, parseAs: 'stream' });
    await collectGarbage();
    expect(await bytesIn((data as ReadableStream<Uint8Array>).getReader())).toBe(chunks * chunk.length);
  });
});

describe.each(clients)('aborting%s', (_case, client) => {
  test('stops an upload in progress', async () => {
    async function* slow() {
      yield chunk;
      await collectGarbage();
      abort();
      await new Promise(() => {});
    }
    const upload = uploadResource(client, slow(), { signal: controller.signal });
    await expect(upload).rejects.toThrow('Stopped by the caller.');
  });

  test('stops waitForResult during a poll', async () => {
    server.respondWith(silent);
    const waiting = waitForResult(client, id, { signal: controller.signal, timeout: 3_600_000 });
    const ended = expect(waiting).rejects.toThrow('Stopped by the caller.');
    await expect.poll(() => server.requests.length).toBe(1);
    await collectGarbage();
    abort();
    await ended;
  });
});
