import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export { multipartForm } from '../multipart.ts';

/**
 * Opens a file on disk for upload. Its bytes are read while they are sent, and again on a retry.
 *
 * @param options.type The media type. Default: the platform stores `application/octet-stream`.
 * @throws if the file does not exist
 */
export async function fromPath(
  path: string | URL,
  { name, type = '' }: { name?: string; type?: string } = {},
): Promise<File> {
  const blob = await openAsBlob(path, { type });
  return new File([blob], name ?? basename(path instanceof URL ? fileURLToPath(path) : path), { type });
}

/**
 * Writes a download to a file. The bytes go to a temporary file in the same directory, which is renamed when the
 * download is complete and removed if it fails.
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
      throw new Error(`The download ended after ${target.bytesWritten} of ${size} bytes.`);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
