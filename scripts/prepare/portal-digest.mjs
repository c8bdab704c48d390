/** A digest of the portal's sources. Plain JavaScript: `npm start` compares it before anything else runs. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const folders = [
  ...['client/src', 'scripts/generate/samples', 'scripts/mock', 'scripts/portal', 'scripts/spec'],
  ...['spec/releases'],
  ...['server/demo/files', 'server/contract', 'server/json', 'server/src/http'],
];
const files = [
  ...['generated/openapi.json', 'generated/types.ts'],
  ...['generated/samples.overlay.json', 'spec/rules/nearest.js'],
  ...['client/package.json', 'client/README.md', 'LICENSE', 'scripts/client/package.ts'],
  ...['scripts/generate/client-operations.ts'],
  ...['scripts/contract/error-guide.ts', 'scripts/contract/overlay.ts'],
  ...['server/demo/platform.yaml', 'server/src/domain/html.ts'],
  ...['server/src/pages/design.ts', 'server/src/pages/portal-site.ts'],
  ...['server/src/pages/search-index.js', 'server/src/pages/served-addresses.ts'],
];
// The compiler packs the client, and with the bundler the mock. Without them, the portal lacks these downloads.
const packages = [
  ...['@redocly/cli', 'swagger-ui-dist', 'highlight.js', 'marked', 'minisearch', 'typescript', 'rolldown'],
  ...['@stoplight/prism-http', 'express-openapi-validator'],
];

/** @returns {string} A digest of the contract, its releases, the samples, the client, the mock, and the code that builds. */
export function sourcesDigest() {
  const paths = [
    ...folders.flatMap(filesBelow),
    ...files,
    ...packages.map((name) => `node_modules/${name}/package.json`),
  ];
  const digest = createHash('sha256');
  for (const path of paths) digest.update(`${path}\0`).update(contentOf(path)).update('\0');
  return digest.digest('hex').slice(0, 16);
}

/** @returns {boolean} Whether the portal that the server would open was built from the current sources. */
export function isPortalBuilt() {
  const name = `portal-${sourcesDigest()}`;
  const isCurrent = contentOf('.cache/portal/current').toString() === name;
  return isCurrent && existsSync(new URL(`.cache/portal/${name}/manifest.json`, root));
}

function filesBelow(folder) {
  const below = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true });
  return below
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .map((path) => path.slice(path.lastIndexOf(`/${folder}/`) + 1))
    .sort();
}

function contentOf(path) {
  try {
    return readFileSync(new URL(path, root));
  } catch {
    return Buffer.from('absent');
  }
}
