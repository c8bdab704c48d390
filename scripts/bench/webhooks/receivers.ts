import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Servers in this process that return 204 and count requests. */
export interface Receivers {
  urls: string[];
  /** Resolves when this many requests have arrived. @throws after a timeout, or the signal's reason */
  expect(wanted: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

const timeoutMilliseconds = 120_000;

export async function openReceivers(count: number): Promise<Receivers> {
  let left = 0;
  let onLast = () => {};
  const servers: Server[] = [];
  for (let made = 0; made < count; made++) {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(204).end();
        left -= 1;
        if (left === 0) onLast();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
  }
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    async expect(wanted, signal) {
      left = wanted;
      await new Promise<void>((resolve, reject) => {
        const stop = () => settled(() => reject(signal.reason));
        const late = () => settled(() => reject(new Error(`${left} of ${wanted} messages did not arrive.`)));
        const timer = setTimeout(late, timeoutMilliseconds);
        const settled = (settle: () => void) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          settle();
        };
        signal.addEventListener('abort', stop);
        onLast = () => settled(resolve);
      });
    },
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** As long as a receiver on the internet takes. */
const responseMilliseconds = 50;

/** A server in this process that responds with 500 to some requests at random, and with 204 to the others. */
export interface FlakyReceiver {
  url: string;
  /** Of each accepted event: milliseconds from its creation until then. */
  latencies: number[];
  close(): void;
}

/** @param failing the share of requests that it refuses, from 0 to 1 */
export async function openFlakyReceiver(failing: number): Promise<FlakyReceiver> {
  const accepted = new Set<string>();
  const latencies: number[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    await sleep(responseMilliseconds);
    const isAccepted = Math.random() >= failing;
    response.writeHead(isAccepted ? 204 : 500).end();
    const { id, createdDateTime } = JSON.parse(body.toString()) as { id: string; createdDateTime: string };
    if (!isAccepted || accepted.has(id)) return;
    accepted.add(id);
    latencies.push(Date.now() - Date.parse(createdDateTime));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    latencies,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
