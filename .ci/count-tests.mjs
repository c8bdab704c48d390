/**
 * Prints the failures of several runs, and then how many of their tests passed and failed, as one plain line. A line of
 * the table of `npm run prove` is one test. A run that failed without a failed test (in the checks before the tests, in
 * an error outside a test, or one that writes no report) counts as one failure, with the end of its output.
 *
 *   node .ci/count-tests.mjs <directory> <name>=<run>=<exit status>…
 *
 * In the directory, `<run>.json` is the report, if any, and `<run>.log` the output, if it was kept.
 *
 * Exit codes: 0 all runs succeeded · 1 a run failed
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const keptLines = 60;

let passed = 0;
const failed = [];
const [directory, ...runs] = process.argv.slice(2);
for (const text of runs) {
  const [name, run, status] = text.split('=');
  const tests = read(join(directory, `${run}.json`));
  const failures = tests.filter(({ failure }) => failure !== undefined);
  passed += tests.length - failures.length;
  failed.push(...failures.map((test) => `${name}: ${test.name}: ${test.failure}`));
  if (status !== '0' && failures.length === 0) {
    console.log(endOfOutput(join(directory, `${run}.log`)));
    failed.push(`${name}: exit code ${status}, without a failed test`);
  }
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
    return Object.entries(report).flatMap(([section, results]) =>
      results.map(({ tried, failures }) => ({ name: `${section}: ${tried}`, failure: firstLine(failures) })),
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

function endOfOutput(path) {
  if (!existsSync(path)) return '';
  return stripVTControlCharacters(readFileSync(path, 'utf8')).split('\n').slice(-keptLines).join('\n');
}

function firstLine([message]) {
  return message?.split('\n')[0];
}
