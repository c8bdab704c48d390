/**
 * Prints how many tests of a run passed and failed, as one plain line. A run that ended before its report,
 * in the checks that come before the tests, counts as one failure.
 *
 *   node scripts/check/count-tests.mjs <report.json> <exit status of the run>
 */
import { readFileSync } from 'node:fs';

const [file, status] = process.argv.slice(2);
const { numPassedTests, numFailedTests } = read(file);
const unexplained = status !== '0' && numFailedTests === 0 ? 1 : 0;
console.log(`${numPassedTests} passed, ${numFailedTests + unexplained} failed`);

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}
