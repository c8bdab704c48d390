import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { CommandError } from '../../../command-line/command.ts';
import { freePort } from '../../../command-line/local-server.ts';
import { type PlatformProcess, withPlatform } from '../platform.ts';
import type { TestResult } from '../results.ts';
import type { Ends, SlowSockets } from './slow-sockets.ts';

const idleSeconds = 10;
const headersSeconds = 20;
/** How late a connection may be ended: more on a busy machine, because ending thousands takes processor time. */
const allowedDelay = 15 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
/**
 * In seconds. Node notices only after twice the limit that nothing was read, and the kernel may make room for a little
 * more before.
 */
const responseSeconds = 3 * idleSeconds;
/** Larger than what the kernel buffers of a connection. */
const downloadBytes = 16 << 20;
/** The limit of p99 in milliseconds. */
const longestRequest = 250;
/** How long requests are measured without slow clients. */
const aloneMilliseconds = 5_000;
/**
 * Memory in use that may stay, in MiB. The system's view of it is no measure: the allocator keeps freed memory, and
 * uses it for the next connections.
 */
const mostLeft = 50;
/** Requests at the same time, and the pause after each. */
const clients = 4;
const clientPause = 40;

/** Holds slow connections open, and measures the requests of other clients meanwhile. */
export async function testSlowClients({
  sockets,
  progress = () => {},
  signal,
}: {
  sockets: number;
  progress?: (line: string) => void;
  signal?: AbortSignal;
}): Promise<TestResult[]> {
  await assertDescriptors(2 * sockets + 500);
  const inspector = await freePort();
  const settings = {
    BODY_IDLE_SECONDS: String(idleSeconds),
    RESPONSE_IDLE_SECONDS: String(idleSeconds),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
  };
  return withPlatform({ settings }, async (platform) => {
    const downloadPath = await storeFile(platform);
    const alone = p99Of(await measure(platform, AbortSignal.timeout(aloneMilliseconds)));
    const idle = await memoryInUse(inspector);
    const { hostname, port } = new URL(platform.demo.baseUrl);
    const token = platform.demo.organizationToken;
    const readAfter = (responseSeconds + allowedDelay) * 1000;
    const workerData: SlowSockets = {
      hostname,
      port: Number(port),
      token,
      sockets,
      downloadPath,
      downloadBytes,
      readAfter,
      longest: readAfter + allowedDelay * 1000,
    };
    const worker = new Worker(new URL('slow-sockets.ts', import.meta.url), { workerData });
    const abort = () => void worker.terminate();
    signal?.addEventListener('abort', abort);
    const ended = new AbortController();
    const measuring = measure(platform, ended.signal);
    await once(worker, 'message');
    progress(`${sockets} slow connections are open`);
    const most = await memoryInUse(inspector);
    const [ends] = (await once(worker, 'message')) as [Ends[]];
    progress('the slow connections have ended');
    ended.abort();
    signal?.removeEventListener('abort', abort);
    signal?.throwIfAborted();
    const after = await memoryInUse(inspector);
    return [
      ...ends.map(resultOfEnds),
      resultOfOthers(await measuring, alone),
      {
        tried: 'memory in use after slow clients',
        times: 1,
        seen: `${Math.round(idle)} MiB when idle, ${Math.round(most)} MiB with them, ${Math.round(after)} MiB afterwards`,
        failures:
          after - idle > mostLeft
            ? [`${Math.round(after - idle)} MiB above the idle platform are not freed`]
            : [],
      },
    ];
  });
}

/** Children inherit the limit, which Node raises to the hard one. */
async function assertDescriptors(needed: number): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n']);
  const limit = stdout.trim();
  if (limit !== 'unlimited' && Number(limit) < needed)
    throw new CommandError(
      `${needed} file descriptors are needed, and ulimit -n allows ${limit}: raise it, or set --sockets.`,
    );
}

async function storeFile({ demo }: PlatformProcess): Promise<string> {
  const body = new FormData();
  body.append('file', new File([Buffer.alloc(downloadBytes, 7)], 'a.bin'));
  const headers = { Authorization: demo.organizationToken };
  const response = await fetch(`${demo.baseUrl}/resources`, { method: 'POST', headers, body });
  return ((await response.json()) as { resourcePath: string }).resourcePath;
}

/** Reads and starts executions until the signal. */
async function measure({ demo }: PlatformProcess, ended: AbortSignal) {
  const milliseconds: number[] = [];
  const failures: string[] = [];
  const headers = { Authorization: demo.organizationToken, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ workflowDefinitionId: demo.definitions.echo, parameters: {} });
  const requests = [
    ['/organizations/users?size=20', { headers }],
    ['/workflows', { method: 'POST', headers, body }],
  ] as const;
  const client = async () => {
    for (let at = 0; !ended.aborted; at++) {
      const [path, init] = requests[at % requests.length] as (typeof requests)[number];
      const startedAt = performance.now();
      try {
        const response = await fetch(demo.baseUrl + path, init);
        await response.arrayBuffer();
        if (response.status !== 200) failures.push(`${path} returned ${response.status}`);
      } catch (error) {
        failures.push(`${path}: ${(error as Error).cause ?? error}`);
      }
      milliseconds.push(performance.now() - startedAt);
      await sleep(clientPause);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { milliseconds, failures };
}

type Measured = Awaited<ReturnType<typeof measure>>;

function p99Of({ milliseconds }: Measured): number {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

/** @param alone p99 without slow clients: a machine that is busy with other work is slow by itself */
function resultOfOthers({ milliseconds, failures }: Measured, alone: number): TestResult {
  const p99 = p99Of({ milliseconds, failures });
  const limit = Math.max(longestRequest, 2 * alone);
  const slow = p99 < limit ? [] : [`p99 is ${p99} ms: not below ${limit} ms`];
  return {
    tried: 'request of another client meanwhile',
    times: milliseconds.length,
    seen: `p99 ${p99} ms, ${alone} ms before`,
    failures: [...failures, ...slow],
  };
}

const described = {
  headers: { tried: 'headers byte by byte', limit: headersSeconds },
  body: { tried: 'a body byte by byte', limit: idleSeconds },
  // Seen when it is read to its end.
  response: { tried: 'a response read byte by byte', limit: responseSeconds + allowedDelay },
};

function resultOfEnds({ kind, ended, slowest, failed, left }: Ends): TestResult {
  const { tried, limit } = described[kind];
  return {
    tried,
    times: ended + failed + left,
    seen: `${ended} ended by the platform, within ${slowest.toFixed(1)} s`,
    failures: [
      ...(failed > 0 ? [`${failed} connections could not be opened`] : []),
      ...(left > 0 ? [`${left} connections were not ended`] : []),
      ...(slowest > limit + allowedDelay ? [`the last one ended after ${slowest.toFixed(1)} s`] : []),
    ],
  };
}

/** MiB of the heap and of what it refers to, after garbage collection: under no load, V8 leaves hundreds for later. */
async function memoryInUse(inspector: number): Promise<number> {
  const targets = await (await fetch(`http://127.0.0.1:${inspector}/json/list`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  const call = async (method: string) => {
    const response = once(socket, 'message') as Promise<[MessageEvent<string>]>;
    socket.send(JSON.stringify({ id: 1, method }));
    return JSON.parse((await response)[0].data).result;
  };
  await call('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await call('Runtime.getHeapUsage');
  socket.close();
  return (usedSize + backingStorageSize) / 2 ** 20;
}
