/**
 * Prepares a clone: packages, runtime, generated code, portal. Runs before every tool, on the machine's own Node (20 or
 * newer) and with nothing installed, so it is plain JavaScript without dependencies.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasGenerator, installation } from './installation.mjs';
import { withLock } from './lock.mjs';
import { isPortalBuilt } from './portal-digest.mjs';
import { linkRuntime, runtime, runtimeError } from './runtime.mjs';
import { isGenerated } from './source-digest.mjs';
import { Failure, runNpm, runStep } from './step.mjs';

/** Two `npm ci` in one directory at the same time would break each other. */
const lock = fileURLToPath(new URL('../../.cache/prepare.lock', import.meta.url));

/**
 * Installs the packages of package-lock.json that are missing, links this system's Node as node_modules/.bin/node, and
 * regenerates generated/ if spec/ has changed. Does nothing if everything is up to date. It writes nothing to stdout,
 * and to stderr only the progress of steps that take longer than two seconds.
 *
 * @param {object} options
 * @param {boolean} options.generate whether generated/ is brought up to date
 * @param {boolean} options.portal whether the portal is, too; if it cannot be built, one line on stderr says so
 * @returns {Promise<string>} the path of the Node that runs the project
 * @throws {Failure}
 */
export async function prepare({ generate, portal }) {
  if (!isReady(generate)) {
    await withLock(lock, () => installAndGenerate(generate), { onWait: printHolder }).catch((error) => {
      if (error.path !== lock && error.path !== dirname(lock)) throw error;
      throw new Failure(`${dirname(lock)}/ cannot be written (${error.code})`);
    });
  }
  if (portal) await buildPortal();
  return runtime;
}

async function installAndGenerate(generate) {
  await installPackages();
  useRuntime();
  if (generate) await regenerate();
}

function printHolder(holder, waited) {
  if (waited % 5_000 !== 2_000) return;
  process.stderr.write(`Waiting for process ${holder}, which is preparing this directory …\n`);
}

function isReady(generate) {
  return installation().state === 'complete' && runtimeError() === undefined && (!generate || isGenerated());
}

async function installPackages() {
  const { state, reason } = installation();
  if (state === 'complete') return;
  const label = `Installing packages (${reason})`;
  if (state === 'absent') await runNpm(['ci'], label);
  else await runNpm(state === 'unlocked' ? ['install'] : ['install', '--no-save'], label);
  const after = installation();
  if (after.state === 'complete') return;
  // npm silently omits an optional package that it cannot download, and exits with 0.
  throw new Failure(
    `npm ran, yet ${after.reason}: its download failed, or its integrity is not the one in package-lock.json`,
  );
}

function useRuntime() {
  linkRuntime();
  const error = runtimeError();
  if (error) throw new Failure(error);
}

async function regenerate() {
  if (isGenerated()) return;
  if (!hasGenerator()) {
    throw new Failure(
      'generated/ does not match spec/, and `npm install --include=dev` is needed to generate it',
    );
  }
  const { code } = await runStep(runtime, ['scripts/generate/main.ts'], 'Generating from spec/');
  if (code !== 0) throw new Failure('generated/ could not be generated from spec/; see the findings above');
}

/** The server also starts without a portal, so an error is printed and ignored. */
async function buildPortal() {
  if (isPortalBuilt()) return;
  const { code, errors } = await runStep(runtime, ['scripts/portal/main.ts'], 'Building the portal', {
    quiet: true,
  });
  if (code === 0) return;
  process.stderr.write(`prepare: the portal could not be built: ${errors.trim().split('\n').at(-1)}\n`);
}
