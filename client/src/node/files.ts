import { constants, createWriteStream, openAsBlob } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export { multipartForm } from '../multipart.ts';

/** @returns the runtime and its version, for example `node/26.10.0`; undefined in a browser and on a page of Electron */
export function runtime(): string | undefined {
  const { process } = globalThis as {
    process?: { type?: string; versions?: Record<string, string | undefined> };
  };
  const { type, versions = {} } = process ?? {};
  if (type === 'renderer') return undefined;
  const name = ['bun', 'deno', 'node'].find((each) => versions[each]);
  return name && `${name}/${versions[name]}`;
}

const references = new WeakMap<object, readonly object[]>();

/**
 * Keeps a request and its response alive while the body is read. Node references both weakly: without the `Request`
 * the signal no longer reaches the body, and without the `Response` Node cancels a body that is not read yet.
 */
export function retain(request: Request, response: Response): void {
  if (response.body) references.set(response.body, [request, response]);
}

/**
 * Opens a file on disk for upload. Its bytes are read while they are sent, and again on a retry.
 *
 * @param options.type The media type. Default: the platform stores `application/octet-stream`.
 * @throws {Error} with the path, if it is not a file that can be read
 */
export async function fromPath(
  path: string | URL,
  { name, type = '' }: { name?: string; type?: string } = {},
): Promise<File> {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  // `openAsBlob` does not say what is wrong with the path.
  await access(file, constants.R_OK);
  if (!(await stat(file)).isFile()) throw new Error(`${file} is not a file.`);
  return new File([await openAsBlob(file, { type })], name ?? basename(file), { type });
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
      throw new Error(`The download of ${path} ended after ${target.bytesWritten} of ${size} bytes.`);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
