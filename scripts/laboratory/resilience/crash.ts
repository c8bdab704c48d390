/** Kills the platform at random moments under load and checks that nothing was lost. */
import { type CrashReport, crashCycles } from './crash/cycles.ts';
import { runResilienceTests, type TestResult } from './results.ts';

await runResilienceTests({
  name: 'crash',
  description: `Starts executions, kills the platform with SIGKILL while they run, and restarts it, again and again. At the end it
checks that every acknowledged execution exists, ended once, and has one result. A cycle takes about three seconds.`,
  options: { cycles: { description: 'how often the platform is killed', full: 200, quick: 5 } },
  test: async ({ cycles }, { progress, signal }) => [
    resultOf(await crashCycles({ cycles, progress, signal })),
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
