import type { CallOptions } from './calls.ts';
import type { Client } from './client.ts';
import { unwrap } from './unwrap.ts';
import type { RecordPath } from './uploads.ts';

/** A file on its way: its bytes have not been read yet. Read the stream, or cancel it. */
export interface Download {
  stream: ReadableStream<Uint8Array>;
  /** As the file was named when it was uploaded: never use it as a path unseen. */
  name: string;
  type: string;
  /** Bytes of this answer, of the whole file or the range that was asked for; unless a proxy hides it. */
  size: number | undefined;
  etag: string | undefined;
  response: Response;
}

export interface DownloadOptions extends CallOptions {
  /** A part of the file, such as `bytes=1024-`. */
  range?: string;
}

/**
 * Opens a resource to be read as it arrives. `attemptTimeout` and `timeout` hold until the first byte; after that
 * only `signal` ends it.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError}
 */
export async function downloadResource(
  client: Client,
  resourceId: string,
  { range, ...options }: DownloadOptions = {},
): Promise<Download> {
  const params = { path: { resourceId }, ...(range && { header: { Range: range } }) };
  const answer = await client.GET('/resources/{resourceId}', { params, parseAs: 'stream', ...options });
  await unwrap(answer);
  return downloadOf(answer.response);
}

/** Opens an attachment by a fresh link; all else is as for `downloadResource`. */
export async function downloadAttachment(
  client: Client,
  { tableId, recordId, attachmentId }: RecordPath & { attachmentId: string },
  { range, ...options }: DownloadOptions = {},
): Promise<Download> {
  const params = { path: { tableId, recordId, attachmentId } };
  const path = '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}';
  const { link } = await unwrap(client.GET(path, { params, ...options }));
  const headers = { ...(range && { Range: range }) };
  const answer = await client.follow(link, { parseAs: 'stream', ...options, headers });
  await unwrap(answer);
  return downloadOf(answer.response);
}

function downloadOf(response: Response): Download {
  const { headers, body } = response;
  return {
    stream: body ?? new Blob().stream(),
    name: nameIn(headers.get('Content-Disposition') ?? '') ?? 'file',
    type: headers.get('Content-Type') ?? 'application/octet-stream',
    size: sizeIn(headers),
    etag: headers.get('ETag') ?? undefined,
    response,
  };
}

/** What is packed for the way has another size than what comes out of the stream. */
function sizeIn(headers: Headers): number | undefined {
  const length = headers.get('Content-Length');
  return length === null || headers.has('Content-Encoding') ? undefined : Number(length);
}

/** The file name of RFC 6266; the one in any script (RFC 8187) comes first. */
function nameIn(disposition: string): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const name = encoded && decoded(encoded);
  if (name) return name;
  const [, quoted, token] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token;
}

/** @returns undefined for what somebody on the way has spoilt: the file itself may be well */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
