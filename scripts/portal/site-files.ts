import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { etagOf, type PortalFile } from '../../server/src/pages/portal-site.ts';
import { namesAddresses } from '../../server/src/pages/served-addresses.ts';

/** A file of the portal before it is written. */
export interface SiteFile {
  /** The path at which it is served. */
  path: string;
  type: string;
  body: string | Buffer;
  /** The `Content-Security-Policy` of a page. */
  policy?: string;
  /** Its path changes with its content, so caches may keep it for a year. */
  immutable?: boolean;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Below this size compression saves nothing. */
const minimumSize = 1024;
/** Above this size the best compression takes seconds, and a lower level a tenth of that. */
const large = 150_000;

/** Writes the files, also compressed, and `manifest.json`, which lists them. */
export async function writeSite(directory: string, files: SiteFile[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const served = await Promise.all(files.map((file, index) => write(directory, file, index)));
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(served));
}

async function write(directory: string, file: SiteFile, index: number): Promise<PortalFile> {
  const { path, type, policy, immutable } = file;
  const body = Buffer.from(file.body);
  const name = String(index);
  const encodings: PortalFile['encodings'] = [];
  await writeFile(join(directory, name), body);
  const isText = !/^(?:image|application\/gzip)/.test(type);
  if (body.length >= minimumSize && isText) {
    const quality = body.length > large ? 9 : 11;
    const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
    const [brotli, gzipped] = await Promise.all([compressBrotli(body, { params }), compressGzip(body)]);
    await Promise.all([
      writeFile(join(directory, `${name}.br`), brotli),
      writeFile(join(directory, `${name}.gz`), gzipped),
    ]);
    encodings.push('br', 'gzip');
  }
  // A platform inserts its own addresses, so the same path can have other content.
  const hasUrls = isText && namesAddresses(String(body));
  return {
    path,
    type,
    file: name,
    etag: etagOf(body),
    encodings,
    ...(policy !== undefined && { policy }),
    ...(hasUrls ? { hasUrls } : immutable && { immutable }),
  };
}
