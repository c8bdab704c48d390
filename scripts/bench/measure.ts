import autocannon from 'autocannon';
import type { RunningContender } from './contenders.ts';
import type { Workload } from './workloads.ts';

export interface Sample {
  requestsPerSecond: number;
  /** Microseconds of processor time of the server a request: the load generator cannot blur it. */
  processorTime: number;
  /** Milliseconds. */
  p99: number;
}

/** @param rate requests per second; as many as the server can answer where left out */
export async function measure(
  contender: RunningContender,
  workload: Workload,
  { token, seconds, rate }: { token: string; seconds: number; rate?: number },
): Promise<Sample> {
  const before = await contender.processorTime();
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}${workload.path}`,
    method: workload.method,
    headers: { authorization: token, ...(workload.body && { 'content-type': 'application/json' }) },
    ...(workload.body && { body: JSON.stringify(workload.body) }),
    ...(rate && { overallRate: rate }),
    connections: 32,
    duration: seconds,
  });
  const used = (await contender.processorTime()) - before;
  const expected = contender.validates ? workload.status : (workload.unvalidated ?? workload.status);
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (result.errors > 0 || statuses.join() !== String(expected))
    throw new Error(
      `${contender.name}, ${workload.name}: ${result.errors} errors, statuses ${statuses} in place of ${expected}.`,
    );
  const { total } = result.requests;
  return { requestsPerSecond: total / result.duration, processorTime: used / total, p99: result.latency.p99 };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
