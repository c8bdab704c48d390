/**
 * Builds the portal: reference, guides, console, changelog and downloads, as files that need nothing from
 * elsewhere.
 *
 *   node scripts/portal/main.ts --help
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from '../command-line/run-command.ts';
import { builtOnce, findBuilt } from './cache.ts';

const usage = `Builds the portal out of generated/openapi.json, unless the same was built before, and prints the
directory that it is in.

Usage: node scripts/portal/main.ts [options]

  --json      print {"directory", "built", "milliseconds"}
  -h, --help  print this
`;

const root = new URL('../../', import.meta.url);

if (import.meta.main) await runCommand('portal', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const started = performance.now();
  let built = false;
  const directory = await buildPortal({
    progress(line) {
      built = true;
      console.error(line);
    },
  });
  const milliseconds = Math.round(performance.now() - started);
  console.log(values.json ? JSON.stringify({ directory, built, milliseconds }) : directory);
  return 0;
}

/**
 * Builds the portal out of generated/openapi.json, unless the same was built before.
 *
 * @param options.progress is told what takes long
 * @returns The directory with its files and `manifest.json`: in node_modules/.cache, or in the temporary
 *   directory where that is read-only.
 */
export async function buildPortal({
  progress = () => {},
}: {
  progress?(line: string): void;
} = {}): Promise<string> {
  return builtOnce(await sourcesDigest(), async (directory) => {
    progress('Building the portal …');
    // Loaded where it is needed: a portal that was built before is found without it.
    const [{ siteFiles }, { writeSite }] = await Promise.all([
      import('./site.ts'),
      import('./site-files.ts'),
    ]);
    await writeSite(directory, await siteFiles());
  });
}

/** The directory of the portal, where it is built already. */
export async function findPortal(): Promise<string | undefined> {
  return findBuilt(await sourcesDigest());
}

/** Everything that the portal depends on: the contract, its releases, the samples, the client, and what builds it. */
async function sourcesDigest(): Promise<string> {
  const digest = createHash('sha256');
  for (const path of await sources()) {
    digest.update(path).update('\0');
    digest.update(await readFile(new URL(path, root)).catch(() => 'absent')).update('\0');
  }
  return digest.digest('hex').slice(0, 16);
}

async function sources(): Promise<string[]> {
  const listed = await Promise.all(
    ['scripts/portal', 'scripts/spec/diff', 'scripts/spec/breaking', 'spec/releases', 'client/src'].map(
      async (directory) => {
        const found = await readdir(new URL(directory, root), { recursive: true, withFileTypes: true });
        const below = fileURLToPath(root).length;
        return found.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`.slice(below));
      },
    ),
  );
  // The compiler packs the client; where it is not installed, the portal does without.
  const packages = [
    '@redocly/cli',
    'swagger-ui-dist',
    'openapi-to-postmanv2',
    'marked',
    'minisearch',
    'typescript',
  ];
  return [
    ...listed.flat().sort(),
    ...['generated/openapi.json', 'server/demo/platform.yaml'],
    ...[
      'contract/document.ts',
      'contract/routes.ts',
      'domain/html.ts',
      'pages/portal-site.ts',
      'pages/served-addresses.ts',
      'platform/sandbox-ids.ts',
    ].map((name) => `server/src/${name}`),
    ...['generated/samples.overlay.yaml', 'generated/samples.overlay.json'],
    ...[
      'scripts/client/package.ts',
      'client/package.json',
      'client/README.md',
      'LICENSE',
      'generated/types.ts',
    ],
    ...packages.map((name) => `node_modules/${name}/package.json`),
  ];
}
