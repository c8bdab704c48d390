import { readFileSync } from 'node:fs';
import { digestOf } from './digest.mjs';

const sources = [
  'scripts/contract/lint/finding.ts',
  'scripts/contract/lint/rule-texts.ts',
  'scripts/generate',
  'spec',
  'server/contract/document.ts',
  'server/contract/routes.ts',
];

/** @returns {string} A digest of the sources of `generated/`: the contract's source and the generators. */
export function sourceDigest() {
  return digestOf(sources, (path) =>
    path.startsWith('spec/')
      ? // Nothing is generated from journeys and past releases.
        /\.(yaml|md|js|ts)$/.test(path) && !/^spec\/(arazzo|releases)\//.test(path)
      : /^scripts\/generate\/[^/]+\.ts$/.test(path),
  );
}

/** @returns {boolean} Whether `generated/` was generated from the current contract. */
export function isGenerated() {
  try {
    const generated = readFileSync(new URL('../../generated/source.sha256', import.meta.url), 'utf8');
    return generated.trim() === sourceDigest();
  } catch {
    return false;
  }
}
