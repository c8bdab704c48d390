/**
 * A digest of the sources of `generated/`. Plain JavaScript: it also runs before anything is installed, on the
 * machine's own Node.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const generators = [
  'scripts/contract/lint/finding.ts',
  'scripts/contract/lint/rule-texts.ts',
  'server/contract/document.ts',
  'server/contract/routes.ts',
];

/** @returns {string} SHA-256, in hexadecimal, over the contract's source and the generators. */
export function sourceDigest() {
  const spec = readdirSync(new URL('spec/', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(yaml|md|js|ts)$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .map((path) => path.slice(path.lastIndexOf('spec/')))
    // Nothing is generated from journeys and past releases.
    .filter((path) => !/^spec\/(arazzo|releases)\//.test(path));
  const generate = readdirSync(new URL('scripts/generate/', root))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `scripts/generate/${name}`);
  const digest = createHash('sha256');
  for (const path of [...generators, ...generate.sort(), ...spec.sort()]) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(new URL(path, root)))
      .update('\0');
  }
  return digest.digest('hex');
}

/** @returns {boolean} Whether `generated/` was generated from the current contract. */
export function isGenerated() {
  try {
    return readFileSync(new URL('generated/source.sha256', root), 'utf8').trim() === sourceDigest();
  } catch {
    return false;
  }
}
