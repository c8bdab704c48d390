/** Webhook deliveries per second next to bare `fetch`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Running, runSection } from '../command-line/section.ts';
import { table } from '../command-line/table.ts';
import { type Child, startChild } from './child.ts';
import { median, pairedRatios, rotated, type Spread } from './statistics.ts';
import { figure, spread } from './text.ts';
import { openReceivers } from './webhooks/receivers.ts';
import type { Round } from './webhooks/sender.ts';

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 10, quick: 3 },
  events: { description: 'events in a round', full: 600, quick: 200 },
  endpoints: { description: 'receivers, each of which receives every event', full: 4 },
};
type Values = Record<keyof typeof options, number>;

interface Results {
  fetchPerSecond: number;
  deliveriesPerSecond: number;
  ratio: Spread;
}

const names = ['fetch', 'platform'] as const;
/** After the last arrival, the platform still records attempts of this round. */
const recordingMilliseconds = 400;

async function measure({ rounds, events, endpoints }: Values, running: Running): Promise<Results> {
  const { progress, signal } = running;
  const directory = await mkdtemp(join(tmpdir(), 'wrp-bench-webhooks-'));
  const senders: { name: (typeof names)[number]; child: Child; speeds: number[] }[] = [];
  const receivers = await openReceivers(endpoints);
  try {
    for (const name of names) {
      const child = await startChild(new URL('webhooks/sender.ts', import.meta.url), {
        ...{ args: [name, directory], signal },
      });
      senders.push({ name, child, speeds: [] });
    }
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      for (const { child, speeds } of rotated(senders, round + 1)) {
        const wanted = events * endpoints;
        const startedAt = performance.now();
        const arrivals = receivers.expect(wanted, signal);
        await Promise.all([arrivals, child.request({ urls: receivers.urls, count: events } satisfies Round)]);
        if (round >= 0) speeds.push(wanted / ((performance.now() - startedAt) / 1000));
        await sleep(recordingMilliseconds);
      }
      const latest = senders.map(({ name, speeds }) => `${name} ${figure(speeds.at(-1) ?? Number.NaN)}/s`);
      progress(round < 0 ? 'warmed up' : `round ${round + 1} of ${rounds}: ${latest.join(', ')}`);
    }
    const [fetched, delivered] = senders.map(({ speeds }) => speeds) as [number[], number[]];
    return {
      fetchPerSecond: median(fetched),
      deliveriesPerSecond: median(delivered),
      ratio: pairedRatios(delivered, fetched),
    };
  } finally {
    for (const { child } of senders) await child.stop();
    receivers.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function asText({ fetchPerSecond, deliveriesPerSecond, ratio }: Results): string {
  return table([
    ['Webhooks', 'per second', 'to bare fetch'],
    ['bare fetch', figure(fetchPerSecond)],
    ['deliveries', figure(deliveriesPerSecond), spread(ratio)],
  ]);
}

await runSection({
  tool: 'bench',
  name: 'webhooks',
  description: `Measures webhook deliveries per second next to bare fetch with as many concurrent requests, to the same local receivers:
the cost of outbox, job queue, signature, URL checks and records of attempts. They take turns, and ratios are computed
within each round.`,
  options,
  run: measure,
  asText,
});
