import type { CallOptions } from './calls.ts';
import type { Client } from './client.ts';
import type { components } from './contract.ts';
import {
  assertSource,
  checked,
  chunksOf,
  type FileNaming,
  type FileSource,
  isStream,
  type Stream,
  type StreamedFile,
  streamOf,
  wholeFile,
} from './file-source.ts';
import { toFormData } from './form-data.ts';
import { anyOf } from './interruption.ts';
import { multipartForm } from './multipart.ts';
import { unwrap } from './unwrap.ts';
import { sendForm } from './xhr.ts';

export interface UploadOptions extends CallOptions, FileNaming {
  /** Bytes of a stream, where they are known: a file that is too large is then refused before it is sent. */
  size?: number;
  /** Called as the file's bytes leave; from 0 again when the upload is repeated. */
  onProgress?: (progress: UploadProgress) => void;
}

export interface UploadProgress {
  /** Bytes of the file that have been handed to the connection. */
  loaded: number;
  /** Bytes of the file; absent for a stream whose size was not given. */
  total?: number;
}

/** The record that a file is attached to. */
export interface RecordPath {
  tableId: string;
  recordId: string;
}

type Fields = Record<string, unknown>;
type Posted = { data?: unknown; error?: unknown; response: Response };
type Post = (request: { body: never } & CallOptions) => Promise<Posted>;

/**
 * Stores a file, without ever holding all of it in memory.
 *
 * An attempt has no deadline unless `attemptTimeout` is given: how long an upload takes is up to the network.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError}; {TypeError} for what is no source, {RangeError} for a stream
 *   that is not of its `size`, and what the source itself threw: none of these is tried again
 */
export async function uploadResource(
  client: Client,
  source: FileSource,
  options: UploadOptions = {},
): Promise<components['schemas']['Resource']> {
  const post: Post = (request) => client.POST('/resources', request);
  return (await unwrap(upload(post, source, {}, options))) as never;
}

/** Attaches a file to a record; all else is as for `uploadResource`. */
export async function createAttachment(
  client: Client,
  { tableId, recordId }: RecordPath,
  source: FileSource,
  { tags = [], ...options }: UploadOptions & { tags?: readonly string[] } = {},
): Promise<components['schemas']['Attachment']> {
  const params = { path: { tableId, recordId } };
  const post: Post = (request) =>
    client.POST('/tables/{tableId}/records/{recordId}/attachments', { params, ...request });
  return (await unwrap(upload(post, source, { tags }, options))) as never;
}

/**
 * Browsers stream a form from where its file lies, and most of them can send no other stream. Node reads the whole
 * file of a form into memory when the network is slower than the disk, so there the form is written here.
 */
const inBrowser = () => 'XMLHttpRequest' in globalThis;

async function upload(
  post: Post,
  source: FileSource,
  fields: { tags?: readonly string[] },
  { name, type, size, onProgress, ...options }: UploadOptions,
): Promise<Posted> {
  assertSource(source);
  const naming = { ...(name && { name }), ...(type && { type }) };
  const call = { attemptTimeout: Number.POSITIVE_INFINITY, ...options };
  const told = onProgress && ((loaded: number, total?: number) => tell(onProgress, loaded, total));
  if (inBrowser()) {
    const { blob, ...named } = wholeFile(isStream(source) ? await collected(source, size) : source, naming);
    const file = new File([blob], named.name, { type: named.type });
    return post(
      told ? withXhr({ ...fields, file }, file.size, told, call) : withForm({ ...fields, file }, call),
    );
  }
  if (!isStream(source)) {
    const { blob, ...named } = wholeFile(source, naming);
    const opened = { ...named, size: blob.size, open: () => chunksOf(blob.stream()) };
    return sendStream(post, opened, fields, told, call);
  }
  const file = { name: name ?? 'file', type: type ?? '', size, open: opener(source) };
  const resendable = typeof source === 'function';
  return sendStream(post, file, fields, told, { ...call, ...(!resendable && { resendable }) });
}

type Told = (loaded: number, total?: number) => void;

function tell(onProgress: NonNullable<UploadOptions['onProgress']>, loaded: number, total?: number): void {
  onProgress(total === undefined ? { loaded } : { loaded: Math.min(loaded, total), total });
}

/** What a browser cannot stream it collects; large blobs lie on its disk. */
function collected(source: Stream, size: number | undefined): Promise<Blob> {
  const wrong = new AbortController();
  const chunks = checked({ open: opener(source), size }, (reason) => wrong.abort(reason));
  // Browsers say of any stream that fails no more than that it did.
  return new Response(streamOf(chunks)).blob().catch((error) => {
    throw wrong.signal.reason ?? error;
  });
}

function opener(source: Stream): StreamedFile['open'] {
  return () => chunksOf(typeof source === 'function' ? source() : source);
}

function withForm(body: Fields, call: CallOptions) {
  return { body: body as never, ...call };
}

function withXhr(body: Fields, total: number, told: Told, call: CallOptions) {
  const form = toFormData(body);
  const fetch = (request: Request) => sendForm(request, form, (loaded) => told(loaded, total));
  return { ...withForm(body, call), fetch };
}

async function sendStream(
  post: Post,
  file: StreamedFile,
  { tags = [] }: { tags?: readonly string[] },
  told: Told | undefined,
  call: CallOptions,
): Promise<Posted> {
  const fields = tags.map((tag) => ['tags', tag] as const);
  // What the source does wrong ends the upload as what it is: the connection is well, and a repeat would not help.
  const wrong = new AbortController();
  const open = () => checked(file, (reason) => wrong.abort(reason));
  const form = multipartForm({ ...file, open }, fields, told && ((loaded) => told(loaded, file.size)));
  const describing = {
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
    const signal = anyOf(call.signal, wrong.signal);
    const sending = { bodySerializer, duplex: 'half', signal };
    const middleware = [...(call.middleware ?? []), describing];
    return await post({ body: {} as never, ...call, ...sending, middleware });
  } finally {
    // An answer that came before the end leaves the rest unread, and its source open. It may hang: nobody waits.
    void chunks?.return(undefined);
  }
}
