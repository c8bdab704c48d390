import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { portalDesign } from '../../server/src/pages/design.ts';
import type { SiteFile } from './site-files.ts';

/** The scripts and style sheets of the pages. */
const directory = new URL('browser/', import.meta.url);
/** Modules of other folders and packages. Browsers import all of them from one folder. */
const shared: Record<string, URL> = {
  'nearest.js': new URL('../../spec/rules/nearest.js', import.meta.url),
  'minisearch.js': new URL(import.meta.resolve('minisearch')),
  'search-index.js': new URL('../../server/src/pages/search-index.js', import.meta.url),
  'search-words.js': new URL('../../server/src/pages/search-words.js', import.meta.url),
};
const sharedImport = /(from |import\()'(?:[^']*\/)?(minisearch|nearest|search-index|search-words)(?:\.js)?'/g;

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Files that caches may keep for a year: their URL changes with their content. */
export interface Assets {
  files: SiteFile[];
  /** @throws if no asset has this name */
  address(name: string): string;
}

/** @param built assets that the build generates, by name */
export async function collectAssets(built: Record<string, string>): Promise<Assets> {
  const names = (await readdir(directory)).sort();
  const modules = [
    ...names.map((name) => [name, new URL(name, directory)] as const),
    ...Object.entries(shared),
  ];
  const read = await Promise.all(
    modules.map(async ([name, url]) => {
      const text = withoutSourceMap(await readFile(url, 'utf8'));
      return [name, name === 'portal.css' ? `${portalDesign}${text}` : text] as const;
    }),
  );
  const contents = [...read, ...Object.entries(built)];
  return assetsUnder(
    '',
    contents.map(([name, text]) => [name, text.replace(sharedImport, `$1'./$2.js'`)] as const),
  );
}

/** Removes the comment that names a source map: the portal serves none. */
export function withoutSourceMap(text: string): string {
  return text.replace(/\n(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n');
}

/** Assets with a URL of their own, so that they stay cached when other assets change. */
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
