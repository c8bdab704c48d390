import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it goes over the wire, and the status that it is to be answered with. */
export interface Shot {
  bytes: Buffer;
  status: number;
}

/** A number of kept connections, each with one request at a time. */
export interface Load {
  /** Opens anew what the server has closed while others had their turns. */
  ready(): Promise<void>;
  /** As many requests as are answered. @returns how many that were, and the seconds they took */
  saturate(shot: Shot, seconds: number): Promise<{ requests: number; seconds: number }>;
  /**
   * So many a second, whether or not those before have been answered.
   *
   * @returns milliseconds from when each was due, and noticed to be, to the end of its answer
   */
  atRate(shot: Shot, rate: number, seconds: number): Promise<number[]>;
  close(): void;
}

const connections = 32;
const tickMilliseconds = 1;
const patienceMilliseconds = 10_000;

/**
 * Opens connections to a port of this machine. Requests are written as ready bytes, and of an answer its status and
 * its length are read and nothing else, so that the load costs little beside the fastest server.
 */
export async function openLoad(port: number): Promise<Load> {
  let all: Connection[] = [];
  const ready = async () => {
    const kept = all.filter(({ socket }) => !socket.destroyed);
    const missing = Array.from({ length: connections - kept.length }, () => openConnection(port));
    all = [...kept, ...(await Promise.all(missing))];
  };
  await ready();
  return {
    ready,
    async saturate(shot, seconds) {
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      let requests = 0;
      const fallAsleep = stayAwake();
      const keepOn = async (connection: Connection) => {
        while (performance.now() < until) {
          await connection.send(shot);
          requests += 1;
        }
      };
      await Promise.all(all.map(keepOn)).finally(fallAsleep);
      return { requests, seconds: (performance.now() - startedAt) / 1000 };
    },

    async atRate(shot, rate, seconds) {
      const free = [...all];
      const queued: number[] = [];
      const times: number[] = [];
      const wanted = Math.round(rate * seconds);
      const send = async (connection: Connection, dueAt: number): Promise<void> => {
        await connection.send(shot);
        times.push(performance.now() - dueAt);
        const next = queued.shift();
        if (next === undefined) free.push(connection);
        else await send(connection, next);
      };
      const fallAsleep = stayAwake();
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
      await Promise.all(sending).finally(fallAsleep);
      return times;
    },

    close() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/**
 * Keeps this process from waiting in the kernel. A server that is slower than its load would else pay for waking it
 * with each answer, and a faster one would not: on a virtual machine that is a third of a small request.
 *
 * @returns what ends it
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
  /** Resolves with the end of the answer. @throws where it is not the expected one */
  send(shot: Shot): Promise<void>;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  let received: Buffer = Buffer.alloc(0);
  let under: { shot: Shot; resolve(): void; reject(error: Error): void } | undefined;
  const settle = (error?: Error) => {
    const waiting = under;
    under = undefined;
    received = Buffer.alloc(0);
    if (error) waiting?.reject(error);
    else waiting?.resolve();
  };
  socket.setTimeout(patienceMilliseconds, () => settle(new Error('no answer in time')));
  socket.on('error', settle);
  socket.on('close', () => settle(new Error('the connection was closed')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = answerIn(received);
    if (!answer) return;
    const { status } = under?.shot ?? {};
    settle(
      answer.status === status ? undefined : new Error(`answered ${answer.status} in place of ${status}`),
    );
  });
  return {
    socket,
    send: (shot) =>
      new Promise<void>((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection is closed'));
        under = { shot, resolve, reject };
        socket.write(shot.bytes);
      }),
  };
}

/** @returns undefined while it is not whole */
function answerIn(received: Buffer): { status: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error('A contender answers without Content-Length.');
  return received.length < headEnd + 4 + Number(length[1])
    ? undefined
    : { status: Number(head.slice(9, 12)) };
}
