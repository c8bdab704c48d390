/**
 * Makes a clone ready to run: packages, runtime, generated code. Runs before every npm script, on the
 * machine's own Node (20 or newer) and with nothing installed, hence plain JavaScript without dependencies.
 *
 * Nothing is written to stdout; what takes longer than two seconds says so on stderr. Where everything is in
 * place already, it only compares files.
 */

import { hasGenerator, installation } from './installation.mjs';
import { withLock } from './lock.mjs';
import { isPortalBuilt } from './portal-digest.mjs';
import { Failure, runNpm, runStep } from './run.mjs';
import { linkRuntime, runtime, runtimeFault } from './runtime.mjs';
import { isGenerated } from './source-digest.mjs';

const usage = `Usage: node scripts/prepare/main.mjs [--no-generate | --portal] [--help]

Installs the packages that package-lock.json names and node_modules lacks, links this system's Node as
node_modules/.bin/node, and regenerates generated/ where spec/ has changed, unless given --no-generate. With
--portal, builds the portal where it is out of date; if that fails, it says so and goes on. Does nothing where all is in
place.

Exit codes: 0 ready · 1 something is missing, said in one line on stderr
`;

const [argument, ...rest] = process.argv.slice(2);
try {
  if (argument === '--help' || argument === '-h') process.stdout.write(usage);
  else if (argument === '--no-generate') await prepare({ generate: false });
  else if (argument === '--portal') {
    await prepare({ generate: true });
    await buildPortal();
  } else if (argument !== undefined) throw new Failure(`unknown argument ${[argument, ...rest].join(' ')}`);
  else await prepare({ generate: true });
} catch (error) {
  const text = error instanceof Failure ? error.message : (error?.message ?? String(error));
  process.stderr.write(`prepare: ${text}\n`);
  process.exitCode = 1;
}

async function prepare({ generate }) {
  if (isReady(generate)) return;
  await withLock(async () => {
    await installPackages();
    useRuntime();
    if (generate) await regenerate();
  });
}

function isReady(generate) {
  return installation().state === 'complete' && runtimeFault() === undefined && (!generate || isGenerated());
}

async function installPackages() {
  const { state, reason } = installation();
  if (state === 'complete') return;
  const label = `Installing packages (${reason})`;
  if (state === 'absent') await runNpm(['ci'], label);
  else await runNpm(state === 'unlocked' ? ['install'] : ['install', '--no-save'], label);
  const after = installation();
  if (after.state === 'complete') return;
  // npm says nothing of an optional package that it leaves out, and ends well.
  throw new Failure(
    `npm ran, yet ${after.reason}: its download failed, or its integrity is not the one in package-lock.json`,
  );
}

function useRuntime() {
  linkRuntime();
  const fault = runtimeFault();
  if (fault) throw new Failure(fault);
}

async function regenerate() {
  if (isGenerated()) return;
  if (!hasGenerator()) {
    throw new Failure(
      'generated/ does not match spec/, and `npm install --include=dev` is needed to generate it',
    );
  }
  const { code } = await runStep(runtime, ['scripts/generate/main.ts'], 'Generating from spec/');
  if (code !== 0) throw new Failure('spec/ could not be turned into generated/; see the findings above');
}

/** The server starts without a portal, too: a failure is one line. */
async function buildPortal() {
  if (isPortalBuilt()) return;
  const { code, errors } = await runStep(runtime, ['scripts/portal/main.ts'], 'Building the portal', {
    quiet: true,
  });
  if (code === 0) return;
  process.stderr.write(`prepare: the portal could not be built: ${errors.trim().split('\n').at(-1)}\n`);
}
