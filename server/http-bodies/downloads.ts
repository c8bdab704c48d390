import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as createDisposition } from 'content-disposition';
import {
  BlobMissing,
  type BlobStore,
  type ByteRange,
  byteRangeOf,
  type DownloadHeaders,
  readStored,
  type StoredFile,
} from '../blobs/index.ts';
import { Refused, refuse } from '../contract/index.ts';
import { isAmong } from './entity-tags.ts';
import { isMediaType, unknownMediaType } from './media-types.ts';

export interface SentFile {
  status: 200 | 206 | 304;
  /** The client disconnected before the end. */
  aborted?: true;
}

/** JSON that only resembles a file, such as the result of a workflow, has no bytes. */
export function isStoredFile(body: unknown): body is StoredFile {
  return typeof body === 'object' && body !== null && 'sha256' in body && Buffer.isBuffer(body.sha256);
}

/** The headers of a download that do not depend on who sends it. */
export function downloadHeaders({ name, contentType }: StoredFile): DownloadHeaders {
  return {
    contentType: isMediaType(contentType) ? contentType : unknownMediaType,
    contentDisposition: createDisposition(name.toWellFormed()),
    cacheControl: 'private, no-cache',
  };
}

/**
 * Sends a file, or the requested range of it, as a download, so that no browser renders it under our origin,
 * sniffs its type or runs it.
 *
 * @param headers of every response; the headers of the file take precedence
 * @throws Refused 416 `range_not_satisfiable`; BlobMissing if the store lacks bytes that the row describes.
 *   Nothing has been sent then, or the connection is closed in the middle of the response.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StoredFile,
  { blobs, headers = {} }: { blobs: Pick<BlobStore, 'read'>; headers?: Readonly<Record<string, string>> },
): Promise<SentFile> {
  const etag = `"${file.sha256.toString('base64url')}"`;
  const { contentType, contentDisposition, cacheControl } = downloadHeaders(file);
  const cached = { ...headers, ETag: etag, 'Cache-Control': cacheControl };
  if (isAmong(request.headers['if-none-match'], etag)) {
    response.writeHead(304, cached).end();
    return { status: 304 };
  }
  const range = rangeOf(request, file, etag);
  const source = await open(blobs, file, range);
  const status = range ? 206 : 200;
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  response.writeHead(status, {
    ...cached,
    'Content-Type': contentType,
    'Content-Length': end - start + 1,
    'Content-Disposition': contentDisposition,
    'Content-Security-Policy': 'sandbox',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${file.size}` }),
  });
  const complete = await send(source, response, file.blobKey, end - start + 1);
  return complete ? { status } : { status, aborted: true };
}

/**
 * Sends bytes of the store as a response body with just these headers.
 *
 * @throws BlobMissing as `sendFile` does
 */
export async function sendStored<Status extends number>(
  response: ServerResponse,
  status: Status,
  { blobKey, bytes, size }: Pick<StoredFile, 'blobKey' | 'bytes' | 'size'>,
  { blobs, headers }: { blobs: Pick<BlobStore, 'read'>; headers: Readonly<Record<string, string>> },
): Promise<{ status: Status; aborted?: true }> {
  const source = await open(blobs, { blobKey, bytes, size }, undefined);
  response.writeHead(status, { ...headers, 'Content-Length': size });
  const complete = await send(source, response, blobKey, size);
  return complete ? { status } : { status, aborted: true };
}

function rangeOf(
  { headers, method }: IncomingMessage,
  file: StoredFile,
  etag: string,
): ByteRange | undefined {
  // Ranges are defined for GET only (RFC 9110, section 14.2).
  if (method === 'HEAD') return undefined;
  // The range is of another version than the stored one: send the whole file (RFC 9110, section 13.1.5).
  const current = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = current ? byteRangeOf(headers.range, file.size) : 'whole';
  if (range === 'unsatisfiable') {
    throw new Refused(refuse(416, 'range_not_satisfiable'), { 'Content-Range': `bytes */${file.size}` });
  }
  return range === 'whole' ? undefined : range;
}

/** Opens all bytes to be sent, so that a blob that is too short is found before the response begins. */
function open(
  blobs: Pick<BlobStore, 'read'>,
  file: Pick<StoredFile, 'blobKey' | 'bytes' | 'size'>,
  range: ByteRange | undefined,
): Promise<Readable> {
  if (file.size === 0) return readStored(blobs, file);
  return readStored(blobs, file, range ?? { start: 0, end: file.size - 1 });
}

/** @returns false if the client disconnected */
async function send(
  source: Readable,
  response: ServerResponse,
  blobKey: string,
  size: number,
): Promise<boolean> {
  if (response.req.method === 'HEAD') {
    source.destroy();
    response.end();
    return true;
  }
  let sent = 0;
  source.on('data', (chunk: Buffer) => {
    sent += chunk.length;
  });
  try {
    await pipeline(source, response, { end: false });
  } catch (error) {
    const lost = source.errored && !isPremature(source.errored);
    response.destroy();
    if (lost) throw new BlobMissing(blobKey, 'cannot be read', { cause: error });
    return false;
  } finally {
    source.destroy();
  }
  if (sent !== size) {
    response.destroy();
    throw new BlobMissing(blobKey, `gave ${sent} bytes instead of ${size}`);
  }
  response.end();
  return true;
}

function isPremature(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
