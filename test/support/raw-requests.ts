import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

/** A request that is sent as it is: no client normalizes the path, the headers or the body. */
export interface Sent {
  method: string;
  /** Path and query, already percent-encoded. */
  target: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
}

export interface Received {
  status: number;
  /** By name in lower case. */
  headers: Record<string, string>;
  text: string;
}

const keptAlive = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * Sends one request. A response that comes before the body has left is a response; where the platform waits for more of
 * the body, its response is a 408, which no sweep expects.
 */
export function send(baseUrl: string, sent: Sent, agent: Agent | false = keptAlive): Promise<Received> {
  const { method, target, headers = {}, body } = sent;
  const { hostname: host, port } = new URL(baseUrl);
  const length =
    body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host, port, method, path: target, agent, headers: { ...length, ...headers } });
    let responded = false;
    outgoing.on('response', (response) => {
      responded = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(given),
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', (error) => {
      if (responded) return;
      // On a busy machine, the platform may have closed an idle connection in the moment of its reuse.
      if (outgoing.reusedSocket) resolve(send(baseUrl, sent, false));
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** Writes bytes to a connection of their own as they are, and returns the first response. */
export async function raw(baseUrl: string, ...bytes: (string | Buffer)[]): Promise<Received> {
  const { status, headers: head, body } = await sendRaw(Number(new URL(baseUrl).port), bytes);
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  return { status, headers: Object.fromEntries(headers), text: body };
}

/** The head of a request, for `raw`. */
export function headOf({ method, target, headers = {}, body = '' }: Sent): string {
  const all = { Host: 'test', 'Content-Length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Maps items with limited concurrency, and keeps their order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = 8,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

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
