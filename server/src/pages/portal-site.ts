import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { reasonOf } from '../../durable-files/index.ts';

/** A file of the portal, as the build's manifest names it. */
export interface PortalFile {
  path: string;
  type: string;
  /** Its name in the directory; compressed versions end with `.br` and `.gz`. */
  file: string;
  etag: string;
  encodings: ('br' | 'gzip')[];
  /** The page's Content-Security-Policy. */
  policy?: string;
  /** Its path contains a hash of its content. */
  immutable?: boolean;
  /** It contains documented URLs, which are replaced by the platform's own. */
  hasUrls?: boolean;
}

export interface PortalSite {
  files: readonly PortalFile[];
  find(path: string): PortalFile | undefined;
  /** Its content in an encoding. */
  read(file: PortalFile, encoding: 'br' | 'gzip' | undefined): Promise<Buffer>;
}

/** A portal built by `scripts/portal/main.ts`. Files are cached after the first read, a few hundred kilobytes. */
export async function openPortalSite(directory: string): Promise<PortalSite> {
  const files: PortalFile[] = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const kept = new Map<string, Promise<Buffer>>();
  return {
    files,
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

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Nearly as small as the build's compression, in a twentieth of the time. */
const brotli = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };

/** The same portal with its documented URLs replaced, once for all requests. */
export async function rewrittenSite(site: PortalSite, change: (text: string) => string): Promise<PortalSite> {
  const changed = new Map(
    await Promise.all(
      site.files
        .filter(({ hasUrls }) => hasUrls)
        .map(async (file) => {
          const body = Buffer.from(change(String(await site.read(file, undefined))));
          const [br, gz] = await Promise.all([compressBrotli(body, brotli), compressGzip(body)]);
          const entry = { file: { ...file, etag: etagOf(body) }, bodies: { plain: body, br, gzip: gz } };
          return [file.path, entry] as const;
        }),
    ),
  );
  return {
    ...site,
    find: (path) => changed.get(path)?.file ?? site.find(path),
    async read(file, encoding) {
      return changed.get(file.path)?.bodies[encoding ?? 'plain'] ?? site.read(file, encoding);
    },
  };
}

/** The ETag of these bytes. */
export function etagOf(body: Buffer | string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** `npm run portal` has not run, or has failed. */
export class PortalNotBuiltError extends Error {
  /** @param reason why it cannot be read, although it is built */
  constructor(reason?: string) {
    const what = reason ? `cannot be read: ${reason}` : 'is not built. Run `npm run portal`';
    super(`The portal ${what}; until then, its pages return 404.`);
  }
}

export const inProject = fileURLToPath(new URL('../../../.cache/portal', import.meta.url));

/** Where portals are built: in the project, or in the temporary directory if the project is read-only. */
export function portalFolders(): string[] {
  return [inProject, join(tmpdir(), `wrp-portal-${process.getuid?.() ?? 0}`)];
}

/** The file in each folder with the name of the latest build's directory. */
export const currentFile = 'current';
export const builtName = /^portal-[0-9a-f]{16}$/;

/** Anyone can create a directory in the temporary one: it is trusted only if no other user can write to it. */
export async function isTrusted(folder: string): Promise<boolean> {
  if (folder === inProject) return true;
  const found = await lstat(folder);
  const ours = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
  return found.isDirectory() && ours;
}

/** Opens the latest build. @throws PortalNotBuiltError */
export async function builtPortal(): Promise<PortalSite> {
  let reason: string | undefined;
  for (const folder of portalFolders()) {
    const name = await readFile(join(folder, currentFile), 'utf8').catch((error) => {
      if (error.code === 'EACCES') reason ??= reasonOf(error);
      return '';
    });
    if (builtName.test(name) && (await isTrusted(folder))) return openPortalSite(join(folder, name));
  }
  throw new PortalNotBuiltError(reason);
}
