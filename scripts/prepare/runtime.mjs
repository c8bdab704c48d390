/** The Node that the project runs on: the npm package `node`, in node_modules/.bin. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const oldestMajor = 24;

/** The path of the runtime. */
export const runtime = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

/** @returns {string | undefined} What is wrong with the runtime, if anything. */
export function runtimeFault() {
  const version = runtimeVersion();
  if (version === undefined) return `${runtime} is missing or does not run on this machine`;
  if (Number.parseInt(version, 10) < oldestMajor) {
    return `${runtime} is Node ${version}, and ${oldestMajor} or newer is needed`;
  }
  return undefined;
}

function runtimeVersion() {
  try {
    // npm puts node_modules/.bin first on the PATH, so this is mostly the runtime itself: nothing to start.
    if (realpathSync(runtime) === realpathSync(process.execPath)) return process.versions.node;
  } catch {
    return undefined;
  }
  const { status, stdout } = spawnSync(runtime, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 ? stdout.trim().replace(/^v/, '') : undefined;
}
