import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger, newStart, startBody } from '../executions/load.ts';
import { uploadBody, uploadHeaders } from '../form.ts';
import type { PlatformProcess } from '../platform.ts';

/** A request and what became of it. */
export interface Sent {
  /** For messages, such as `GET /resources/…`. */
  what: string;
  key?: string;
  /** When its headers had been handed to the connection; undefined: never. On the clock of `performance`. */
  sentAt?: number;
  /** Undefined: the response did not begin. */
  status?: number;
  retryAfter?: string;
  /** The whole response has arrived. */
  isComplete: boolean;
  /** The code of the connection's error. */
  error?: string;
}

const uploadPieces = 8;
const piece = randomBytes(1 << 15);
/** An upload takes up to this long, far less than the platform waits for open requests. */
const longestUpload = 1_500;
/** Bytes of the file that is downloaded: more than the kernel buffers. */
const largeFile = randomBytes(16 << 20);
const clientsOfEach = 2;

/** Clients that keep their connections and send requests until the platform is gone. Uploads a file for them first. */
export async function sendLoad(platform: PlatformProcess, ledger: Ledger, calledUrl: string) {
  const { demo } = platform;
  const sent: Sent[] = [];
  const download = await uploadLargeFile(platform);
  /** Paths of uploads with a response. */
  const stored: string[] = [download];
  const gone = new AbortController();

  const send = (
    method: string,
    path: string,
    { agent, headers = {}, key }: { agent: Agent; headers?: Record<string, string>; key?: string },
    write: (sending: ClientRequest, onSent: () => void) => void,
  ): Promise<{ sent: Sent; body: Buffer }> => {
    const entry: Sent = { what: `${method} ${path}`, isComplete: false, ...(key && { key }) };
    sent.push(entry);
    const sending = request(demo.baseUrl + path, {
      method,
      agent,
      headers: {
        Authorization: demo.organizationToken,
        ...headers,
        ...(key && { 'Idempotency-Key': key }),
      },
    });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const end = () => resolve({ sent: entry, body: Buffer.concat(chunks) });
      sending.once('error', (error: NodeJS.ErrnoException) => {
        entry.error = error.code ?? error.message;
        if (entry.error === 'ECONNREFUSED') gone.abort();
        end();
      });
      sending.once('response', (response: IncomingMessage) => {
        entry.status = response.statusCode as number;
        if (response.headers['retry-after']) entry.retryAfter = response.headers['retry-after'];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('close', () => {
          entry.isComplete = response.complete;
          end();
        });
        response.once('error', (error: NodeJS.ErrnoException) => {
          entry.error = error.code ?? error.message;
        });
      });
      write(sending, () => {
        entry.sentAt = performance.now();
      });
    });
  };

  const clients: ((agent: Agent) => Promise<unknown>)[] = [
    (agent) => send('GET', '/organizations/users?size=2', { agent }, (sending, sent) => sending.end(sent)),
    (agent) => send('GET', download, { agent }, (sending, sent) => sending.end(sent)),
    async (agent) => {
      const start = newStart();
      const headers = { 'Content-Type': 'application/json' };
      const { sent, body } = await send(
        'POST',
        '/workflows',
        { agent, headers, key: start.key },
        (sending, onSent) => sending.end(startBody(platform, start, calledUrl), onSent),
      );
      if (sent.status === 200 && sent.isComplete)
        ledger.acknowledged.set((JSON.parse(body.toString()) as { id: string }).id, start.kind);
      else ledger.open.push(start);
      await sleep(50);
    },
    async (agent) => {
      const headers = uploadHeaders(uploadPieces * piece.length);
      const pause = (Math.random() * longestUpload) / uploadPieces;
      const { sent, body } = await send(
        'POST',
        '/resources',
        { agent, headers, key: randomUUID() },
        async (sending, onSent) => {
          const pieces = uploadBody(Array<Buffer>(uploadPieces).fill(piece));
          sending.write((await pieces.next()).value, onSent);
          for await (const part of pieces) {
            await sleep(pause);
            if (sending.destroyed) return;
            sending.write(part);
          }
          sending.end();
        },
      );
      if (sent.status === 201 && sent.isComplete)
        stored.push((JSON.parse(body.toString()) as { resourcePath: string }).resourcePath);
    },
  ];

  const repeat = async (client: (agent: Agent) => Promise<unknown>) => {
    const agent = new Agent({ keepAlive: true });
    while (!gone.signal.aborted) await client(agent);
    agent.destroy();
  };
  const ended = Promise.all(
    clients.flatMap((client) => Array.from({ length: clientsOfEach }, () => repeat(client))),
  );
  return {
    sent,
    stored,
    /** Resolves when the platform has refused a connection and every client has ended. */
    ended,
  };
}

/** @returns its path */
async function uploadLargeFile({ demo }: PlatformProcess): Promise<string> {
  const form = new FormData();
  form.append('file', new File([largeFile], 'large.bin'));
  const headers = { Authorization: demo.organizationToken };
  const response = await fetch(`${demo.baseUrl}/resources`, { method: 'POST', headers, body: form });
  if (response.status !== 201) throw new Error(`The upload of a large file got ${response.status}.`);
  const { resourcePath } = (await response.json()) as { resourcePath: string };
  return resourcePath;
}
