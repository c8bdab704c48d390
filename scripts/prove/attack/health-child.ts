/**
 * Requests `/healthz` of each URL every 10 ms, whether or not earlier requests have a response, and reports the durations
 * of each period. Runs in a process of its own, which does nothing else.
 *
 *   node health-child.ts <process id of the platform> <base URL>…
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { HealthMessage, HealthReport } from './health.ts';

const [pid, ...baseUrls] = process.argv.slice(2);
const urls = baseUrls.map((baseUrl) => new URL('/healthz', baseUrl));
const agent = new Agent({ keepAlive: true });
const interval = 10;
let report: HealthReport = emptyReport();
/** Milliseconds in which this process should have run but did not: they are not the platform's. */
let late = 0;
let last = performance.now();

setInterval(() => {
  const now = performance.now();
  late += Math.max(0, now - last - interval - 2);
  last = now;
  for (const url of urls) request(url);
}, interval);

process.on('message', (message: HealthMessage) => {
  if (message === 'end') process.send?.(report);
  report = emptyReport();
});
process.on('disconnect', () => process.exit());

function emptyReport(): HealthReport {
  return { durations: [], unqueued: [], failures: [] };
}

function request(url: URL): void {
  const [started, lateBefore, queuedBefore, period] = [performance.now(), late, queued(), report];
  const outgoing = get(url, { agent }, (response) => {
    response.resume();
    response.on('end', () => {
      const duration = Math.max(0, performance.now() - started - (late - lateBefore));
      period.durations.push(duration);
      period.unqueued.push(Math.max(0, duration - (queued() - queuedBefore)));
      if (response.statusCode !== 200) period.failures.push(`/healthz returned ${response.statusCode}`);
    });
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // The platform may have closed an idle connection just as it was used again.
    if (!outgoing.reusedSocket) period.failures.push(`/healthz failed: ${error.code}`);
  });
}

/**
 * How long the platform's main thread has waited for a processor, in milliseconds, while other processes had them all.
 * Only Linux reports it.
 */
function queued(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}
