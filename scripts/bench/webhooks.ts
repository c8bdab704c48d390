import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Round } from './webhooks-sender.ts';

/**
 * Webhook deliveries per second next to bare `fetch` with as many requests under way, to the same receivers on this
 * machine: what outbox, job queue, signature, guard and records of attempts cost. The rounds alternate, each contender
 * is a process of its own, and the medians are compared.
 *
 *     node scripts/bench/webhooks.ts [--events <n>] [--endpoints <n>] [--rounds <n>] [--json]
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    endpoints: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const [count, endpoints, rounds] = [values.events, values.endpoints, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const patienceMilliseconds = 120_000;

const names = ['fetch', 'platform'] as const;
const directory = await mkdtemp(join(tmpdir(), 'wrp-bench-webhooks-'));
const senders: ChildProcess[] = [];
const servers: Server[] = [];
let arrived = 0;
let onArrival = () => {};
try {
  const urls: string[] = [];
  for (let made = 0; made < endpoints; made++) urls.push(await receiver());
  for (const name of names) senders.push(await start(name));
  const speeds: Record<(typeof names)[number], number[]> = { fetch: [], platform: [] };
  for (let round = -1; round < rounds; round++) {
    for (const [index, name] of names.entries()) {
      const speed = await measure(senders[index] as ChildProcess, { urls, count });
      // The first round warms up.
      if (round >= 0) speeds[name].push(speed);
    }
  }
  const [fetched, delivered] = [median(speeds.fetch), median(speeds.platform)];
  const result = { fetchPerSecond: fetched, deliveriesPerSecond: delivered, ratio: delivered / fetched };
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else {
    for (const name of names) {
      const spread = speeds[name].map((one) => one.toFixed(0)).join(' ');
      console.log(`${name.padEnd(10)}${median(speeds[name]).toFixed(0).padStart(6)}/s  (${spread})`);
    }
    console.log(`deliveries to bare fetch: ${result.ratio.toFixed(2)}`);
  }
} finally {
  for (const child of senders) await end(child);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(directory, { recursive: true, force: true });
}

async function receiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      arrived++;
      onArrival();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function start(mode: string): Promise<ChildProcess> {
  const child = fork(new URL('webhooks-sender.ts', import.meta.url), [mode, directory]);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${mode} ended with ${code}.`))),
  ]);
  return child;
}

/** @returns messages per second, from the word to begin to the last arrival */
async function measure(sender: ChildProcess, round: Round): Promise<number> {
  const wanted = round.urls.length * round.count;
  arrived = 0;
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${arrived} of ${wanted} arrived in ${patienceMilliseconds} ms.`)),
      patienceMilliseconds,
    );
    onArrival = () => {
      if (arrived < wanted) return;
      clearTimeout(timer);
      resolve();
    };
    sender.send(round);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  // What is still on its way belongs to this round.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return wanted / seconds;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await gone;
  clearTimeout(timer);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
