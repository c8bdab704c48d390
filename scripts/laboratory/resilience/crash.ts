/** Kills the platform at random moments under load and checks that nothing was lost. */
import { type CrashReport, crashCycles } from './crash/cycles.ts';
import { type RetryReport, retryCycles } from './crash/retries.ts';
import { runResilienceTests, type TestResult } from './results.ts';

await runResilienceTests({
  name: 'crash',
  description: `Starts executions, kills the platform with SIGKILL while they run, and restarts it, again and again. At the end it
checks that every acknowledged execution exists, ended once, and has one result. A cycle takes about three seconds. Then it
kills bulk retries of failed executions, and the platform meanwhile, and checks that each was retried once.`,
  options: { cycles: { description: 'how often the platform is killed', full: 200, quick: 5 } },
  test: async ({ cycles }, { progress, signal }) => [
    resultOf(await crashCycles({ cycles, progress, signal })),
    resultOfRetries(await retryCycles({ cycles, progress, signal })),
  ],
});

function resultOf({
  cycles,
  acknowledged,
  retried,
  interrupted,
  recoverySeconds,
  problems,
}: CrashReport): TestResult {
  return {
    tried: `SIGKILL under load, ${acknowledged} executions started, ${retried} starts retried`,
    times: cycles,
    seen: `${interrupted} interrupted executions ended ${recoverySeconds.toFixed(1)} s after the last restart`,
    failures: problems,
  };
}

function resultOfRetries({ cycles, executions, interrupted, retried, problems }: RetryReport): TestResult {
  return {
    tried: `SIGKILL during bulk retries of ${executions} executions`,
    times: cycles,
    seen: `${interrupted} commands were interrupted, after they had retried ${retried}`,
    failures: problems,
  };
}
