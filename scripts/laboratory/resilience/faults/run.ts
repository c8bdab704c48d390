import { setTimeout as sleep } from 'node:timers/promises';
import { calledSystem, newLedger } from '../executions/load.ts';
import type { TestResult } from '../results.ts';
import type { Installation } from './installation.ts';
import type { Fault } from './table.ts';
import { startTraffic } from './traffic.ts';

const longestRecovery = 10_000;

/** Lets faults happen to an installation under load, one after another. */
export async function runFaults(
  installation: Installation,
  faults: readonly Fault[],
  { seconds, progress, signal }: { seconds: number; progress(line: string): void; signal: AbortSignal },
): Promise<TestResult[]> {
  const ledger = newLedger();
  using called = await calledSystem(ledger);
  const traffic = startTraffic(installation.target, ledger, called.url);
  const results: (TestResult & { ids: string[] })[] = [];
  try {
    for (const fault of faults) {
      signal.throwIfAborted();
      const missing = fault.isMissing?.(installation);
      if (missing) {
        progress(`${fault.name}: not tried, ${missing}`);
        continue;
      }
      await sleep(1_000);
      await fault.happen(installation, seconds);
      const { recovery, failure } = await recoveryOf(installation);
      // What was sent before is answered by now, or is about to be.
      await sleep(1_000);
      const { succeeded, refused, failed, ids } = traffic.takeOutcomes();
      const failures = failure ? [failure] : [];
      if (fault.callersSee !== 'failures') failures.push(...failed);
      if (fault.callersSee === 'nothing' && refused > 0) failures.push(`${refused} requests were refused`);
      if (succeeded === 0) failures.push('no request succeeded');
      const seen = `${succeeded} succeeded, ${refused} refused, ${failed.length} broken, ready ${recovery} s later`;
      progress(`${fault.name}: ${seen}`);
      results.push({ tried: fault.name, times: 1, seen, failures, ids });
    }
  } finally {
    await traffic.stop();
  }
  const problems = await traffic.problems(installation.database.url, installation.receiver.ends);
  const rest = traffic.takeOutcomes().ids;
  const faultOf = new Map(results.flatMap((result) => result.ids.map((id) => [id, result] as const)));
  const others = problems.filter(({ id, problem }) => !faultOf.get(id)?.failures.push(problem));
  const executions = ledger.acknowledged.size;
  const all = faultOf.size + rest.length;
  return [
    ...results.map(({ ids: _, ...result }) => result),
    {
      tried: 'what was acknowledged is there once, at the end',
      times: all,
      seen: `${executions} executions with their webhooks, ${all - executions} uploads`,
      failures: others.map(({ problem }) => problem),
    },
  ];
}

/** Waits until every server is ready. */
async function recoveryOf(installation: Installation): Promise<{ recovery: string; failure?: string }> {
  const since = performance.now();
  for (;;) {
    const obstacle = await installation.obstacle();
    const milliseconds = performance.now() - since;
    const recovery = (milliseconds / 1000).toFixed(1);
    if (obstacle === undefined && milliseconds <= longestRecovery) return { recovery };
    if (obstacle === undefined) return { recovery, failure: `ready only after ${recovery} s` };
    if (milliseconds > 6 * longestRecovery) throw new Error(`The servers do not become ready: ${obstacle}`);
    await sleep(100);
  }
}
