/**
 * Makes a clone ready to run: packages, runtime, generated code. Runs before every npm script, on the
 * machine's own Node (20 or newer) and with nothing installed, hence plain JavaScript without dependencies.
 *
 * Nothing is written to stdout; what takes longer than two seconds says so on stderr. Where everything is in
 * place already, it only compares files.
 */

import { hasGenerator, installation } from './prepare/installation.mjs';
import { withLock } from './prepare/lock.mjs';
import { Failure, runNpm, runStep } from './prepare/run.mjs';
import { runtime, runtimeFault } from './prepare/runtime.mjs';
import { isGenerated } from './source-digest.mjs';

const usage = `Usage: node scripts/prepare.mjs [--help]

Installs the packages that package-lock.json names and node_modules lacks, checks that node_modules/.bin/node
is Node 24 or newer, and regenerates generated/ where spec/ has changed. Does nothing where all is in place.

Exit codes: 0 ready · 1 something is missing, said in one line on stderr
`;

const [argument, ...rest] = process.argv.slice(2);
try {
  if (argument === '--help' || argument === '-h') process.stdout.write(usage);
  else if (argument !== undefined) throw new Failure(`unknown argument ${[argument, ...rest].join(' ')}`);
  else await prepare();
} catch (error) {
  const text = error instanceof Failure ? error.message : (error?.message ?? String(error));
  process.stderr.write(`prepare: ${text}\n`);
  process.exitCode = 1;
}

async function prepare() {
  if (isReady()) return;
  await withLock(async () => {
    await installPackages();
    await installRuntime();
    await regenerate();
  });
}

function isReady() {
  return installation().state === 'complete' && runtimeFault() === undefined && isGenerated();
}

async function installPackages() {
  const { state, reason } = installation();
  if (state === 'complete') return;
  // Not `npm ci`: it refuses a lock file that was made where the registry lacked some other platform's optional
  // packages. Without saving, `install` takes the same versions from the lock file and leaves it as it is.
  const args = state === 'unlocked' ? ['install'] : ['install', '--no-save'];
  await runNpm(args, `Installing packages (${reason})`);
  const after = installation();
  if (after.state !== 'complete') {
    throw new Failure(`npm install ran, yet ${after.reason}; remove node_modules and try again`);
  }
}

async function installRuntime() {
  if (runtimeFault() === undefined) return;
  // The install script of the one package that brings the runtime, even where scripts are off by default.
  await runNpm(['rebuild', 'node', '--ignore-scripts=false'], 'Putting Node 24 in place');
  const fault = runtimeFault();
  if (fault) throw new Failure(`${fault}; the install script of the npm package "node" puts it there`);
}

async function regenerate() {
  if (isGenerated()) return;
  if (!hasGenerator()) {
    throw new Failure(
      'generated/ does not match spec/, and `npm install --include=dev` is needed to generate it',
    );
  }
  const { code } = await runStep(runtime, ['scripts/generate.ts'], 'Generating from spec/');
  if (code !== 0) throw new Failure('spec/ could not be turned into generated/; see the findings above');
}
