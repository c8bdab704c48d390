import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SiteFile } from './site-files.ts';

/** The scripts and style sheets of our own pages. */
const ownAssets = [
  ...['portal.css', 'prose.css', 'search.css', 'reference.css', 'console.css'].map(
    (name) => `styles/${name}`,
  ),
  ...['theme.js', 'moved.js', 'portal.js', 'search.js', 'search-rank.js', 'search-words.js'].map(
    (name) => `browser/${name}`,
  ),
  ...['reference.js', 'reference-menus.js', 'console.js', 'console-parts.js'].map(
    (name) => `browser/${name}`,
  ),
];

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

/** @param made what the build made, by name, besides the files of our own */
export async function collectAssets(made: Record<string, string>): Promise<Assets> {
  const own = await Promise.all(
    ownAssets.map(async (path) => {
      const text = await readFile(new URL(path, import.meta.url), 'utf8');
      return [path.replace(/^.*\//, ''), text] as const;
    }),
  );
  return assetsUnder('', [...own, ...Object.entries(made)]);
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
