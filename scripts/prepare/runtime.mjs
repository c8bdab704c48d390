/** The project's Node: this system's package from package-lock.json, linked as node_modules/.bin/node. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeBinary, runtimePackage } from '../../server/bin/runtime.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const binary = runtimeBinary(root);

/** The path of the runtime. */
export const runtime = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

/** @returns {string | undefined} The error, if the runtime cannot be used. */
export function runtimeError() {
  if (realPath(binary) === undefined) {
    return `node_modules/${runtimePackage} is missing: run "npm ci" (Node is pinned for Linux and macOS on x64 and arm64, and for Windows on x64)`;
  }
  if (realPath(runtime) !== realPath(binary)) return `${runtime} is not the Node of ${runtimePackage}`;
  return runs() ? undefined : `${runtime} does not run on this machine`;
}

/**
 * Creates the link node_modules/.bin/node. npm before 11.6 creates it and then removes it together with the packages
 * of other systems, which have a program of the same name.
 */
export function linkRuntime() {
  // A third of what the package adds to a disk: headers for native packages, of which there are none.
  rmSync(join(dirname(binary), '../include'), { recursive: true, force: true });
  if (realPath(binary) === undefined || realPath(runtime) === realPath(binary)) return;
  mkdirSync(dirname(runtime), { recursive: true });
  rmSync(runtime, { force: true });
  symlinkSync(relative(dirname(runtime), binary), runtime);
}

function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function runs() {
  // npm puts node_modules/.bin first on the PATH, so this process usually is the runtime.
  if (realPath(process.execPath) === realPath(runtime)) return true;
  return spawnSync(runtime, ['--version'], { timeout: 10_000 }).status === 0;
}
