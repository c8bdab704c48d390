import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the portal, as the build's manifest names it. */
export interface PortalFile {
  path: string;
  type: string;
  /** Its name in the directory; the compressed ones have `.br` and `.gz` after it. */
  file: string;
  etag: string;
  encodings: ('br' | 'gzip')[];
  /** The page's Content-Security-Policy. */
  policy?: string;
  /** Its path changes with its content. */
  immutable?: boolean;
}

export interface PortalSite {
  find(path: string): PortalFile | undefined;
  /** Its content, in the given encoding. */
  read(file: PortalFile, encoding: 'br' | 'gzip' | undefined): Promise<Buffer>;
}

/** A portal that `scripts/portal.ts` has built. What was read once is kept: a few hundred kilobytes a reader. */
export async function openPortalSite(directory: string): Promise<PortalSite> {
  const files: PortalFile[] = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const kept = new Map<string, Promise<Buffer>>();
  return {
    find: (path) => byPath.get(path),
    read({ file }, encoding) {
      const name = encoding === undefined ? file : `${file}.${encoding === 'br' ? 'br' : 'gz'}`;
      const found = kept.get(name) ?? readFile(join(directory, name));
      kept.set(name, found);
      found.catch(() => kept.delete(name));
      return found;
    },
  };
}
