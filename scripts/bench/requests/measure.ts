import type { RunningContender } from './contenders.ts';
import type { RawRequest } from './load.ts';
import type { Workload } from './workloads.ts';

export interface Sample {
  requestsPerSecond: number;
  /** Microseconds of the server's processor time per request, which other load on the machine hardly affects. */
  processorTime: number;
}

export async function measure(
  contender: RunningContender,
  workload: Workload,
  { token, seconds }: { token: string; seconds: number },
): Promise<Sample> {
  await contender.load.ready();
  const before = await contender.processorTime();
  const load = contender.load.saturate(requestOf(contender, workload, token), seconds);
  const { requests, seconds: taken } = await load.catch(rethrow(contender, workload));
  const used = (await contender.processorTime()) - before;
  return { requestsPerSecond: requests / taken, processorTime: used / requests };
}

/** Sends requests at a fixed rate. @returns the milliseconds of each */
export async function measureLatency(
  contender: RunningContender,
  workload: Workload,
  { token, seconds, rate }: { token: string; seconds: number; rate: number },
): Promise<number[]> {
  await contender.load.ready();
  const load = contender.load.atRate(requestOf(contender, workload, token), rate, seconds);
  return load.catch(rethrow(contender, workload));
}

function requestOf({ validates }: RunningContender, workload: Workload, token: string): RawRequest {
  const { method, path, body, status, unvalidated = status } = workload;
  const content = body ? JSON.stringify(body) : '';
  const lines = [
    ...[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${token}`],
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return {
    bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`),
    status: validates ? status : unvalidated,
  };
}

function rethrow({ name }: RunningContender, workload: Workload): (error: Error) => never {
  return (error) => {
    throw new Error(`${name}, ${workload.name}: ${error.message}`);
  };
}
