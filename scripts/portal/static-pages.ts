import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { PortalFile } from '../../server/src/pages/portal-site.ts';
import { urlRewriter } from '../../server/src/pages/served-addresses.ts';
import { notFoundPath } from './pages/layout.ts';

type StaticFile = Pick<PortalFile, 'path' | 'type'> & { body: Buffer };

/**
 * Writes a built portal as pages that any static server can show, in any folder, or a browser without one: their links
 * are relative. `index.html` leads to the reference.
 *
 * @param built the directory that `buildPortal` returns
 */
export async function writeStaticPages(built: string, directory: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(built, 'manifest.json'), 'utf8')) as PortalFile[];
  const contract = await readFile(new URL('../../generated/openapi.json', import.meta.url));
  const files: StaticFile[] = [{ path: '/openapi.json', type: 'application/json', body: contract }];
  const rewrite = urlRewriter();
  for (const { path, type, file, hasUrls } of manifest) {
    if (path === notFoundPath) continue;
    const body = await readFile(join(built, file));
    files.push({ path, type, body: hasUrls ? Buffer.from(rewrite(String(body))) : body });
  }
  const names = new Map(files.map((file) => [file.path, nameOf(file)]));
  for (const file of files) {
    const name = nameOf(file);
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), withRelativeLinks(file, names));
  }
  const start = '<!DOCTYPE html>\n<meta http-equiv="refresh" content="0; url=docs/reference.html">\n';
  await writeFile(join(directory, 'index.html'), start);
}

function nameOf({ path, type }: Pick<PortalFile, 'path' | 'type'>): string {
  if (!type.startsWith('text/html')) return path.slice(1);
  return path === '/docs' ? 'docs/index.html' : `${path.slice(1)}.html`;
}

function withRelativeLinks(file: StaticFile, names: ReadonlyMap<string, string>): string | Buffer {
  const name = nameOf(file);
  const isPage = file.type.startsWith('text/html');
  if (!isPage && !name.endsWith('/search-index.json')) return file.body;
  const links = isPage ? /(?<=\s(?:href|src|data-[\w-]+)=")(\/[^"#?]*)/g : /(?<="href":")(\/[^"#?]*)/g;
  return String(file.body).replaceAll(links, (path) => {
    const target = names.get(path);
    return target === undefined ? path : posix.relative(posix.dirname(name), target);
  });
}
