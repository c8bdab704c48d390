/** Webhook deliveries per second next to bare `fetch`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { type Running, runSection } from '../section.ts';
import { table } from '../table.ts';
import { type Child, startChild } from './child.ts';
import { median, pairedRatios, quantile, rotated, type Spread } from './statistics.ts';
import { figure, spread } from './text.ts';
import { openReceivers, openTimedReceiver } from './webhooks/receivers.ts';
import type { Round, SenderFunctions } from './webhooks/sender.ts';

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 10, quick: 3 },
  events: { description: 'events in a round', full: 600, quick: 200 },
  endpoints: { description: 'receivers, each of which receives every event', full: 4 },
  seconds: {
    description: 'how long events are sent to each receiver whose latency is measured',
    full: 60,
    quick: 15,
  },
};
type Values = Record<keyof typeof options, number>;

interface Results {
  fetchPerSecond: number;
  deliveriesPerSecond: number;
  ratio: Spread;
  /** Seconds from an event until it is delivered, to each of `receiverKinds`. */
  latencies: { receiver: string; median: number; p99: number }[];
}

/** `failing`: the share of requests that a receiver refuses, at random. */
const receiverKinds = [
  { receiver: 'that responds at once', failing: 0, milliseconds: 0 },
  // As long as a receiver on the internet takes.
  { receiver: 'that takes 50 ms and refuses 20 % of requests', failing: 0.2, milliseconds: 50 },
] as const;
type ReceiverKind = (typeof receiverKinds)[number];
const eventsPerSecond = 100;
const latencyTimeoutMilliseconds = 300_000;
/** After the last arrival, the platform still records attempts of this round. */
const recordingMilliseconds = 400;

async function measure({ rounds, events, endpoints, seconds }: Values, running: Running): Promise<Results> {
  const { progress, signal } = running;
  await using directory = await temporaryDirectory('bench-webhooks');
  using receivers = await openReceivers(endpoints);
  await using children = new AsyncDisposableStack();
  const start = async (name: string) => {
    const args = [name, directory.path];
    const module = new URL('webhooks/sender.ts', import.meta.url);
    const child = children.use(await startChild<SenderFunctions>(module, { args, signal }));
    return { name, child, speeds: [] as number[] };
  };
  const [fetching, platform] = [await start('fetch'), await start('platform')];
  const senders = [fetching, platform];
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const { child, speeds } of rotated(senders, round + 1)) {
      const wanted = events * endpoints;
      const startedAt = performance.now();
      const arrivals = receivers.expect(wanted, signal);
      await Promise.all([arrivals, child.call('send', { urls: receivers.urls, count: events })]);
      if (round >= 0) speeds.push(wanted / ((performance.now() - startedAt) / 1000));
      await sleep(recordingMilliseconds);
    }
    const latest = senders.map(({ name, speeds }) => `${name} ${figure(speeds.at(-1) ?? Number.NaN)}/s`);
    progress(round < 0 ? 'warmed up' : `round ${round + 1} of ${rounds}: ${latest.join(', ')}`);
  }
  const latencies: Results['latencies'] = [];
  for (const kind of receiverKinds)
    latencies.push(await measureLatency(platform.child, kind, seconds, running));
  return {
    fetchPerSecond: median(fetching.speeds),
    deliveriesPerSecond: median(platform.speeds),
    ratio: pairedRatios(platform.speeds, fetching.speeds),
    latencies,
  };
}

/** Sends events at a constant rate to a receiver of a kind. */
async function measureLatency(
  platform: Child<SenderFunctions>,
  { receiver: name, ...kind }: ReceiverKind,
  seconds: number,
  { progress, signal }: Running,
): Promise<Results['latencies'][number]> {
  using receiver = await openTimedReceiver(kind);
  const wanted = seconds * eventsPerSecond;
  const round: Round = { organization: name, urls: [receiver.url], count: eventsPerSecond / 10 };
  for (let tenth = 0; tenth < seconds * 10; tenth++)
    await Promise.all([platform.call('send', round), sleep(100, undefined, { signal })]);
  const deadline = performance.now() + latencyTimeoutMilliseconds;
  // The last retries are minutes apart, and do not change the percentile.
  while (receiver.latencies.length < wanted * 0.995 && performance.now() < deadline)
    await sleep(200, undefined, { signal });
  progress(`a receiver ${name}: ${receiver.latencies.length} of ${wanted} events delivered`);
  const missing = Array<number>(wanted - receiver.latencies.length).fill(Number.POSITIVE_INFINITY);
  const latencies = [...receiver.latencies, ...missing];
  return { receiver: name, median: quantile(latencies, 0.5) / 1000, p99: quantile(latencies, 0.99) / 1000 };
}

function asText({ fetchPerSecond, deliveriesPerSecond, ratio, latencies }: Results): string {
  return [
    table([
      ['Webhooks', 'per second', 'to bare fetch'],
      ['bare fetch', figure(fetchPerSecond)],
      ['deliveries', figure(deliveriesPerSecond), spread(ratio)],
    ]),
    table([
      [`${eventsPerSecond} events/s until delivered, to a receiver`, 'median', 'p99'],
      ...latencies.map(({ receiver, median, p99 }) => [receiver, `${figure(median)} s`, `${figure(p99)} s`]),
    ]),
  ].join('\n\n');
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
