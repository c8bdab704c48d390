import type { RunningContender } from './contenders.ts';
import type { Shot } from './load.ts';
import type { Workload } from './workloads.ts';

export interface Sample {
  requestsPerSecond: number;
  /** Microseconds of processor time of the server a request: other work on the machine hardly blurs it. */
  processorTime: number;
}

export async function measure(
  contender: RunningContender,
  workload: Workload,
  { token, seconds }: { token: string; seconds: number },
): Promise<Sample> {
  await contender.load.ready();
  const before = await contender.processorTime();
  const load = contender.load.saturate(shotOf(contender, workload, token), seconds);
  const { requests, seconds: taken } = await load.catch(told(contender, workload));
  const used = (await contender.processorTime()) - before;
  return { requestsPerSecond: requests / taken, processorTime: used / requests };
}

/** @returns milliseconds of each request at a rate */
export async function measureLatency(
  contender: RunningContender,
  workload: Workload,
  { token, seconds, rate }: { token: string; seconds: number; rate: number },
): Promise<number[]> {
  await contender.load.ready();
  const load = contender.load.atRate(shotOf(contender, workload, token), rate, seconds);
  return load.catch(told(contender, workload));
}

function shotOf({ validates }: RunningContender, workload: Workload, token: string): Shot {
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

function told({ name }: RunningContender, workload: Workload): (error: Error) => never {
  return (error) => {
    throw new Error(`${name}, ${workload.name}: ${error.message}`);
  };
}
