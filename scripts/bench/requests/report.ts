import { pairedRatios, quantile, type Spread, spreadOf } from '../statistics.ts';
import { figure, spread, table } from '../text.ts';
import type { Sample } from './measure.ts';
import { fastifyTarget, type Workload } from './workloads.ts';

/** By contender: a sample of each round. */
export interface Measured {
  workload: Workload;
  samples: Map<string, Sample[]>;
}

export interface Comparison {
  name: string;
  contenders: {
    name: string;
    requestsPerSecond: Spread;
    processorMicroseconds: Spread;
    ofExpress?: Spread;
  }[];
  targets: { of: string; ratio: Spread; target: number; met: boolean }[];
}

export interface Latency {
  /** Requests per second. */
  rate: number;
  /** Milliseconds: of all requests together, and of each round's. */
  contenders: { name: string; p99: number; ofRounds: Spread }[];
  /** A round's p99 of ours as a share of bare Express's; no worse is 1 at most. */
  oursToExpress?: Spread & { met: boolean };
}

export interface Results {
  workloads: Comparison[];
  latency?: Latency;
}

const express = 'bare Express 5';
const ours = 'ours';

/**
 * Ratios of requests per second of processor time. A server that has a core for itself and is kept busy answers just
 * that many requests per second; other work on the machine blurs the rate that is measured, and hardly this one.
 */
export function comparisonOf({ workload, samples }: Measured): Comparison {
  const costs = (name: string) => (samples.get(name) ?? []).map(({ processorTime }) => processorTime);
  const ratio = (name: string, of: string) => pairedRatios(costs(of), costs(name));
  const targets = [
    { of: express, target: workload.target },
    { of: 'Fastify, equal checks', target: fastifyTarget },
  ].filter(({ of }) => samples.has(of) && samples.has(ours));
  return {
    name: workload.name,
    contenders: [...samples].map(([name, all]) => ({
      name,
      requestsPerSecond: spreadOf(all.map(({ requestsPerSecond }) => requestsPerSecond)),
      processorMicroseconds: spreadOf(costs(name)),
      ...(samples.has(express) && { ofExpress: ratio(name, express) }),
    })),
    targets: targets.map(({ of, target }) => {
      const found = ratio(ours, of);
      return { of, ratio: found, target, met: found.median >= target };
    }),
  };
}

/** @param latencies by contender, those of each round */
export function latencyOf(latencies: Map<string, number[][]>, rate: number): Latency {
  const ofRounds = (name: string) => (latencies.get(name) ?? []).map((round) => quantile(round, 0.99));
  const compared = latencies.has(express) && latencies.has(ours);
  const ratio = pairedRatios(compared ? ofRounds(ours) : [], compared ? ofRounds(express) : []);
  return {
    rate,
    contenders: [...latencies].map(([name, rounds]) => ({
      ...{ name, p99: quantile(rounds.flat(), 0.99), ofRounds: spreadOf(ofRounds(name)) },
    })),
    ...(compared && { oursToExpress: { ...ratio, met: ratio.median <= 1 } }),
  };
}

export function asText({ workloads, latency }: Results): string {
  const headings = workloads.map(({ name }) => name);
  const names = workloads[0]?.contenders.map(({ name }) => name) ?? [];
  const rows = (cell: (contender: Comparison['contenders'][number]) => string) =>
    names.map((name) => [
      name,
      ...workloads.map(({ contenders }) => cell(contenders.find((one) => one.name === name) as never)),
    ]);
  const targets = (workloads[0]?.targets ?? []).map(({ of }, index) => [
    `ours to ${of}`,
    ...workloads.map(({ targets }) => verdict(targets[index] as Comparison['targets'][number])),
  ]);
  const sections = [
    ['Requests per second of processor time, to bare Express 5', ...headings],
    ...rows(({ ofExpress }) => (ofExpress ? spread(ofExpress) : '')),
    ...[[], ['Targets', ...headings], ...targets, []],
    ['Processor time of the server, µs a request', ...headings],
    ...rows(({ processorMicroseconds }) => figure(processorMicroseconds.median)),
    ...[[], ['Requests per second as measured, beside all else on this machine', ...headings]],
    ...rows(({ requestsPerSecond }) => requestsPerSecond.median.toFixed(0)),
  ];
  return [table(sections), ...(latency ? [latencyText(latency)] : [])].join('\n\n');
}

function verdict({ ratio, target, met }: Comparison['targets'][number]): string {
  return `${ratio.median.toFixed(2)} ${met ? '≥' : 'misses'} ${target}`;
}

function latencyText({ rate, contenders, oursToExpress }: Latency): string {
  const rows = contenders.map(({ name, p99, ofRounds }) => [
    name,
    ...[
      `${figure(p99)} ms`,
      `${figure(ofRounds.median)} ms (${figure(ofRounds.lower)}–${figure(ofRounds.upper)})`,
    ],
    ...[name === 'bare node:http' ? 'the floor of this machine' : ''],
  ]);
  const text = table([
    [`p99 at ${rate} requests a second, one user`, 'of all', 'of the rounds', ''],
    ...rows,
  ]);
  if (!oursToExpress) return text;
  const word = oursToExpress.met ? 'no worse' : 'misses: worse';
  return `${text}\nours to ${express}: ${spread(oursToExpress)}, ${word}`;
}
