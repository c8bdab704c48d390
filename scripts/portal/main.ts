/**
 * Builds the portal: reference, guides, changelog and downloads, as files that load nothing from elsewhere.
 * In reading order: `site.ts` lists the files, `contract/` and `markdown/` read the contract, `pages/` makes the HTML
 * pages, `files/` everything else to download, `site-files.ts` writes and compresses the files.
 * Browsers load what is in `browser/`.
 */
import { resolve } from 'node:path';
import { command, run } from '../command-line/command.ts';
import { builtOnce } from '../prepare/built-portal.ts';
import { sourcesDigest } from '../prepare/portal-digest.mjs';

const cli = command('portal')
  .description(
    `Builds the portal from generated/openapi.json, unless it is up to date, and prints its directory.`,
  )
  .option('--output <directory>', 'also write it as static pages, for any server or none')
  .option('--json', 'print {"directory", "built", "milliseconds"}')
  .action(async ({ json, output }) => {
    const started = performance.now();
    let built = false;
    const directory = await buildPortal({
      progress(line) {
        built = true;
        console.error(line);
      },
    });
    if (output !== undefined) {
      const { writeStaticPages } = await import('./static-pages.ts');
      // npm runs scripts in the root; the path is relative to where the user is.
      await writeStaticPages(directory, resolve(process.env['INIT_CWD'] ?? '', output));
    }
    const milliseconds = Math.round(performance.now() - started);
    console.log(json ? JSON.stringify({ directory, built, milliseconds }) : directory);
  });

if (import.meta.main) await run(cli);

/**
 * Builds the portal from generated/openapi.json, unless it is up to date.
 *
 * @param options.progress receives a line when a build starts
 * @returns the directory with its files and `manifest.json`: in .cache/portal, or in the temporary directory if that
 *   is read-only
 */
export async function buildPortal({
  progress = () => {},
}: {
  progress?(line: string): void;
} = {}): Promise<string> {
  return builtOnce(sourcesDigest(), async (directory) => {
    progress('Building the portal …');
    // Loaded on demand: a portal that is up to date does not need it.
    const [{ siteFiles }, { writeSite }] = await Promise.all([
      import('./site.ts'),
      import('./site-files.ts'),
    ]);
    await writeSite(directory, await siteFiles());
  });
}
