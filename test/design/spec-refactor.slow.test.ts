import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { scaledTimeout } from '../support/timeout.ts';

const source = fileURLToPath(new URL('../../', import.meta.url));
const project = await copyProject();
afterAll(() => project.remove());
for (const name of ['vitest.config.ts', 'README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'])
  await copyFile(join(source, name), join(project.directory, name));

/** Runs a command in the copy. @throws with its output if it fails */
async function node(...args: string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name));
  const path = `${join(project.directory, 'node_modules/.bin')}:${process.env['PATH']}`;
  return promisify(execFile)(process.execPath, args, {
    cwd: project.directory,
    env: { ...Object.fromEntries(inherited), PATH: path },
    maxBuffer: 1 << 26,
  });
}

const refactor = (...args: string[]) => node('scripts/spec/refactor/main.ts', ...args);

const generate = async () => {
  for (const tool of ['main', 'tables/main', 'samples/main']) await node(`scripts/generate/${tool}.ts`);
};

test.each([
  [1, ['rename', 'operation', 'reinstateUser', 'readmitUser'], '--breaking renames it all the same'],
  [2, ['rename', 'operation', 'reinstateUsr', 'readmitUser'], 'Did you mean `reinstateUser`?'],
  [1, ['rename', 'field', 'Profile.firstName', 'givenName'], '--breaking renames it all the same'],
  [2, ['rename', 'field', 'User.email', 'mailbox'], 'email means other things'],
  [2, ['rename', 'table', 'one', 'other'], 'Allowed choices'],
  [2, ['rename', 'operation'], "missing required argument 'old'"],
  [2, ['move', 'schema', 'JobTitle', 'titles.yaml'], 'is not a file such as'],
])('exit code %i and one line: %j', async (code, args, message) => {
  const failure = await refactor(...args).catch((error) => error);
  expect(failure).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(failure.stderr.trim().split('\n')).toHaveLength(1);
});

test(
  'after renames of each kind and moves, everything is generated, and all code and tests are right',
  async () => {
    const released = await project.read('generated/openapi.json');
    await refactor('rename', 'operation', 'reinstateUser', 'readmitUser', '--breaking', '--dry-run');
    await refactor('move', 'schema', 'JobTitle', 'spec/schemas/titles.yaml');
    await refactor('move', 'operation', 'getWebhookKey', 'spec/paths/keys.yaml');
    await generate();
    expect(await project.read('generated/openapi.json')).toBe(released);

    await refactor('rename', 'operation', 'reinstateUser', 'readmitUser', '--breaking');
    await generate();
    await refactor('rename', 'schema', 'User', 'Person', '--breaking');
    await generate();
    await refactor('rename', 'parameter', 'keyId', 'serial', '--breaking');
    await generate();
    await refactor('rename', 'field', 'Workspace.workspaceType', 'workspacePurpose', '--breaking');
    await refactor('rename', 'field', 'Profile.firstName', 'givenName', '--breaking');
    await generate();
    for (const workspace of ['server', 'client', 'scripts', 'test'])
      await node('node_modules/typescript-7/bin/tsc', '-p', workspace, '--noEmit');
    await node('scripts/check/gaps.ts');
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'quick'];
    await node(
      ...vitest,
      'test/sweeps',
      'test/endpoints',
      'test/samples',
      'test/mock',
      'test/webhooks',
      'test/client',
    );
  },
  scaledTimeout(15 * 60_000),
);
