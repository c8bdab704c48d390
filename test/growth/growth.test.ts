import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { grow, shrink } from './steps.ts';

/**
 * A contract that grows or shrinks turns no test red that is not about what was added or removed: `npm test` passes in a
 * copy of the project with a new resource, operation, fields, event, permission, error code and deprecation, in a minor
 * release.
 */
vi.setConfig({ testTimeout: scaledTimeout(1_000_000) });
const project = await copyProject({ whole: true });
afterAll(() => project.remove());

test('npm test passes after the contract has grown and was released', async () => {
  await grow(project);
  expect(await failuresOfNpmTest()).toEqual([]);
});

test('npm test passes after a resource was removed again, without a release', async () => {
  await shrink(project);
  expect(await failuresOfNpmTest()).toEqual([]);
});

interface TestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Each failed test with the first line of why, or the end of the output if no test ran. */
async function failuresOfNpmTest(): Promise<string[]> {
  const report = join(project.directory, 'node_modules/.cache/growth.json');
  const env = { ...process.env, WRP_TEST_REPORT: report };
  const child = spawn('npm', ['test'], { cwd: project.directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code === 0) return [];
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (!text) return [output.slice(-3000)];
  const { testResults } = JSON.parse(text) as TestReport;
  const failed = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = name.slice(project.directory.length + 1);
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length === 0) return [`${file}: ${message.split('\n')[0]}`];
      return tests.map(
        ({ fullName, failureMessages: [why = ''] }) => `${file}: ${fullName}: ${why.split('\n')[0]}`,
      );
    });
  return failed.length > 0 ? failed : [output.slice(-3000)];
}
