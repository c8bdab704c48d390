/**
 * Kills the platform at random moments under load and tells whether anything was lost:
 * `node scripts/crash.ts [cycles]`, 50 unless told. Exit status 1 where a promise was not kept.
 */
import { crashCycles } from './crash/cycles.ts';

const cycles = Number(process.argv[2] ?? 50);
if (!Number.isInteger(cycles) || cycles < 1) {
  console.error('Usage: node scripts/crash.ts [cycles]');
  process.exit(2);
}
const report = await crashCycles({ cycles, say: (line) => console.error(line) });
const { acknowledged, repeated, interrupted, recoverySeconds, problems } = report;
console.log(`
  ${cycles} times killed with SIGKILL under load
  ${acknowledged} executions were started, ${repeated} starts had to be repeated
  ${interrupted} ran when the platform came back the last time; the last of them ended after ${recoverySeconds.toFixed(1)} s
  ${problems.length === 0 ? 'Nothing was lost, stuck, done twice or given differently.' : `${problems.length} promises were not kept:`}
`);
for (const problem of problems.slice(0, 50)) console.log(`  - ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
