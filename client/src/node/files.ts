import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

/**
 * A file on disk, to be uploaded: its bytes are read while they are sent, and again if that is repeated.
 *
 * @param type the media type; without it the file is stored as `application/octet-stream`
 * @throws Where there is no such file.
 */
export async function fromPath(
  path: string | URL,
  { name, type = '' }: { name?: string; type?: string } = {},
): Promise<File> {
  const blob = await openAsBlob(path, { type });
  return new File([blob], name ?? basename(path instanceof URL ? fileURLToPath(path) : path), { type });
}

/**
 * Writes a download to a file. It has its name only when it is whole: until then the bytes stand in a file beside
 * it, which is removed when the download fails.
 */
export async function saveTo(
  path: string,
  { stream, size }: { stream: ReadableStream<Uint8Array>; size: number | undefined },
): Promise<void> {
  const partial = `${path}.${crypto.randomUUID()}.part`;
  try {
    const target = createWriteStream(partial, { flags: 'wx' });
    await pipeline(Readable.fromWeb(stream as never), target);
    if (size !== undefined && target.bytesWritten !== size)
      throw new Error(`${target.bytesWritten} of ${size} bytes arrived.`);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
