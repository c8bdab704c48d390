import { table } from '../../table.ts';
import { pairedRatios, quantile, type Spread, spreadOf } from '../statistics.ts';
import { figure, spread } from '../text.ts';
import type { Sample } from './measure.ts';
import { fastifyTarget, type Workload } from './workloads.ts';

export interface Measured {
  workload: Workload;
  /** A sample of each round, by baseline. */
  samples: Map<string, Sample[]>;
}

export interface Comparison {
  name: string;
  baselines: {
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
  /** Milliseconds: over all requests, and over the rounds. */
  baselines: { name: string; p99: number; ofRounds: Spread }[];
  /** The ratio of a round's p99 to bare Express's. Target: at most 1. */
  oursToExpress?: Spread & { met: boolean };
}

export interface Results {
  workloads: Comparison[];
  latency?: Latency;
}

const express = 'bare Express 5';
const ours = 'ours';

/**
 * Ratios of requests per second of processor time. This equals the throughput of a server that is busy on a core of its
 * own, but unlike the measured throughput it is hardly affected by other load on the machine.
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
    baselines: [...samples].map(([name, all]) => ({
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

/** @param latencies of each round, by baseline */
export function latencyOf(latencies: Map<string, number[][]>, rate: number): Latency {
  const ofRounds = (name: string) => (latencies.get(name) ?? []).map((round) => quantile(round, 0.99));
  const compared = latencies.has(express) && latencies.has(ours);
  const ratio = pairedRatios(compared ? ofRounds(ours) : [], compared ? ofRounds(express) : []);
  return {
    rate,
    baselines: [...latencies].map(([name, rounds]) => ({
      name,
      p99: quantile(rounds.flat(), 0.99),
      ofRounds: spreadOf(ofRounds(name)),
    })),
    ...(compared && { oursToExpress: { ...ratio, met: ratio.median <= 1 } }),
  };
}

export function asText({ workloads, latency }: Results): string {
  const headings = workloads.map(({ name }) => name);
  const names = workloads[0]?.baselines.map(({ name }) => name) ?? [];
  const rows = (cell: (baseline: Comparison['baselines'][number]) => string) =>
    names.map((name) => [
      name,
      ...workloads.map(({ baselines }) => cell(baselines.find((one) => one.name === name) as never)),
    ]);
  const targets = (workloads[0]?.targets ?? []).map(({ of }, index) => [
    `ours to ${of}`,
    ...workloads.map(({ targets }) => verdict(targets[index] as Comparison['targets'][number])),
  ]);
  const sections = [
    ['Requests per second of processor time, to bare Express 5', ...headings],
    ...rows(({ ofExpress }) => (ofExpress ? spread(ofExpress) : '')),
    [],
    ['Targets', ...headings],
    ...targets,
    [],
    ['Processor time of the server, µs per request', ...headings],
    ...rows(({ processorMicroseconds }) => figure(processorMicroseconds.median)),
    [],
    ['Requests per second as measured, with other load on this machine', ...headings],
    ...rows(({ requestsPerSecond }) => requestsPerSecond.median.toFixed(0)),
  ];
  return [table(sections), ...(latency ? [latencyText(latency)] : [])].join('\n\n');
}

function verdict({ ratio, target, met }: Comparison['targets'][number]): string {
  return `${ratio.median.toFixed(2)} ${met ? '≥' : 'misses'} ${target}`;
}

function latencyText({ rate, baselines, oursToExpress }: Latency): string {
  const rows = baselines.map(({ name, p99, ofRounds }) => [
    name,
    `${figure(p99)} ms`,
    `${figure(ofRounds.median)} ms (${figure(ofRounds.lower)}–${figure(ofRounds.upper)})`,
  ]);
  const text = table([[`p99 at ${rate} requests per second, one user`, 'of all', 'of the rounds'], ...rows]);
  if (!oursToExpress) return text;
  const word = oursToExpress.met ? 'no worse' : 'misses: worse';
  return `${text}\nours to ${express}: ${spread(oursToExpress)}, ${word}`;
}
