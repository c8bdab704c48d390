import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../contract/source.ts';
import { openRedocly, type Redocly } from '../redocly/redocly.ts';

const root = new URL('../../', import.meta.url);
const settings = fileURLToPath(new URL('redocly.yaml', import.meta.url));

/** What Redoc made of the contract, in parts, so that a page of our own can hold them. */
export interface RedocParts {
  /** The rules of everything that Redoc has drawn already. */
  css: string;
  /** What is drawn already: the overview. */
  root: string;
  /** Redoc itself: a module that exports `hydrate`. The same for each contract. */
  bundle: string;
  /** The contract as Redoc reads it. */
  definition: string;
  /** Redoc's settings, as it was run with. */
  options: string;
  /** The scripts that stand in `root`. */
  scripts: string[];
}

/**
 * Runs Redoc's builder over a contract, and takes its page apart.
 * @param given a Redocly that is open already; else one is opened and closed
 */
export async function runRedoc(contract: Contract, given?: Redocly): Promise<RedocParts> {
  const opened = given ?? openRedocly(root);
  const directory = await mkdtemp(join(tmpdir(), 'wrp-redoc-'));
  try {
    const [input, output] = [join(directory, 'openapi.json'), join(directory, 'page.html')];
    await writeFile(input, JSON.stringify(contract));
    const args = ['build-docs', input, '--config', settings, '--inlineBundle', '--output', output];
    const { code, stderr } = await opened.run(args);
    if (code !== 0) throw new Error(`The reference could not be built: ${stderr.trim()}`);
    return partsOf(await readFile(output, 'utf8'));
  } finally {
    if (!given) opened.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function partsOf(page: string): RedocParts {
  const take = (what: string, pattern: RegExp): string => {
    const [, found] = pattern.exec(page) ?? [];
    if (found === undefined)
      throw new Error(`Redoc's page has no ${what} any more where it had it in 3.0.1.`);
    return found;
  };
  const root = take('content', /<div id="redoc">([\s\S]*?)<\/div>\s*<script type="module">/);
  return {
    css: take('style', /<style data-styled="true"[^>]*>([\s\S]*?)<\/style>/),
    root: withoutRemoteLogo(root),
    bundle: withoutRemoteLogo(
      take('bundle', /<script type="module">([\s\S]*?)\n\s*const __redoc_definition =/),
    ),
    definition: take('definition', /const __redoc_definition = (\{.*\});\n/),
    options: take('options', /const __redoc_options = (\{.*\});\n/),
    scripts: [...root.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script),
  };
}

/** The one thing that Redoc would fetch: the logo of its makers, here as a word. */
function withoutRemoteLogo(text: string): string {
  const word = '<text x="0" y="15" font-family="sans-serif" font-size="14" fill="#6f8fe8">Redocly</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 20" width="56" height="20">${word}</svg>`;
  return text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
}
