import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { calledSystem, caller, newLedger } from './load.ts';
import { startPlatform } from './platform.ts';
import { openVerdict } from './verdict.ts';

export interface CrashReport {
  cycles: number;
  /** Executions whose start was answered. */
  acknowledged: number;
  /** Starts that a crash left unanswered, and that were repeated. */
  repeated: number;
  /** Running at the last crash, and seconds from the restart until none of them ran any more. */
  interrupted: number;
  recoverySeconds: number;
  /** What of the promises was not kept. */
  problems: string[];
}

/**
 * Kills the platform with SIGKILL at random moments, under load, and finds out what became of every execution.
 *
 * @param clients that start executions, each about `1000 / pause` a second
 * @param longestRecovery milliseconds after a restart until executions that a crash interrupted must have ended
 * @param say is told how it goes
 */
export async function crashCycles({
  cycles,
  clients = 4,
  pause = 150,
  longestRecovery = 60_000,
  say = () => {},
}: {
  cycles: number;
  clients?: number;
  pause?: number;
  longestRecovery?: number;
  say?: (line: string) => void;
}): Promise<CrashReport> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'wrp-crash-'));
  const ledger = newLedger();
  const called = await calledSystem(ledger);
  let repeated = 0;
  let platform = await startPlatform(dataDirectory);
  try {
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const client = caller(platform, ledger, called.url);
      repeated += await client.repeatOpen();
      const gone = new AbortController();
      const load = Array.from({ length: clients }, () => client.startUntil(gone.signal, pause));
      const reading = readSome(client, ledger, gone.signal);
      const life = 300 + Math.random() * 4_000;
      await sleep(life);
      await platform.kill();
      gone.abort();
      await Promise.all([...load, reading]);
      say(`cycle ${cycle}: killed after ${Math.round(life)} ms, ${ledger.acknowledged.size} started so far`);
      platform = await startPlatform(dataDirectory);
    }
    const restarted = performance.now();
    const client = caller(platform, ledger, called.url);
    const verdict = await openVerdict(dataDirectory);
    try {
      const interrupted = await verdict.running();
      repeated += await client.repeatOpen();
      while ((await verdict.running()) > 0 && performance.now() - restarted < longestRecovery)
        await sleep(100);
      const recoverySeconds = (performance.now() - restarted) / 1000;
      for (let reading = 0; reading < 2; reading++) {
        for (const id of ledger.acknowledged.keys()) {
          if (!(await client.readResult(id))) ledger.problems.push(`${id} has no result`);
        }
      }
      const problems = [...new Set([...ledger.problems, ...(await verdict.problems(ledger))])];
      return {
        cycles,
        acknowledged: ledger.acknowledged.size,
        repeated,
        interrupted,
        recoverySeconds,
        problems,
      };
    } finally {
      await verdict.close();
    }
  } finally {
    await platform.kill();
    called.close();
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Results are read all the while: what was given once must stay. */
async function readSome(
  client: ReturnType<typeof caller>,
  ledger: ReturnType<typeof newLedger>,
  gone: AbortSignal,
): Promise<void> {
  while (!gone.aborted) {
    const ids = [...ledger.acknowledged.keys()];
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (id) await client.readResult(id).catch(() => {});
    await sleep(20);
  }
}
