import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installPackedClient } from '../../../scripts/client/package.ts';
import { runtimePackage } from '../../../server/bin/runtime.js';
import { demoPlatform } from '../../support/demo.ts';
import { atEnd } from '../../support/temporary.ts';
import { scaledTimeout } from '../../support/timeout.ts';
import { execute, install } from './execute.ts';

interface Runtime {
  name: string;
  /**
   * The npm package that has the program for this system, with its version and the program's path in it; absent for
   * the current Node. Not the package of the runtime itself where that needs an install script, which npm may be set
   * not to run.
   */
  from?: [name: string, version: string, program: string];
  arguments: string[];
}

const windows = process.platform === 'win32';
const program = (name: string) => (windows ? `${name}.exe` : name);
const bunPackage = `@oven/bun-${windows ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;

const runtimes: Runtime[] = [
  { name: 'node', arguments: [] },
  { name: 'node 22', from: [runtimePackage, '22', program('bin/node')], arguments: [] },
  {
    name: 'deno',
    from: ['deno', '2', '../.bin/deno'],
    arguments: ['run', '--allow-all', '--node-modules-dir=manual'],
  },
  { name: 'bun', from: [bunPackage, '1', program('bin/bun')], arguments: ['run'] },
];

const { variables } = await demoPlatform();
const application = await mkdtemp(join(tmpdir(), 'wrp-runtimes-'));
atEnd(() => rm(application, { recursive: true, force: true }));
await installPackedClient(application);
await cp(join(import.meta.dirname, '../journeys/installed'), application, { recursive: true });

test.for(runtimes)(
  'the packed client works in $name',
  { timeout: scaledTimeout(240_000) },
  async (runtime, { skip }) => {
    const executable = await executableOf(runtime).catch((error) => skip(`could not be installed: ${error}`));
    const options = { env: { ...process.env, ...variables }, cwd: application, timeout: 60_000 };
    const journey = [...runtime.arguments, join(application, 'on-a-machine.mjs')];
    const { stdout } = await execute(executable, journey, options);
    const { actual, expected } = JSON.parse(stdout);
    expect(actual).toMatchObject(expected);
  },
);

async function executableOf({ name, from }: Runtime): Promise<string> {
  if (!from) return process.execPath;
  const [installed, version, path] = from;
  const place = join(application, `runtime-${name.replaceAll(' ', '-')}`);
  await install([`${installed}@${version}`], place);
  const executable = join(place, 'node_modules', installed, path);
  await execute(executable, ['--version']);
  return executable;
}
