/**
 * Prints the failures of several runs, and then how many of their tests passed and failed, as one plain line. A line of
 * the table of `npm run prove` is one test. A run that failed without a failed test (in the checks before the tests, or
 * one that writes no report) counts as one failure.
 *
 *   node scripts/check/count-tests.mjs <name>[=<report.json>]=<exit status>…
 *
 * Exit codes: 0 all runs succeeded · 1 a run failed
 */
import { readFileSync } from 'node:fs';

let passed = 0;
const failed = [];
for (const run of process.argv.slice(2)) {
  const [name, ...rest] = run.split('=');
  const status = rest.pop();
  const tests = rest[0] ? read(rest[0]) : [];
  const failures = tests.filter(({ failure }) => failure !== undefined);
  passed += tests.length - failures.length;
  failed.push(...failures.map((test) => `${name}: ${test.name}: ${test.failure}`));
  if (status !== '0' && failures.length === 0)
    failed.push(`${name}: exit code ${status}, without a failed test`);
}
for (const failure of failed) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** The tests that ran, from a report of vitest or of `npm run prove --json`. */
function read(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
  if (!('testResults' in report)) {
    return Object.entries(report).flatMap(([section, proofs]) =>
      proofs.map(({ tried, failures }) => ({ name: `${section}: ${tried}`, failure: firstLine(failures) })),
    );
  }
  return report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === 'passed' || test.status === 'failed')
      .map((test) => ({
        name: `${name.replace(/^.*\/test\//, 'test/')}: ${test.fullName}`,
        failure: test.status === 'failed' ? (firstLine(test.failureMessages) ?? '') : undefined,
      }));
    // A file that could not be loaded has no tests.
    return status === 'failed' && tests.length === 0
      ? [{ name, failure: firstLine([message]) ?? '' }]
      : tests;
  });
}

function firstLine([message]) {
  return message?.split('\n')[0];
}
