/**
 * Prints how many tests of several runs passed and failed, as one plain line. A line of the table of `npm run prove` is
 * one test. A run that failed without a failed test (in the checks before the tests, or one that writes no report) counts
 * as one failure.
 *
 *   node scripts/check/count-tests.mjs <report.json>=<exit status>…
 *
 * Exit codes: 0 all runs succeeded · 1 a run failed
 */
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const run of process.argv.slice(2)) {
  const [file, status] = run.split('=');
  const { numPassedTests, numFailedTests } = read(file);
  passed += numPassedTests;
  failed += status !== '0' && numFailedTests === 0 ? 1 : numFailedTests;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The report of vitest, or the sections of `npm run prove --json`. */
function read(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    if ('numPassedTests' in report) return report;
    const proofs = Object.values(report).flat();
    const numFailedTests = proofs.filter(({ failures }) => failures.length > 0).length;
    return { numPassedTests: proofs.length - numFailedTests, numFailedTests };
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}
