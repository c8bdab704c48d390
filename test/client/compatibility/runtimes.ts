/** Runs the packed client in Node, Deno and Bun. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackedClient } from '../../../scripts/client/package.ts';
import { command, run } from '../../../scripts/command-line/command.ts';
import { runtimePackage } from '../../../server/bin/runtime.js';
import { errorLine, execute, install, namesIn, type Place, runTrials, type TrialResult } from './trials.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Runtime {
  /**
   * The npm package that has the program for this system, with its version and the program's path in it; absent for
   * the current Node. Not the package of the runtime itself where that needs an install script, which npm may be set
   * not to run.
   */
  install?: [name: string, version: string, program: string];
  arguments: string[];
}

const windows = process.platform === 'win32';
const program = (name: string) => (windows ? `${name}.exe` : name);
const bunPackage = `@oven/bun-${windows ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;

const runtimes: Record<string, Runtime> = {
  node: { arguments: [] },
  'node 22': { install: [runtimePackage, '22', program('bin/node')], arguments: [] },
  deno: {
    install: ['deno', '2', '../.bin/deno'],
    arguments: ['run', '--allow-all', '--node-modules-dir=manual'],
  },
  bun: { install: [bunPackage, '1', program('bin/bun')], arguments: ['run'] },
};

async function runIn(name: string, runtime: Runtime, { directory, variables }: Place): Promise<TrialResult> {
  const application = join(directory, 'application');
  let executable = process.execPath;
  try {
    if (runtime.install) {
      const [installed, version, path] = runtime.install;
      const place = join(application, `runtime-${name.replaceAll(' ', '-')}`);
      await install([`${installed}@${version}`], place);
      executable = join(place, 'node_modules', installed, path);
    }
    await execute(executable, ['--version']);
  } catch (error) {
    return { outcome: 'not installed', detail: errorLine(error) };
  }
  const { stdout } = await execute(executable, ['--version']);
  const [version = ''] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
  try {
    const program = join(application, 'on-a-machine.mjs');
    const options = { env: { ...process.env, ...variables }, cwd: application, timeout: 60_000 };
    const { actual, expected } = JSON.parse(
      (await execute(executable, [...runtime.arguments, program], options)).stdout,
    );
    const wrong = Object.keys(expected).filter((step) => actual[step] !== expected[step]);
    if (wrong.length === 0) return { outcome: 'passed', detail: version };
    const differences = wrong.map((step) => `${step}: ${actual[step]} instead of ${expected[step]}`);
    return { outcome: 'failed', detail: `${version}: ${differences.join('; ')}` };
  } catch (error) {
    return { outcome: 'failed', detail: `${version}: ${errorLine(error)}` };
  }
}

async function prepare(directory: string): Promise<void> {
  const application = join(directory, 'application');
  await installPackedClient(application);
  await cp(join(root, 'test/client/journeys/installed'), application, { recursive: true });
}

const names = Object.keys(runtimes);

const cli = command('client:runtimes')
  .description(`Runs the packed client in Node (this version and 22), Deno and Bun, if npm can install them, against a platform
of its own, and prints one line for each. Exit code 1: it failed in one of them.`)
  .option('--only <names>', `only these, comma-separated: ${names.join(', ')}`, namesIn(names))
  .option('--json', 'print [{name, outcome, detail}]')
  .action(async ({ only = names, json = false }) => {
    const trials = Object.entries(runtimes).map(
      ([name, runtime]) => [name, (place: Place) => runIn(name, runtime, place)] as const,
    );
    await runTrials(Object.fromEntries(trials), { only, json, prepare });
  });

await run(cli);
