import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../contract/source.ts';
import { openRedocly, type Redocly } from '../../redocly/redocly.ts';

const root = new URL('../../../', import.meta.url);
const settings = fileURLToPath(new URL('redocly.yaml', import.meta.url));

/** Redoc's page in parts, to be inserted into a page of the portal. */
export interface RedocParts {
  /** The styles of `root`. */
  css: string;
  /** The prerendered overview. */
  root: string;
  /** Redoc itself: a module that exports `hydrate`. The same for each contract. */
  bundle: string;
  /** The contract in Redoc's form, as JSON. */
  definition: string;
  /** Redoc's settings, as JSON. */
  options: string;
  /** The inline scripts of `root`. */
  scripts: string[];
}

/**
 * Runs Redoc's builder on a contract, and splits its page into parts.
 * @param redocly default: a new one, closed afterwards
 */
export async function runRedoc(contract: Contract, redocly?: Redocly): Promise<RedocParts> {
  const opened = redocly ?? openRedocly(root);
  const directory = await mkdtemp(join(tmpdir(), 'wrp-redoc-'));
  try {
    const [input, output] = [join(directory, 'openapi.json'), join(directory, 'page.html')];
    await writeFile(input, JSON.stringify(contract));
    const args = ['build-docs', input, '--config', settings, '--inlineBundle', '--output', output];
    const { code, stderr } = await opened.run(args);
    if (code !== 0) throw new Error(`The reference could not be built: ${stderr.trim()}`);
    return partsOf(await readFile(output, 'utf8'));
  } finally {
    if (!redocly) opened.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function partsOf(page: string): RedocParts {
  const take = (what: string, pattern: RegExp): string => {
    const [, found] = pattern.exec(page) ?? [];
    if (found === undefined)
      throw new Error(`Redoc's page no longer has its ${what} where version 3.0.1 had it.`);
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

/** Redoc would fetch its vendor's logo from a CDN: replaces it with text. */
function withoutRemoteLogo(text: string): string {
  const word = '<text x="0" y="15" font-family="sans-serif" font-size="14" fill="#6f8fe8">Redocly</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 20" width="56" height="20">${word}</svg>`;
  return text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
}
