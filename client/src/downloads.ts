import type { Client } from './client-types.ts';
import type { CallOptions, UntypedResult } from './operation-types.ts';
import { unwrap } from './unwrap.ts';
import type { RecordPath } from './uploads.ts';

/** A download whose body is not read yet. Read the stream or cancel it. */
export interface Download {
  stream: ReadableStream<Uint8Array>;
  /** The file name from the upload. It is untrusted: do not use it as a path. */
  name: string;
  type: string;
  /** Bytes in this response (the file or the requested range); undefined if a proxy hides it. */
  size: number | undefined;
  etag: string | undefined;
  response: Response;
}

export interface DownloadOptions extends CallOptions {
  /** The requested part of the file, for example `bytes=1024-`. */
  range?: string;
}

/**
 * Downloads a resource as a stream. `attemptTimeout` and `timeout` apply until the stream starts; after that, only
 * `signal` ends it.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError}
 */
export async function downloadResource(
  client: Client,
  resourceId: string,
  { range, ...options }: DownloadOptions = {},
): Promise<Download> {
  const params = { path: { resourceId }, header: { Range: range as string } };
  return downloadOf(client.GET('/resources/{resourceId}', { params, parseAs: 'stream', ...options }));
}

/** Downloads an attachment through a new signed URL; otherwise like `downloadResource`. */
export async function downloadAttachment(
  client: Client,
  { tableId, recordId, attachmentId }: RecordPath & { attachmentId: string },
  { range, ...options }: DownloadOptions = {},
): Promise<Download> {
  const params = { path: { tableId, recordId, attachmentId } };
  const path = '/tables/{tableId}/records/{recordId}/attachments/{attachmentId}';
  const { link } = await unwrap(client.GET(path, { params, ...options }));
  return downloadOf(client.follow(link, { parseAs: 'stream', ...options, headers: { Range: range } }));
}

async function downloadOf(result: Promise<UntypedResult>): Promise<Download> {
  await unwrap(result);
  const { response } = await result;
  const { headers, body } = response;
  const length = headers.get('Content-Length');
  return {
    stream: body ?? new Blob().stream(),
    name: fileName(headers.get('Content-Disposition') ?? '') || 'file',
    type: headers.get('Content-Type') ?? 'application/octet-stream',
    // With a `Content-Encoding`, it is not the size of the decoded stream.
    size: length === null || headers.has('Content-Encoding') ? undefined : Number(length),
    etag: headers.get('ETag') ?? undefined,
    response,
  };
}

/** The file name by RFC 6266: `filename*` (RFC 8187) takes precedence, unless its encoding is invalid. */
function fileName(disposition: string): string | undefined {
  let plain: string | undefined;
  let encoded: string | undefined;
  // The second alternative passes over quoted values, which may contain what looks like a parameter.
  for (const [, star, value = ''] of disposition.matchAll(
    /filename(\*?)=("([^"\\]|\\.)*"|[^;\s]*)|"([^"\\]|\\.)*"/gi,
  ))
    if (star) encoded = value.split(/^UTF-8'.*?'/i)[1];
    else plain ||= value.replace(/^"|"$|\\(.)/g, '$1');
  try {
    if (encoded) return decodeURIComponent(encoded);
  } catch {
    // An invalid encoding must not fail the download.
  }
  return plain;
}
