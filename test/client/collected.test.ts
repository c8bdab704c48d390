/** What the garbage collector takes away must be nothing that a call still needs. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Client, createClient, downloadResource, uploadResource, waitForResult } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Fault, faultyServer, silent } from './support.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const server = await faultyServer();
const { baseUrl } = server;
const id = crypto.randomUUID();
const piece = Buffer.alloc(2 ** 20);
/** More than the buffers on the way hold. */
const pieces = 16;

/** Sends all pieces, each when there is room for it. */
const large: Fault = async (response) => {
  response.writeHead(200, { 'Content-Length': pieces * piece.length });
  for (let sent = 0; sent < pieces && !response.destroyed; sent++)
    await new Promise<void>((flushed) => void response.write(piece, () => flushed()));
  response.end();
};

const plain = createClient({ baseUrl });
const wrapped = createClient({ baseUrl, fetch: (request) => fetch(request) });
const replacing = createClient({ baseUrl });
for (let turns = 0; turns < 2; turns++) replacing.use({ onRequest: ({ request }) => new Request(request) });
const clients: [string, Client][] = [
  ['', plain],
  [', through a fetch of the caller', wrapped],
  [', in a request that middleware made', replacing],
];

/** Collects what nobody holds, and lets the runtime do what it does then. */
async function collected(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate();
    collect();
  }
}

async function bytesIn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
  return bytes;
}

let leaving = new AbortController();
beforeEach(() => {
  leaving = new AbortController();
});
const leave = () => leaving.abort(new Error('The user left.'));

describe.each(clients)('a download%s', (_how, client) => {
  beforeEach(() => server.answers(large));

  test('ends in the middle when the caller gives up', async () => {
    const { stream } = await downloadResource(client, id, { signal: leaving.signal });
    const reader = stream.getReader();
    await reader.read();
    await collected();
    leave();
    await expect(bytesIn(reader)).rejects.toThrow('The user left.');
  });

  test('is whole, though only its stream is kept, and is read later', async () => {
    const { stream } = await downloadResource(client, id);
    await collected();
    expect(await bytesIn(stream.getReader())).toBe(pieces * piece.length);
  });

  test('by the operation itself is no different', async () => {
    const params = { path: { resourceId: id } };
    const { data } = await client.GET('/resources/{resourceId}', { params, parseAs: 'stream' });
    await collected();
    expect(await bytesIn((data as ReadableStream<Uint8Array>).getReader())).toBe(pieces * piece.length);
  });
});

describe.each(clients)('the signal%s', (_how, client) => {
  test('ends an upload that is under way', async () => {
    async function* slow() {
      yield piece;
      await collected();
      leave();
      await new Promise(() => {});
    }
    const upload = uploadResource(client, slow(), { signal: leaving.signal });
    await expect(upload).rejects.toThrow('The user left.');
  });

  test('ends the wait for a result, in the middle of a look', async () => {
    server.answers(silent);
    const waiting = waitForResult(client, id, { signal: leaving.signal, timeout: 3_600_000 });
    const ended = expect(waiting).rejects.toThrow('The user left.');
    await expect.poll(() => server.seen.length).toBe(1);
    await collected();
    leave();
    await ended;
  });
});
