import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveLocally } from '../../../command-line/local-server.ts';

/** Servers in this process that return 204 and count requests. */
export interface Receivers extends Disposable {
  urls: string[];
  /** Resolves when this many requests have arrived. @throws after a timeout, or the signal's reason */
  expect(wanted: number, signal: AbortSignal): Promise<void>;
}

const timeoutMilliseconds = 120_000;

export async function openReceivers(count: number): Promise<Receivers> {
  let left = 0;
  let onLast = () => {};
  const receive: RequestListener = (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      left -= 1;
      if (left === 0) onLast();
    });
  };
  const servers = await Promise.all(Array.from({ length: count }, () => serveLocally(receive)));
  return {
    urls: servers.map(({ url }) => url),
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
    [Symbol.dispose]() {
      for (const server of servers) server[Symbol.dispose]();
    },
  };
}

/** A server in this process that responds with 500 to some requests at random, and with 204 to the others. */
export interface TimedReceiver extends Disposable {
  url: string;
  /** Milliseconds from the creation of each accepted event until it was accepted. */
  latencies: number[];
}

/**
 * @param failing the share of requests that it refuses, from 0 to 1
 * @param milliseconds how long it takes for a response
 */
export async function openTimedReceiver({
  failing,
  milliseconds,
}: Record<'failing' | 'milliseconds', number>): Promise<TimedReceiver> {
  const accepted = new Set<string>();
  const latencies: number[] = [];
  const server = await serveLocally(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (milliseconds > 0) await sleep(milliseconds);
    const isAccepted = Math.random() >= failing;
    response.writeHead(isAccepted ? 204 : 500).end();
    const { id, createdDateTime } = JSON.parse(body.toString()) as { id: string; createdDateTime: string };
    if (!isAccepted || accepted.has(id)) return;
    accepted.add(id);
    latencies.push(Date.now() - Date.parse(createdDateTime));
  });
  return { ...server, latencies };
}
