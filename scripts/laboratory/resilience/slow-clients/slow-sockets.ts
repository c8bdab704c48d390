/**
 * The slow clients, in a thread of their own so that they do not delay those that are measured. Posts how each
 * connection ended, when all have.
 */
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export type Kind = 'headers' | 'body' | 'response';

export interface SlowSockets {
  hostname: string;
  port: number;
  token: string;
  /** The path of a file that is larger than what the kernel buffers. */
  downloadPath: string;
  sockets: number;
  /** Size of that file. */
  downloadBytes: number;
  /** Milliseconds after which a response is read to the end of what was sent. */
  readAfter: number;
  /** Milliseconds until a connection that has not ended is given up. */
  longest: number;
}

/** How the connections of a kind ended. */
export interface Ends {
  kind: Kind;
  /** Ended by the platform. */
  ended: number;
  /** The slowest of these, in seconds. */
  slowest: number;
  /** Could not be opened. */
  failed: number;
  /** Not ended in time; a response that was sent to its end although nobody read it. */
  left: number;
}

const kinds: Kind[] = ['headers', 'body', 'response'];
/**
 * One in so many connections reads a response: the kernel buffers megabytes of each, and delays all connections of the
 * machine when they reach its limit for TCP.
 */
const everyReader = 20;
/** Milliseconds between two bytes. */
const pause = 4_000;
/** Connections are opened in groups, because the kernel queues a limited number of them. */
const group = 100;
const groupPause = 50;
const oneByte = Buffer.alloc(1);
const manyBytes = Buffer.alloc(1 << 16);

const { hostname, port, token, downloadPath, downloadBytes, sockets, readAfter, longest } =
  workerData as SlowSockets;
const ends = new Map(kinds.map((kind) => [kind, { kind, ended: 0, slowest: 0, failed: 0, left: 0 }]));

const authorized = `Host: test\r\nAuthorization: ${token}\r\n`;
const firstBytes: Record<Kind, string> = {
  headers: 'GET /organizations/users HTTP/1.1\r\nX-Slow: ',
  body: `POST /workflows HTTP/1.1\r\n${authorized}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
  response: `GET ${downloadPath} HTTP/1.1\r\n${authorized}\r\n`,
};

function open(kind: Kind): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const counts = ends.get(kind) as Ends;
  let isOpen = false;
  let isSlow = kind === 'response';
  let received = 0;
  const onread = {
    // Node would read ahead.
    buffer: () => (isSlow ? oneByte : manyBytes),
    callback(bytes: number) {
      received += bytes;
      return !isSlow;
    },
  };
  const socket: Socket = connect({ port, host: hostname, onread });
  const trickle = setInterval(() => {
    if (kind !== 'response' && isOpen && !socket.writableEnded) socket.write('x');
    if (kind !== 'response') return;
    // What the kernel has buffered hides the end of the connection.
    if (performance.now() - startedAt > readAfter) isSlow = false;
    socket.resume();
  }, pause);
  const giveUp = setTimeout(() => {
    counts.left++;
    socket.removeAllListeners('close').destroy();
    end();
  }, longest);
  const end = () => {
    clearInterval(trickle);
    clearTimeout(giveUp);
    resolve();
  };
  socket.on('connect', () => {
    isOpen = true;
    socket.write(firstBytes[kind]);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (received >= downloadBytes) counts.left++;
    else if (isOpen) counts.ended++;
    else counts.failed++;
    counts.slowest = Math.max(counts.slowest, (performance.now() - startedAt) / 1000);
    end();
  });
  return promise;
}

function kindOf(connection: number): Kind {
  if (connection % everyReader === 0) return 'response';
  return connection % 2 === 0 ? 'headers' : 'body';
}

const opened: Promise<void>[] = [];
while (opened.length < sockets) {
  for (let at = 0; at < group && opened.length < sockets; at++) opened.push(open(kindOf(opened.length)));
  await new Promise((resolve) => setTimeout(resolve, groupPause));
}
parentPort?.postMessage('opened');
await Promise.all(opened);
parentPort?.postMessage([...ends.values()]);
