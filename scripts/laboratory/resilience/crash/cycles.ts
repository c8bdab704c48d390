import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import { calledSystem, caller, newLedger } from '../executions/load.ts';
import { demoExecutions, openVerdict } from '../executions/verdict.ts';
import { startPlatform } from '../platform.ts';

export interface CrashReport {
  cycles: number;
  /** Executions whose start got a response. */
  acknowledged: number;
  /** Starts that got no response because of a crash, and were retried. */
  retried: number;
  /** Executions that ran at the last crash, and seconds from the restart until the last of them ended. */
  interrupted: number;
  recoverySeconds: number;
  /** Each broken promise. */
  problems: string[];
}

/**
 * Kills the platform with SIGKILL at random moments under load, and checks every execution afterwards.
 *
 * @param clients callers that start executions, each about `1000 / pause` a second
 * @param longestRecovery milliseconds after the last restart within which interrupted executions must end
 */
export async function crashCycles({
  cycles,
  clients = 4,
  pause = 150,
  longestRecovery = 60_000,
  progress = () => {},
  signal,
}: {
  cycles: number;
  clients?: number;
  pause?: number;
  longestRecovery?: number;
  progress?: (line: string) => void;
  signal?: AbortSignal;
}): Promise<CrashReport> {
  await using data = await temporaryDirectory('crash');
  const { path: dataDirectory } = data;
  const ledger = newLedger();
  using called = await calledSystem(ledger);
  let retried = 0;
  let platform = await startPlatform(dataDirectory);
  try {
    const demo = await demoExecutions(dataDirectory);
    for (let cycle = 1; cycle <= cycles; cycle++) {
      signal?.throwIfAborted();
      const client = caller(platform, ledger, called.url);
      retried += await client.retryOpen();
      const gone = new AbortController();
      const load = Array.from({ length: clients }, () => client.startUntil(gone.signal, pause));
      const reading = readSome(client, ledger, gone.signal);
      const life = 200 + Math.random() * 1_800;
      await sleep(life);
      await platform.kill();
      gone.abort();
      await Promise.all([...load, reading]);
      progress(
        `cycle ${cycle}: killed after ${Math.round(life)} ms, ${ledger.acknowledged.size} started so far`,
      );
      platform = await startPlatform(dataDirectory);
    }
    const restarted = performance.now();
    const client = caller(platform, ledger, called.url);
    await using verdict = await openVerdict(dataDirectory, demo);
    const interrupted = await verdict.running();
    retried += await client.retryOpen();
    while ((await verdict.running()) > 0 && performance.now() - restarted < longestRecovery) await sleep(100);
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
      retried,
      interrupted,
      recoverySeconds,
      problems,
    };
  } finally {
    await platform.kill();
  }
}

/** Reads results throughout: a result must never change. */
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
