import type { RunningBaseline } from './baselines.ts';
import type { RawRequest } from './load.ts';
import type { Workload } from './workloads.ts';

export interface Sample {
  requestsPerSecond: number;
  /** Microseconds of the server's processor time per request, which other load on the machine hardly affects. */
  processorTime: number;
}

export async function measure(
  baseline: RunningBaseline,
  workload: Workload,
  { token, seconds }: { token: string; seconds: number },
): Promise<Sample> {
  await baseline.load.ready();
  const before = await baseline.processorTime();
  const load = baseline.load.saturate(requestOf(baseline, workload, token), seconds);
  const { requests, seconds: taken } = await load.catch(rethrow(baseline, workload));
  const used = (await baseline.processorTime()) - before;
  return { requestsPerSecond: requests / taken, processorTime: used / requests };
}

/** Sends requests at a fixed rate. @returns the milliseconds of each */
export async function measureLatency(
  baseline: RunningBaseline,
  workload: Workload,
  { token, seconds, rate }: { token: string; seconds: number; rate: number },
): Promise<number[]> {
  await baseline.load.ready();
  const load = baseline.load.atRate(requestOf(baseline, workload, token), rate, seconds);
  return load.catch(rethrow(baseline, workload));
}

function requestOf({ validates }: RunningBaseline, workload: Workload, token: string): RawRequest {
  const { method, path, body, status, unvalidated = status } = workload;
  const content = body ? JSON.stringify(body) : '';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${token}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return {
    bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`),
    status: validates ? status : unvalidated,
  };
}

function rethrow({ name }: RunningBaseline, workload: Workload): (error: Error) => never {
  return (error) => {
    throw new Error(`${name}, ${workload.name}: ${error.message}`);
  };
}
