import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The bytes of a request, and the expected status. */
export interface RawRequest {
  bytes: Buffer;
  status: number;
}

/** A pool of keep-alive connections, each with one request at a time. */
export interface Load {
  /** Reopens connections that the server has closed meanwhile. */
  ready(): Promise<void>;
  /**
   * Sends requests as fast as responses arrive, the first to the first connection and so on. @returns their number and
   * duration
   */
  saturate(
    requests: RawRequest | readonly RawRequest[],
    seconds: number,
  ): Promise<{ requests: number; seconds: number }>;
  /**
   * Sends requests at a fixed rate, without waiting for earlier responses.
   *
   * @returns the milliseconds from when each was due, at the resolution of a tick, to the end of its response
   */
  atRate(request: RawRequest, rate: number, seconds: number): Promise<number[]>;
  close(): void;
}

const tickMilliseconds = 1;
const timeoutMilliseconds = 10_000;

/**
 * Opens connections to a local port. Requests are prepared bytes, and only the status and the length of a response are
 * parsed, so that the load costs little even next to the fastest server.
 */
export async function openLoad(
  port: number,
  { connections = 32 }: { connections?: number } = {},
): Promise<Load> {
  let all: Connection[] = [];
  const ready = async () => {
    const kept = all.filter(({ socket }) => !socket.destroyed);
    const missing = Array.from({ length: connections - kept.length }, () => openConnection(port));
    all = [...kept, ...(await Promise.all(missing))];
  };
  await ready();
  return {
    ready,
    async saturate(request, seconds) {
      const each = [request].flat();
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      let requests = 0;
      const allowSleep = stayAwake();
      const saturateOne = async (connection: Connection, index: number) => {
        const own = each[index % each.length] as RawRequest;
        while (performance.now() < until) {
          await connection.send(own);
          requests += 1;
        }
      };
      await Promise.all(all.map(saturateOne)).finally(allowSleep);
      return { requests, seconds: (performance.now() - startedAt) / 1000 };
    },

    async atRate(request, rate, seconds) {
      const free = [...all];
      const queued: number[] = [];
      const times: number[] = [];
      const wanted = Math.round(rate * seconds);
      const send = async (connection: Connection, dueAt: number): Promise<void> => {
        await connection.send(request);
        times.push(performance.now() - dueAt);
        const next = queued.shift();
        if (next === undefined) free.push(connection);
        else await send(connection, next);
      };
      const allowSleep = stayAwake();
      const startedAt = performance.now();
      const sending: Promise<void>[] = [];
      for (let due = 0; due < wanted; ) {
        const now = performance.now();
        for (; due < wanted && due / rate <= (now - startedAt) / 1000; due++) {
          const connection = free.pop();
          if (connection) sending.push(send(connection, now));
          else queued.push(now);
        }
        await sleep(tickMilliseconds);
      }
      await Promise.all(sending).finally(allowSleep);
      return times;
    },

    close() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/**
 * Keeps this process from sleeping in the kernel. Otherwise a server slower than the load would pay for waking it with
 * each response, and a faster one would not: on a virtual machine that is a third of a small request.
 *
 * @returns a function that ends this
 */
function stayAwake(): () => void {
  let awake = true;
  const turn = () => {
    if (awake) setImmediate(turn);
  };
  turn();
  return () => {
    awake = false;
  };
}

interface Connection {
  socket: Socket;
  /** Resolves at the end of the response. @throws if its status is not the expected one */
  send(request: RawRequest): Promise<void>;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  let received: Buffer = Buffer.alloc(0);
  let pending: { request: RawRequest; resolve(): void; reject(error: Error): void } | undefined;
  const settle = (error?: Error) => {
    const settled = pending;
    pending = undefined;
    received = Buffer.alloc(0);
    if (error) settled?.reject(error);
    else settled?.resolve();
  };
  socket.setTimeout(timeoutMilliseconds, () => settle(new Error('the request timed out')));
  socket.on('error', settle);
  socket.on('close', () => settle(new Error('the connection was closed')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const status = statusIn(received);
    if (status === undefined) return;
    const expected = pending?.request.status;
    settle(status === expected ? undefined : new Error(`returned ${status} instead of ${expected}`));
  });
  return {
    socket,
    send: (request) =>
      new Promise<void>((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection is closed'));
        pending = { request, resolve, reject };
        socket.write(request.bytes);
      }),
  };
}

/** The status of a complete response; undefined until it is complete. */
function statusIn(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error('A baseline responds without Content-Length.');
  return received.length < headEnd + 4 + Number(length[1]) ? undefined : Number(head.slice(9, 12));
}
