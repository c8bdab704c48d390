/** Plain JavaScript: it also runs before anything is installed, on the machine's own Node. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/**
 * @param {readonly string[]} places files, and folders with everything below them, relative to the project
 * @param {(path: string) => boolean} [counts] whether a file below a folder counts; default: all do
 * @returns {string} SHA-256, in hexadecimal, over the paths and contents; a file that is missing is digested as such
 */
export function digestOf(places, counts = () => true) {
  const digest = createHash('sha256');
  for (const path of places.flatMap((place) => filesOf(place, counts)))
    digest.update(`${path}\0`).update(contentOf(path)).update('\0');
  return digest.digest('hex');
}

function filesOf(place, counts) {
  const url = new URL(place, root);
  if (!statSync(url, { throwIfNoEntry: false })?.isDirectory()) return [place];
  return readdirSync(url, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .map((path) => path.slice(path.lastIndexOf(`/${place}/`) + 1))
    .filter(counts)
    .sort();
}

function contentOf(path) {
  try {
    return readFileSync(new URL(path, root));
  } catch {
    return 'absent';
  }
}
