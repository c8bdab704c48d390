import type { Client } from './client-types.ts';
import type { CallOptions } from './operation-types.ts';
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
  const params = { path: { resourceId }, ...(range && { header: { Range: range } }) };
  const result = await client.GET('/resources/{resourceId}', { params, parseAs: 'stream', ...options });
  await unwrap(result);
  return downloadOf(result.response);
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
  const headers = { ...(range && { Range: range }) };
  const result = await client.follow(link, { parseAs: 'stream', ...options, headers });
  await unwrap(result);
  return downloadOf(result.response);
}

function downloadOf(response: Response): Download {
  const { headers, body } = response;
  return {
    stream: body ?? new Blob().stream(),
    name: fileName(headers.get('Content-Disposition') ?? '') ?? 'file',
    type: headers.get('Content-Type') ?? 'application/octet-stream',
    size: contentLength(headers),
    etag: headers.get('ETag') ?? undefined,
    response,
  };
}

/** With a `Content-Encoding`, `Content-Length` is not the size of the decoded stream. */
function contentLength(headers: Headers): number | undefined {
  const length = headers.get('Content-Length');
  return length === null || headers.has('Content-Encoding') ? undefined : Number(length);
}

/** The file name by RFC 6266: `filename*` (RFC 8187) takes precedence. */
function fileName(disposition: string): string | undefined {
  const parameters = new Map<string, string>();
  // One after the other, because a quoted value may look like a parameter.
  for (const [, name = '', value = ''] of disposition.matchAll(/;\s*([^=;\s]+)=("(?:[^"\\]|\\.)*"|[^;]*)/g))
    parameters.set(name.toLowerCase(), value.trim());
  const [, encoded] = /^UTF-8'[^']*'(.+)$/i.exec(parameters.get('filename*') ?? '') ?? [];
  const written = parameters.get('filename');
  const plain = written?.startsWith('"') ? written.slice(1, -1).replace(/\\(.)/g, '$1') : written;
  return (encoded && tryDecode(encoded)) || plain || undefined;
}

/** @returns undefined for an invalid encoding, which must not fail the download */
function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
