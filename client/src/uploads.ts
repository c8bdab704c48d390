import { multipartForm, runtime } from '#files';
import { anySignal } from './abort.ts';
import type { Client } from './client-types.ts';
import type { Attachment, Resource } from './contract.ts';
import {
  assertSource,
  blobFile,
  chunksOf,
  type FileMetadata,
  type FileSource,
  isStream,
  type Stream,
  type StreamedFile,
  streamOf,
  validatedChunks,
} from './file-source.ts';
import { toFormData } from './form-data.ts';
import type { CallOptions, UntypedResult } from './operation-types.ts';
import { unwrap } from './unwrap.ts';
import { sendForm } from './xhr-upload.ts';

export interface UploadOptions extends CallOptions, FileMetadata {
  /** The size of a stream in bytes, if known. The platform can then reject a file that is too large immediately. */
  size?: number;
  /**
   * Called as the file's bytes are sent. Restarts at 0 on a retry. A browser reports progress by XMLHttpRequest only: with
   * a `fetch` of yours, which is used instead, it is called once, after the upload.
   */
  onProgress?: (progress: UploadProgress) => void;
}

export interface UploadProgress {
  /** Bytes of the file passed to the connection so far. */
  loaded: number;
  /** Bytes of the file; undefined for a stream without `size`. */
  total?: number;
}

/** The record that a file is attached to. */
export interface RecordPath {
  tableId: string;
  recordId: string;
}

interface Fields {
  tags?: readonly string[];
}
type Post = (request: { body: never; progressFetch?: unknown } & CallOptions) => Promise<UntypedResult>;

/**
 * Uploads a file without buffering it in memory.
 *
 * Attempts have no default timeout, because the duration of an upload depends on the network.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError}
 * @throws {TypeError} for an invalid source; {RangeError} for a stream that does not match its `size`; the source's own
 *   error. None of these is retried.
 */
export function uploadResource(
  client: Client,
  source: FileSource,
  options: UploadOptions = {},
): Promise<Resource> {
  const post: Post = (request) => client.POST('/resources', request);
  return unwrap(upload(post, source, {}, options)) as Promise<never>;
}

/** Uploads a file and attaches it to a record; otherwise like `uploadResource`. */
export function createAttachment(
  client: Client,
  { tableId, recordId }: RecordPath,
  source: FileSource,
  { tags = [], ...options }: UploadOptions & { tags?: readonly string[] } = {},
): Promise<Attachment> {
  const params = { path: { tableId, recordId } };
  const post: Post = (request) =>
    client.POST('/tables/{tableId}/records/{recordId}/attachments', { params, ...request });
  return unwrap(upload(post, source, { tags }, options)) as Promise<never>;
}

async function upload(
  post: Post,
  source: FileSource,
  fields: Fields,
  { name, type, size, onProgress, ...options }: UploadOptions,
): Promise<UntypedResult> {
  assertSource(source);
  const call = { attemptTimeout: Number.POSITIVE_INFINITY, ...options };
  // Browsers stream the files of a form from disk, and most cannot send any other stream. Node buffers a form in memory
  // when the network is slower than the disk, so in Node, jsdom included, the client encodes the form itself. Bundles for
  // browsers have no `multipartForm`, and leave out what needs it.
  if (!multipartForm || !runtime?.()) {
    const named = blobFile(isStream(source) ? await collect(source, size) : source, { name, type });
    const body = { ...fields, file: new File([named.blob], named.name, named) };
    const total = body.file.size;
    // A form is larger than its file.
    const report = (loaded: number) => onProgress?.({ loaded: Math.min(loaded, total), total });
    const progressFetch =
      onProgress && 'XMLHttpRequest' in globalThis
        ? (request: Request) => sendForm(request, toFormData(body), report)
        : undefined;
    const result = await post({ body: body as never, ...call, progressFetch });
    // A `fetch` reports nothing.
    if (result.data) report(total);
    return result;
  }
  if (!isStream(source)) {
    const { blob, ...named } = blobFile(source, { name, type });
    const file = { ...named, size: blob.size, open: () => chunksOf(streamOfBlob(blob)) };
    return sendStream(post, file, fields, onProgress, call);
  }
  const file = { name: name ?? 'file', type: type ?? '', size, open: opener(source) };
  const resendable = typeof source === 'function';
  return sendStream(post, file, fields, onProgress, { ...call, ...(!resendable && { resendable }) });
}

/** The `Blob` of jsdom has no `stream`. */
function streamOfBlob(blob: Blob): ReturnType<Blob['stream']> | AsyncGenerator<Uint8Array> {
  return 'stream' in blob ? blob.stream() : bytesOf(blob);
}

async function* bytesOf(blob: Pick<Blob, 'arrayBuffer'>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await blob.arrayBuffer());
}

/** Reads a stream into a blob, because browsers cannot stream it. They keep large blobs on disk. */
async function collect(source: Stream, size: number | undefined): Promise<Blob> {
  const parts: Blob[] = [];
  // A blob of its own for each chunk, because a source may use its buffer again.
  for await (const chunk of validatedChunks({ open: opener(source), size }))
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  return new Blob(parts);
}

function opener(source: Stream): StreamedFile['open'] {
  return () => chunksOf(typeof source === 'function' ? source() : source);
}

async function sendStream(
  post: Post,
  file: StreamedFile,
  { tags = [] }: Fields,
  onProgress: UploadOptions['onProgress'],
  call: CallOptions,
): Promise<UntypedResult> {
  const fields = tags.map((tag) => ['tags', tag] as const);
  // An error of the source aborts the call with that error; otherwise it would look like a connection error and be
  // retried.
  const invalid = new AbortController();
  async function* open() {
    try {
      yield* validatedChunks(file);
    } catch (reason) {
      invalid.abort(reason);
      throw reason;
    }
  }
  const total = file.size === undefined ? {} : { total: file.size };
  const form = multipartForm({ ...file, open }, fields, (loaded) => onProgress?.({ loaded, ...total }));
  const setContentHeaders = {
    onRequest({ request: { headers } }: { request: Request }) {
      headers.set('Content-Type', form.type);
      if (form.size !== undefined) headers.set('Content-Length', String(form.size));
    },
  };
  let chunks: AsyncGenerator<Uint8Array> | undefined;
  const bodySerializer = () => {
    void chunks?.return(undefined);
    chunks = form.chunks();
    return streamOf(chunks);
  };
  try {
    const signal = anySignal(call.signal, invalid.signal);
    const streaming = { bodySerializer, duplex: 'half', signal };
    const middleware = [...(call.middleware ?? []), setContentHeaders];
    return await post({ body: {} as never, ...call, ...streaming, middleware });
  } finally {
    // An early response leaves the source open. Closing it may never finish, so it is not awaited.
    void chunks?.return(undefined);
  }
}
