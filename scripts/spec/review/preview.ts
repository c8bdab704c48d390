import { posix } from 'node:path';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { notFoundPath } from '../../portal/pages/layout.ts';
import { generatedSources, siteFiles } from '../../portal/site.ts';
import type { SiteFile } from '../../portal/site-files.ts';

/**
 * The portal of a contract as files that any static server, or the artifacts of a CI, can show: their links are relative.
 * Without the packages of client and mock.
 * @returns the files by path, such as `docs/reference/users.html`; `index.html` leads to the reference
 */
export async function previewOf(contract: Contract, redocly: Redocly): Promise<Map<string, string | Buffer>> {
  const { samples } = await generatedSources();
  const site = await siteFiles({ contract, samples, redocly });
  const files: SiteFile[] = [
    ...site.filter(({ path }) => path !== notFoundPath),
    { path: '/openapi.json', type: 'application/json', body: JSON.stringify(contract, null, 2) },
  ];
  const names = new Map(files.map((file) => [file.path, nameOf(file)]));
  const preview = files.map(({ body, ...file }): [string, string | Buffer] => {
    const name = nameOf(file);
    const isPage = file.type.startsWith('text/html');
    if (!isPage && !name.endsWith('/search-index.json')) return [name, body];
    const links = isPage ? /(?<=\s(?:href|src|data-[\w-]+)=")(\/[^"#?]*)/g : /(?<="href":")(\/[^"#?]*)/g;
    const relative = (path: string) => {
      const target = names.get(path);
      return target === undefined ? path : posix.relative(posix.dirname(name), target);
    };
    return [name, String(body).replaceAll(links, relative)];
  });
  const start = '<!DOCTYPE html>\n<meta http-equiv="refresh" content="0; url=docs/reference.html">\n';
  return new Map([...preview, ['index.html', start]]);
}

function nameOf({ path, type }: Omit<SiteFile, 'body'>): string {
  if (!type.startsWith('text/html')) return path.slice(1);
  return path === '/docs' ? 'docs/index.html' : `${path.slice(1)}.html`;
}
