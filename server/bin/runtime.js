// Plain JavaScript for any Node: this runs before the project's own Node is known to be there.
import { join } from 'node:path';

const isWindows = process.platform === 'win32';
const system = `${isWindows ? 'win' : process.platform}-${process.arch}`;

/** The npm package that holds Node for this system. package-lock.json pins one for each supported system. */
export const runtimePackage = `${system === 'darwin-arm64' ? 'node-bin' : 'node'}-${system}`;

/** @returns {string} Where npm puts this system's Node under a directory that has a `node_modules`. */
export function runtimeBinary(directory) {
  return join(directory, 'node_modules', runtimePackage, 'bin', isWindows ? 'node.exe' : 'node');
}
