/**
 * Builds the portal: reference, guides, console, changelog and downloads, as files that need nothing from
 * elsewhere.
 *
 *   node scripts/portal/main.ts --help
 */
import { parseArgs } from 'node:util';
import { runCommand } from '../command-line/run-command.ts';
import { sourcesDigest } from '../prepare/portal-digest.mjs';
import { builtOnce, findBuilt } from './cache.ts';

const usage = `Builds the portal out of generated/openapi.json, unless the same was built before, and prints the
directory that it is in.

Usage: node scripts/portal/main.ts [options]

  --json      print {"directory", "built", "milliseconds"}
  -h, --help  print this
`;

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
 * @returns The directory with its files and `manifest.json`: in .cache/portal, or in the temporary
 *   directory where that is read-only.
 */
export async function buildPortal({
  progress = () => {},
}: {
  progress?(line: string): void;
} = {}): Promise<string> {
  return builtOnce(sourcesDigest(), async (directory) => {
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
  return findBuilt(sourcesDigest());
}
