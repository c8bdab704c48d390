import { existsSync, readFileSync } from 'node:fs';
import { digestOf } from './digest.mjs';

const portals = new URL('../../.cache/portal/', import.meta.url);
const sources = [
  'client/src',
  'scripts/generate/samples',
  'scripts/mock',
  'scripts/portal',
  'scripts/spec',
  'spec/releases',
  // The mock's stateful mode contains all of it.
  'server/asl',
  'server/blobs',
  'server/contract',
  'server/demo',
  'server/durable-files',
  'server/embedded-postgres',
  'server/http-bodies',
  'server/http-server',
  'server/isolation',
  'server/job-queue',
  'server/json',
  'server/json-schema',
  'server/outbound',
  'server/postgres-client',
  'server/src',
  'generated/openapi.json',
  'generated/types.ts',
  'generated/samples.overlay.json',
  'spec/rules/nearest.js',
  'client/package.json',
  'client/README.md',
  'LICENSE',
  'scripts/client/package.ts',
  'scripts/generate/client-operations.ts',
  'scripts/contract/error-guide.ts',
  'scripts/contract/overlay.ts',
];
// The compiler packs the client, and with the bundler the mock. Without them, the portal lacks these downloads.
const packages = [
  '@redocly/cli',
  'highlight.js',
  'marked',
  'minisearch',
  'typescript',
  'rolldown',
  '@stoplight/prism-http',
  'express-openapi-validator',
  'embedded-postgres',
];

/** @returns {string} A digest of the contract, its releases, the samples, the client, the mock, and the code that builds. */
export function sourcesDigest() {
  return digestOf([...sources, ...packages.map((name) => `node_modules/${name}/package.json`)]).slice(0, 16);
}

/** @returns {boolean} Whether the portal that the server would open was built from the current sources. */
export function isPortalBuilt() {
  const name = `portal-${sourcesDigest()}`;
  try {
    const current = readFileSync(new URL('current', portals), 'utf8');
    return current === name && existsSync(new URL(`${name}/manifest.json`, portals));
  } catch {
    return false;
  }
}
