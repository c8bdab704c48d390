import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { SiteFile } from './site-files.ts';

/** The scripts and style sheets of the pages. */
const folders = ['browser', 'styles'];
const library = 'minisearch.js';

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Files that may be kept for a year: their address changes with any of them. */
export interface Assets {
  files: SiteFile[];
  /** @throws where there is none of that name */
  address(name: string): string;
}

/** @param made what the build made, by name */
export async function collectAssets(made: Record<string, string>): Promise<Assets> {
  const own = await Promise.all(
    folders.map(async (folder) => {
      const directory = new URL(`${folder}/`, import.meta.url);
      const names = (await readdir(directory)).sort();
      return Promise.all(
        names.map(async (name) => [name, await readFile(new URL(name, directory), 'utf8')] as const),
      );
    }),
  );
  const search = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8');
  const contents = [...own.flat(), [library, withoutSourceMap(search)] as const, ...Object.entries(made)];
  // A browser knows no packages, only files.
  return assetsUnder(
    '',
    contents.map(([name, text]) => [name, text.replace(`from 'minisearch'`, `from './${library}'`)] as const),
  );
}

/** Without the comment that names a source map, which the portal does not serve. */
export function withoutSourceMap(text: string): string {
  return text.replace(/\n(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n');
}

/** Assets under one address of their own, so that they can be kept however often other ones change. */
export function assetsUnder(
  prefix: string,
  contents: (readonly [name: string, body: string | Buffer])[],
): Assets {
  const digest = createHash('sha256');
  for (const [name, body] of contents) digest.update(name).update('\0').update(body).update('\0');
  const directory = `/docs/assets/${prefix}${digest.digest('hex').slice(0, 12)}`;
  const files = contents.map(([name, body]) => ({
    path: `${directory}/${name}`,
    type: types[name.replace(/^.*\./, '')] ?? 'application/octet-stream',
    body,
    immutable: true,
  }));
  const known = new Set(contents.map(([name]) => name));
  return {
    files,
    address(name) {
      if (!known.has(name)) throw new Error(`The portal has no asset "${name}".`);
      return `${directory}/${name}`;
    },
  };
}
