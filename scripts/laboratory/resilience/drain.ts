/** Ends the platform with SIGTERM under load, again and again, and checks that no accepted request failed. */
import { drainCycles } from './drain/cycles.ts';
import { runResilienceTests } from './results.ts';

await runResilienceTests({
  name: 'drain',
  description: `Reads, uploads, downloads and starts executions, ends the platform with SIGTERM meanwhile, and restarts it, again
and again. Every accepted request must get its whole response, and the platform must exit with code 0 in time. At the
end it checks that each execution ended once, and that each upload with a response is stored. A request is accepted
if its headers were sent before the signal, if its response began, or if the platform has carried it out.`,
  options: { cycles: { description: 'how often the platform is ended', full: 50, quick: 3 } },
  test: async ({ cycles }, running) => [await drainCycles({ cycles, ...running })],
});
